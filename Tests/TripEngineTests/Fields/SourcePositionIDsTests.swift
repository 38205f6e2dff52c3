import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Trip ids that are source positions.
@Suite struct SourcePositionIDsTests {
    private static let fields = [
        ExportReaderTests.field("trip_id", .text, "id") { field in
            field.columns = []
            field.constant = ""
            field.isSourcePosition = true
        },
        ExportReaderTests.field("pickup_at", .timestamp, "at") { $0.isRequired = true },
        ExportReaderTests.field("cost", .money, "paid"),
    ]
    private static let unitFields =
        fields + [ExportReaderTests.field("unit", .text, "units") { $0.separator = ";" }]

    /// What a run reads of a file: the ids of its trips, of its rejects and of repeated units.
    private struct Reading: Equatable {
        var trips: [String] = []
        var rejects: [String?] = []
        var repetitions: [String] = []
    }

    private static func read(
        _ text: String,
        _ fields: [FieldDefinition],
        slicing: Slicing,
        oneByOne: Bool = false
    ) throws -> Reading {
        var request = ExportReaderTests.request(
            fields: fields,
            slicing: slicing,
            refusesUnknown: false
        )
        request.identity = "a:b/calls"
        request.buildsOneByOne = oneByOne
        var reading = Reading()
        let summary = try ExportReader.read(
            try ByteSource(bytes: Array(text.utf8), name: "test.csv"),
            request,
            make: { PackedBatch($0.batch) },
            deliver: { part in
                let raised = part.content.raised(
                    records: part.firstRecordNumber,
                    lines: part.firstLineNumber
                )
                let ids = part.positionIDs?.identified(raised, tripIDs: 0) ?? raised
                reading.trips += (0..<ids.count).map { ids.columns[0].texts.string(row: $0) ?? "" }
            }
        )
        reading.rejects = summary.rejects.map(\.tripID)
        reading.repetitions = summary.repetitions.map(\.tripID)
        return reading
    }

    @Test(arguments: 0..<20)
    func theIDIsThePathAndTheRecordForEveryCut(seed: Int) throws {
        var dice = SeededDice(seed: UInt64(seed))
        let lines = (0..<60).map { _ in
            switch dice.below(6) {
            case 0: "never,1,"
            case 1: "short"
            case 2: ""
            default: "2026-05-03T10:00,1,"
            }
        }
        // The slow twin counts the lines that are not empty.
        var wanted = Reading()
        for (index, line) in lines.filter({ !$0.isEmpty }).enumerated() {
            let id = "a\\:b/calls:\(index + 1)"
            if line.hasPrefix("2026") { wanted.trips.append(id) } else { wanted.rejects.append(id) }
        }
        let text = "at,paid,note\n" + lines.map { $0 + "\n" }.joined()
        for slicing in Self.cuts {
            for oneByOne in [false, true] {
                let reading = try Self.read(
                    text,
                    Self.fields,
                    slicing: slicing,
                    oneByOne: oneByOne
                )
                #expect(reading == wanted)
            }
        }
    }

    @Test func aUnitIsAddedAndIsNeededWhereRecordsListUnits() throws {
        let text =
            "at,paid,units\n2026-05-03T10:00,1,M1;V2;M1\n2026-05-03T10:00,1,\n"
            + "never,1,M1\nnever,1,M1;V2\n2026-05-03T10:00,1,M:1\n"
        for slicing in Self.cuts {
            let reading = try Self.read(text, Self.unitFields, slicing: slicing)
            #expect(
                reading.trips
                    == ["a\\:b/calls:1:M1", "a\\:b/calls:1:V2", "a\\:b/calls:5:M\\:1"]
            )
            // Of a record of several units no one trip is rejected.
            #expect(reading.rejects == [nil, "a\\:b/calls:3:M1", nil])
            #expect(reading.repetitions == ["a\\:b/calls:1:M1"])
        }
    }

    @Test func differentPositionsGiveDifferentIDs() {
        let texts = ["a", "a:", "a:1", "a\\", "a\\:", ":", "1", "a:1:2", "\\:1"]
        var ids: Set<[UInt8]> = []
        var count = 0
        for path in texts {
            for record in [1, 2, 11, 12] {
                for unit in texts + [""] {
                    let maker = SourcePositionIDs(path: path, hasUnits: !unit.isEmpty)
                    ids.insert(maker.id(record: record, unit: unit.utf8))
                    count += 1
                }
            }
        }
        #expect(ids.count == count)
    }

    @Test(arguments: [("SYN-calls", true), ("calls", false), ("a/SYN-calls", false)])
    func generatedDataAreKnownByTheBeginningOfThePath(path: String, isGenerated: Bool) {
        #expect(SourcePositionIDs(path: path, hasUnits: false).areGenerated == isGenerated)
    }

    private static let cuts = [
        Slicing(threads: 1), Slicing(threads: 3, sliceSize: 32),
        Slicing(threads: 1, sliceSize: 5, windowSize: 64),
    ]
}
