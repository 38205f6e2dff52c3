import TripDomain

/// An account as two lines that balance: in items and in money.
struct LedgerText {
    /// `30,412 read = 30,187 accepted + 141 duplicate + …`.
    let items: String
    /// `$13,402,118.20 read = $13,331,090.45 + …`, with the amounts that could not be read.
    let money: String

    init(_ ledger: Ledger) {
        let terms = LedgerTerm.allCases.filter { $0 == .accepted || ledger[$0].items > 0 }
        let counts = terms.map { "\(NumberFormat.count(ledger[$0].items)) \($0.rawValue)" }
        let amounts = terms.map { NumberFormat.dollars(ledger[$0].cents) }
        let unreadable = terms.filter { ledger[$0].unpriced > 0 }
            .map { "\(NumberFormat.count(ledger[$0].unpriced)) \($0.rawValue)" }
            .joined(separator: ", ")
        items =
            "\(NumberFormat.count(ledger.read.items)) read = " + counts.joined(separator: " + ")
        money =
            "\(NumberFormat.dollars(ledger.read.cents)) read = " + amounts.joined(separator: " + ")
            + (unreadable.isEmpty ? "" : "   (\(unreadable): amount unreadable)")
    }
}
