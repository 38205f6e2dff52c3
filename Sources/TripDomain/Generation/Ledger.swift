/// Items and money of one term of the ledger.
public struct LedgerAmount: Sendable, Hashable {
    /// Items: records, or as many as a record's declared split yields.
    public var items: Int64
    /// The sum of their readable amounts, in cents.
    public var cents: Int64
    /// Items whose amount is written but cannot be read.
    public var unpriced: Int64

    /// Makes an amount; each part is zero by default.
    public init(items: Int64 = 0, cents: Int64 = 0, unpriced: Int64 = 0) {
        self.items = items
        self.cents = cents
        self.unpriced = unpriced
    }

    /// Adds two amounts term by term.
    public static func + (left: LedgerAmount, right: LedgerAmount) -> LedgerAmount {
        LedgerAmount(
            items: left.items + right.items,
            cents: left.cents + right.cents,
            unpriced: left.unpriced + right.unpriced
        )
    }

    /// Adds another amount term by term.
    public static func += (left: inout LedgerAmount, right: LedgerAmount) {
        left = left + right
    }
}

/// Where an item that was read ended up.
public enum LedgerTerm: String, Sendable, CaseIterable {
    /// It is a trip of the generation.
    case accepted
    /// It was joined into another item of the same claim.
    case merged
    /// It repeats an equal, earlier version of its trip.
    case duplicate
    /// A later version of its trip replaced it.
    case superseded
    /// Its file was replaced as a whole, its claim was voided, or its line was taken back.
    case withdrawn
    /// It was set aside with a reason.
    case rejected
}

/// The account of one file, or of all: what the scanner read, and what became of it.
public struct Ledger: Sendable, Hashable {
    /// What the scanner counted before any decision.
    public var read: LedgerAmount
    /// What became of it.
    public var terms: [LedgerTerm: LedgerAmount]

    /// An empty account.
    public init() {
        read = LedgerAmount()
        terms = [:]
    }

    /// One term; zero where nothing fell under it.
    public subscript(term: LedgerTerm) -> LedgerAmount {
        get { terms[term] ?? LedgerAmount() }
        set { terms[term] = newValue }
    }

    /// Whether every item of a file was rejected, or more than half of twenty or more: then the
    /// file is rather another than one with faults.
    public var isMostlyRejected: Bool {
        let (rejected, items) = (self[.rejected].items, read.items)
        return items > 0 && (rejected == items || items >= 20 && rejected > items / 2)
    }

    /// The sum of all terms.
    public var explained: LedgerAmount {
        LedgerTerm.allCases.reduce(LedgerAmount()) { $0 + self[$1] }
    }

    /// Adds the account of another file.
    public static func += (left: inout Ledger, right: Ledger) {
        left.read += right.read
        for term in LedgerTerm.allCases where right.terms[term] != nil {
            left[term] += right[term]
        }
    }
}
