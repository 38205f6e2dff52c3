import TripDomain
import TripText

/// Writes `generated.json`, the mark of generated data, and `manifest.json`, the exact results that
/// a run over the exports must have under `pipelines/ambulance`.
struct Manifest {
    /// The version of the format of both files.
    static let formatNumber = 1

    let options: SyntheticOptions
    let plan: FaultPlan
    /// One per export, in order of exports.
    let tallies: [FileTally]
    /// The export that is sent again, and its first sending; nil without faults.
    let resent: (tally: FileTally, first: FileTally)?
    /// The export that is sent again under another name.
    let renamed: (tally: FileTally, source: FileTally)?

    /// The mark: the options, and a note that nothing in the exports is real.
    func mark() -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.value("format", Self.formatNumber)
            json.value("synthetic", true)
            json.value("note", "Generated from a seed. No patient, provider or trip is real.")
            json.value("trip_id_prefix", SyntheticMark.tripIDPrefix)
            json.object("options") { json in writeOptions(&json) }
        }
        return json.text
    }

    /// The expected results of a run.
    func account() -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.value("format", Self.formatNumber)
            json.object("options") { json in writeOptions(&json) }
            json.array("files") { json in
                for tally in tallies { write(tally, &json) }
            }
            json.object("totals") { json in writeTerms(tallies, &json) }
            json.object("planted") { json in
                for kind in FaultKind.allCases where plan.counts[kind] ?? 0 > 0 {
                    json.value(.made(kind.rawValue), plan.counts[kind] ?? 0)
                }
            }
            writeTrips(tallies, &json)
            if let resent { writeResent(resent.tally, resent.first, &json) }
            if let renamed { writeRenamed(renamed.tally, renamed.source, &json) }
        }
        return json.text
    }

    private func writeOptions(_ json: inout JSONText) {
        json.value("trips", options.tripCount)
        json.value("months", options.monthCount)
        json.value("last_month", options.lastMonth.text)
        // As text, because a seed can be larger than the integers every JSON reader keeps exact.
        json.value("seed", String(options.seed))
        json.value("world_seed", String(options.worldSeed))
        json.value("files_per_month", options.filesPerMonth)
        json.value("layout", options.layout.rawValue)
        json.value("packing", options.packing.rawValue)
        json.value("faults", options.hasFaults)
    }

    private func write(_ tally: FileTally, _ json: inout JSONText) {
        json.object { json in
            json.value("path", tally.path)
            json.value("layout", tally.isLegacy ? "legacy" : "native")
            json.value("expanded_bytes", tally.byteCount)
            json.object("lines", isLine: true) { json in
                let unreadable = tally.rejects.count { $0.field == nil }
                json.value("total", tally.lineCount)
                json.value("header", 1)
                json.value("records", tally.readableLineCount)
                json.value("unreadable", unreadable)
                json.value("blank", tally.blankLineCount)
            }
            writeTerms([tally], &json)
            json.array("rejects") { json in
                for note in tally.rejects { write(note, &json) }
            }
        }
    }

    private func write(_ note: FileTally.RejectNote, _ json: inout JSONText) {
        json.object(isLine: true) { json in
            json.value("planted", note.kind.rawValue)
            json.value("reason", note.reason.rawValue)
            if let field = note.field { json.value("field", field) }
            json.value("record", note.recordNumber)
            json.value("line", note.lineNumber)
            json.value("byte_offset", note.byteOffset)
            if let tripID = note.tripID { json.value("trip_id", tripID) }
        }
    }

    private func writeTerms(_ tallies: [FileTally], _ json: inout JSONText) {
        let read = tallies.reduce(LedgerAmount()) { $0 + $1.read }
        write("read", read, &json)
        for term in LedgerTerm.allCases where term != .merged {
            write(.made(term.rawValue), tallies.reduce(LedgerAmount()) { $0 + $1[term] }, &json)
        }
        json.object("rejected_by_reason") { json in
            for reason in RejectReason.allCases {
                let amount = tallies.reduce(LedgerAmount()) {
                    $0 + ($1.rejectedByReason[reason] ?? LedgerAmount())
                }
                if amount.items > 0 { write(.made(reason.rawValue), amount, &json) }
            }
        }
    }

    private func write(_ name: JSONName, _ amount: LedgerAmount, _ json: inout JSONText) {
        json.object(name, isLine: true) { json in
            json.value("items", Int(amount.items))
            json.value("cents", Int(amount.cents))
            json.value("unpriced", Int(amount.unpriced))
        }
    }

    /// The accepted trips by month and region, and the completed ones by basis and trip type.
    private func writeTrips(_ tallies: [FileTally], _ json: inout JSONText) {
        var cells: [Int: FileTally.MonthRegion] = [:]
        for tally in tallies {
            for (index, cell) in tally.monthRegions.enumerated() where cell != .init() {
                let key =
                    Int(tally.month(at: index).monthNumber) * FileTally.regionCount
                    + index % FileTally.regionCount
                cells[key, default: FileTally.MonthRegion()].add(cell)
            }
        }
        json.array("trips_by_month_and_region") { json in
            for (key, cell) in cells.sorted(by: { $0.key < $1.key }) where cell.trips > 0 {
                let regions = StationTable.regions
                let region = key % FileTally.regionCount
                let month = Month(monthNumber: Int32(key / FileTally.regionCount))
                json.object(isLine: true) { json in
                    json.value("month", month.text)
                    json.value(
                        "region",
                        region < regions.count ? regions[region].region : "UNKNOWN"
                    )
                    write(cell, &json)
                }
            }
        }
        json.object("counted_by_basis", isLine: true) { json in
            for truth in SyntheticTrip.Truth.allCases {
                let count = cells.values.reduce(0) { $0 + $1.truths[truth.rawValue] }
                json.value(.made(truth.word), count)
            }
        }
        json.object("counted_by_trip_type", isLine: true) { json in
            for (type, _) in ServiceTable.tripTypes {
                var count = 0
                for tally in tallies {
                    for (code, number) in tally.codeCounts.enumerated() {
                        let codes = ServiceTable.codes
                        let found = code < codes.count ? codes[code].tripType : "OTHER"
                        if found == type { count += number }
                    }
                }
                json.value(.made(type), count)
            }
        }
    }

    private func write(_ cell: FileTally.MonthRegion, _ json: inout JSONText) {
        let undetermined = cell.truths[SyntheticTrip.Truth.undetermined.rawValue]
        let inHouse = cell.truths[SyntheticTrip.Truth.vaFleet.rawValue]
        json.value("trips", cell.trips)
        json.value("counted", cell.counted)
        json.value("in_house", inHouse)
        json.value("contracted", cell.counted - inHouse - undetermined)
        json.value("undetermined", undetermined)
        json.value("costed", cell.costed)
        json.value("cents", cell.cents)
    }

    /// The expected results after the export sent again has replaced its first sending.
    private func writeResent(
        _ tally: FileTally,
        _ first: FileTally,
        _ json: inout JSONText
    ) {
        json.object("resent") { json in
            json.value("path", "\(SyntheticMark.resentFolder)/\(tally.path)")
            json.value("replaces", tally.path)
            write("withdrawn_if_kept", first.read, &json)
            json.array("files") { json in write(tally, &json) }
            let after = tallies.map { $0.path == tally.path ? tally : $0 }
            json.object("totals_after") { json in writeTerms(after, &json) }
            json.object("after") { json in writeTrips(after, &json) }
        }
    }

    /// The expected results after adding the copy under another name: only duplicates and rejects.
    private func writeRenamed(
        _ tally: FileTally,
        _ source: FileTally,
        _ json: inout JSONText
    ) {
        json.object("renamed") { json in
            json.value("path", "\(SyntheticMark.renamedFolder)/\(tally.path)")
            json.value("copy_of", source.path)
            json.array("files") { json in write(tally, &json) }
            json.object("totals_after") { json in writeTerms(tallies + [tally], &json) }
        }
    }
}

extension FileTally.MonthRegion {
    /// Adds the counts of another cell.
    mutating func add(_ other: FileTally.MonthRegion) {
        trips += other.trips
        counted += other.counted
        costed += other.costed
        cents += other.cents
        for index in truths.indices { truths[index] += other.truths[index] }
    }
}

extension SyntheticTrip.Truth {
    /// The word of the basis in the rules of `pipelines/ambulance`.
    var word: String {
        switch self {
        case .undetermined: "undetermined"
        case .vaFleet: "va_fleet"
        case .contract: "contract"
        case .noncontractVendor: "noncontract_vendor"
        case .communityCare: "community_care"
        }
    }
}

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
