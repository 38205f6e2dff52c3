import TripDomain

/// What one export holds, counted while it is written.
struct FileTally: Sendable {
    /// Months before a file's own that its trips can fall into, and months after.
    static let monthsBefore: Int32 = 17
    static let monthsAfter: Int32 = 1
    /// The regions, and `UNKNOWN` after them.
    static let regionCount = StationTable.regions.count + 1

    /// A planted line that is set aside, and where it stands.
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
        /// With any status.
        var trips = 0
        /// Completed.
        var counted = 0
        /// Completed, by what the rules are meant to find.
        var truths = [Int](repeating: 0, count: SyntheticTrip.Truth.allCases.count)
        /// Completed, with a known amount.
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

    /// Everything the scanner reads, whatever becomes of it.
    var read: LedgerAmount {
        LedgerTerm.allCases.reduce(LedgerAmount()) { $0 + self[$1] }
    }

    subscript(term: LedgerTerm) -> LedgerAmount {
        terms[term] ?? LedgerAmount()
    }

    /// The month a place of `monthRegions` stands for.
    func month(at place: Int) -> Month {
        Month(
            monthNumber: fileMonth.monthNumber - Self.monthsBefore
                + Int32(place / Self.regionCount)
        )
    }

    /// Counts a trip as accepted, or takes it back.
    mutating func count(_ trip: SyntheticTrip, regionIndex: Int, sign: Int) {
        let month = trip.month.monthNumber - fileMonth.monthNumber + Self.monthsBefore
        precondition(
            (0...(Self.monthsBefore + Self.monthsAfter)).contains(month),
            "no export carries trips older than the window"
        )
        let place = Int(month) * Self.regionCount + regionIndex
        monthRegions[place].trips += sign
        guard trip.status == .completed else { return }
        monthRegions[place].counted += sign
        monthRegions[place].truths[trip.truth.rawValue] += sign
        codeCounts[trip.code < 0 ? ServiceTable.codes.count : trip.code] += sign
        guard trip.paidCents != SyntheticTrip.blankAmount else { return }
        monthRegions[place].costed += sign
        monthRegions[place].cents += sign * trip.paidCents
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

    /// The amount the ledger counts: a blank is none.
    static func cents(_ trip: SyntheticTrip) -> Int64 {
        trip.paidCents == SyntheticTrip.blankAmount ? 0 : Int64(trip.paidCents)
    }
}
