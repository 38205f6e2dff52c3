import TripDomain

/// The counts of one export's contents, made while it is written.
struct FileTally: Sendable {
    /// The greatest distance in months of a trip from the file's own month, before and after.
    static let monthsBefore: Int32 = 17
    static let monthsAfter: Int32 = 1
    /// The regions, and `UNKNOWN` after them.
    static let regionCount = StationTable.regions.count + 1

    /// A planted line that is set aside, and its position.
    struct RejectNote: Sendable {
        let kind: FaultKind
        let reason: RejectReason
        let field: String?
        let recordNumber: Int
        let lineNumber: Int
        let byteOffset: Int
        let tripID: String?
    }

    /// Trips of one month and region, accepted in the end.
    struct MonthRegion: Sendable, Hashable {
        /// Trips with any status.
        var trips = 0
        /// Completed trips.
        var counted = 0
        /// Completed trips, by the basis the rules are meant to find.
        var truths = [Int](repeating: 0, count: SyntheticTrip.Truth.allCases.count)
        /// Completed trips with a known amount.
        var costed = 0
        var cents = 0
    }

    let path: String
    let isLegacy: Bool
    let fileMonth: Month
    var byteCount = 0
    var lineCount = 0
    var blankLineCount = 0
    /// Lines of records the scanner can read.
    var readableLineCount = 0
    var recordCount = 0
    var terms: [LedgerTerm: LedgerAmount] = [:]
    var rejectedByReason: [RejectReason: LedgerAmount] = [:]
    var rejects: [RejectNote] = []
    /// By month, then by region; the first month is ``monthsBefore`` before the file's own.
    var monthRegions: [MonthRegion]
    var codeCounts = [Int](repeating: 0, count: ServiceTable.codes.count + 1)

    init(path: String, isLegacy: Bool, fileMonth: Month) {
        self.path = path
        self.isLegacy = isLegacy
        self.fileMonth = fileMonth
        monthRegions = [MonthRegion](
            repeating: MonthRegion(),
            count: Int(Self.monthsBefore + Self.monthsAfter + 1) * Self.regionCount
        )
    }

    /// Everything the scanner reads, for all outcomes.
    var read: LedgerAmount {
        LedgerTerm.allCases.reduce(LedgerAmount()) { $0 + self[$1] }
    }

    subscript(term: LedgerTerm) -> LedgerAmount {
        terms[term] ?? LedgerAmount()
    }

    /// The month of an index of `monthRegions`.
    func month(at index: Int) -> Month {
        Month(
            monthNumber: fileMonth.monthNumber - Self.monthsBefore
                + Int32(index / Self.regionCount)
        )
    }

    /// Counts a trip as accepted, or, with a negative sign, removes it from the counts.
    mutating func count(_ trip: SyntheticTrip, regionIndex: Int, sign: Int) {
        let month = trip.month.monthNumber - fileMonth.monthNumber + Self.monthsBefore
        precondition(
            (0...(Self.monthsBefore + Self.monthsAfter)).contains(month),
            "no export carries trips older than the window"
        )
        let index = Int(month) * Self.regionCount + regionIndex
        monthRegions[index].trips += sign
        guard trip.status == .completed else { return }
        monthRegions[index].counted += sign
        monthRegions[index].truths[trip.truth.rawValue] += sign
        codeCounts[trip.code < 0 ? ServiceTable.codes.count : trip.code] += sign
        guard trip.paidCents != SyntheticTrip.blankAmount else { return }
        monthRegions[index].costed += sign
        monthRegions[index].cents += sign * trip.paidCents
    }

    mutating func add(_ amount: LedgerAmount, to term: LedgerTerm) {
        terms[term, default: LedgerAmount()] += amount
    }

    /// Moves one accepted version to another term.
    mutating func move(_ trip: SyntheticTrip, regionIndex: Int, to term: LedgerTerm) {
        let amount = LedgerAmount(items: 1, cents: Self.cents(trip))
        add(amount, to: term)
        add(LedgerAmount(items: -1, cents: -amount.cents), to: .accepted)
        count(trip, regionIndex: regionIndex, sign: -1)
    }

    /// The amount the ledger counts; 0 for a blank one.
    static func cents(_ trip: SyntheticTrip) -> Int64 {
        trip.paidCents == SyntheticTrip.blankAmount ? 0 : Int64(trip.paidCents)
    }
}
