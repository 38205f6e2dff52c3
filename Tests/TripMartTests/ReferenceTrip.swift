import TestSupport
import TripDomain

@testable import TripMart

/// One trip as plain values: the reference that the tests compare the mart with.
struct ReferenceTrip {
    var id: String
    var pickup: Int64
    var utcOffset: Int64
    var station: String?
    var note: String?
    var miles: Int64?
    var cost: Int64?
    var patient: String?
    var ratio: Double?
    var seen: Bool?
    var ordered: CivilDate?
    var status: String
    var region: String
    var tripType: String
    var rule: Int
    var isCounted: Bool
    var file: Int
    var record: Int

    var month: Month { CivilTime.date(ofSeconds: pickup).month }
    var tripClass: TripClass {
        rule == 0 ? .undetermined : ReferenceGeneration.rules[rule - 1].tripClass
    }
    var basis: String { rule == 0 ? "" : ReferenceGeneration.rules[rule - 1].basis }

    /// The row of the `trip` view, in the order of its columns, as text; nil for NULL.
    func row(number: Int) -> [String?] {
        let utc = pickup + utcOffset
        let first: [String?] = [
            "\(number)", id, CivilTime.text(ofSeconds: pickup),
            CivilTime.date(ofSeconds: pickup).text, CivilTime.text(ofSeconds: utc), station, note,
            miles.map { "\($0)" }, cost.map { "\($0)" }, ratio.map { "\($0)" },
            seen.map { $0 ? "1" : "0" }, ordered?.text,
        ]
        return first + [
            status, region, tripType, month.text, tripClass.word, basis,
            rule == 0 ? nil : ReferenceGeneration.rules[rule - 1].id, isCounted ? "1" : "0",
            ReferenceGeneration.path(file), "\(record)", "\(record + 1)",
        ]
    }
}

/// A whole generation made from a seed, as plain values and in columns.
struct ReferenceGeneration {
    static let fileCount = 4
    static let columns: [(String, ColumnKind)] = [
        ("trip_id", .text), ("pickup_at", .timestamp), ("pickup_at_utc", .timestamp),
        ("station", .text), ("note", .text), ("miles_hundredths", .miles), ("cost_cents", .money),
        ("patient", .patient), ("ratio", .decimal), ("seen", .boolean), ("ordered", .date),
        ("status", .text), ("region", .text), ("trip_type", .text),
    ]
    static let rules = [
        RuleEntry(
            number: 1,
            id: "own",
            tripClass: .inHouse,
            basis: "va_fleet",
            because: "VA's own.",
            condition: "owner = 'VA'",
            validFrom: nil,
            validTo: nil
        ),
        RuleEntry(
            number: 2,
            id: "vendor",
            tripClass: .contracted,
            basis: "contract",
            because: "A vendor's.",
            condition: "owner <> 'VA'",
            validFrom: CivilDate(dayNumber: 19_000),
            validTo: nil
        ),
        RuleEntry(
            number: 3,
            id: "open",
            tripClass: .undetermined,
            basis: "unclear",
            because: "Known to be unclear.",
            condition: "owner = '?'",
            validFrom: nil,
            validTo: nil
        ),
    ]

    static func path(_ file: Int) -> String { "claims_\(file).csv" }

    /// The accepted trips, in stored order.
    var trips: [ReferenceTrip] = []
    var versions: [TripVersion] = []
    var rejects: [Reject] = []

    init(seed: UInt64, count: Int) {
        var generator = SeededDice(seed: seed)
        for index in 0..<count {
            trips.append(Self.trip(index, &generator))
        }
        trips.sort { ($0.pickup, $0.id) < ($1.pickup, $1.id) }
        for index in 0..<(count / 20) {
            versions.append(
                TripVersion(
                    tripID: generator.pick(trips).id,
                    term: generator.oneIn(2) ? .duplicate : .superseded,
                    fileIndex: Int.random(in: 0..<Self.fileCount, using: &generator),
                    recordNumber: 5000 + index,
                    lineNumber: 5001 + index,
                    amountCents: generator.oneIn(3) ? nil : 700 + Int64(index)
                )
            )
            rejects.append(
                Reject(
                    fileIndex: Int.random(in: 0..<Self.fileCount, using: &generator),
                    recordNumber: 8000 + index,
                    lineNumber: 8001 + index,
                    byteOffset: 17 * index,
                    byteSize: 40,
                    itemCount: index % 3 + 1,
                    field: generator.oneIn(2) ? "cost" : nil,
                    reason: generator.pick(RejectReason.allCases),
                    amountCents: index % 4 == 0 ? nil : 90,
                    isUnpriced: index % 4 == 0,
                    tripID: generator.oneIn(2) ? generator.pick(trips).id : nil
                )
            )
        }
        versions.sort { ($0.tripID, $0.recordNumber) < ($1.tripID, $1.recordNumber) }
    }

    private static func trip(_ index: Int, _ generator: inout SeededDice) -> ReferenceTrip {
        // Some identifiers differ in case and blanks alone: they are one patient.
        let patient = Int.random(in: 0..<40, using: &generator)
        let forms = ["V\(patient)x", " v\(patient)X ", "V\(patient)X"]
        let start: Int64 = 1_760_000_000
        return ReferenceTrip(
            id: "T-\(index * 7919 % 100_003)",
            pickup: start + Int64.random(in: 0..<(120 * 86_400), using: &generator),
            utcOffset: generator.pick([14_400, 18_000, 0]),
            station: generator.oneIn(5) ? nil : "5\(Int.random(in: 10..<30, using: &generator))",
            note: generator.oneIn(3) ? nil : generator.pick(["", "a'b", "été", "note \(index)"]),
            miles: generator.oneIn(4) ? nil : Int64.random(in: 0..<9000, using: &generator),
            cost: generator.oneIn(3) ? nil : Int64.random(in: -500..<90_000, using: &generator),
            patient: generator.oneIn(6) ? nil : generator.pick(forms),
            ratio: generator.oneIn(3) ? nil : Double(index) + 0.25,
            seen: generator.oneIn(3) ? nil : generator.oneIn(2),
            ordered: generator.oneIn(3) ? nil : CivilDate(dayNumber: 20_000 + Int32(index % 300)),
            status: generator.pick(["completed", "completed", "cancelled"]),
            region: generator.pick(["08", "10", "UNKNOWN"]),
            tripType: generator.pick(["BLS", "ALS1", "FW"]),
            rule: Int.random(in: 0...3, using: &generator),
            isCounted: !generator.oneIn(7),
            file: Int.random(in: 0..<fileCount, using: &generator),
            record: index + 1
        )
    }
}
