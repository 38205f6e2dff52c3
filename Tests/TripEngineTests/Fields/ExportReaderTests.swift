import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Whole files through header, records and fields, in memory.
@Suite struct ExportReaderTests {
    // The name of the profile is always a format.
    static let iso = try? TimeFormat("iso8601")

    static func field(
        _ name: String,
        _ type: FieldType,
        _ column: String,
        _ adjust: (inout FieldDefinition) -> Void = { _ in }
    ) -> FieldDefinition {
        var field = FieldDefinition(name: name, type: type, columns: [column])
        if type == .timestamp { field.formats = [iso].compactMap(\.self) }
        adjust(&field)
        return field
    }

    static let fields = [
        field("trip_id", .text, "id") { $0.isRequired = true },
        field("pickup_at", .timestamp, "at") { $0.isRequired = true },
        field("station", .text, "station") {
            $0.isUppercased = true
            // A pattern that could not be read would fail every test of it.
            $0.pattern = try? Pattern("[0-9]{3}[0-9A-Z]{0,4}")
            $0.valueMap = ["NA": nil]
        },
        field("cost", .money, "paid"),
        field("miles", .miles, "miles") { $0.range = 0...500_000 },
    ]

    static func read(
        _ text: String,
        fields: [FieldDefinition] = Self.fields,
        slicing: Slicing? = nil,
        ignored: [String] = [],
        refusesUnknown: Bool = true,
        rejectLimits: RejectLimits = RejectLimits(),
        bytes: [UInt8]? = nil
    ) throws -> Reading {
        var request = Self.request(
            fields: fields,
            slicing: slicing,
            ignored: ignored,
            refusesUnknown: refusesUnknown
        )
        request.rejectLimits = rejectLimits
        var batches: [TripBatch] = []
        var rejectTexts: [[UInt8]] = []
        let summary = try ExportReader.read(
            try ByteSource(bytes: bytes ?? Array(text.utf8), name: "test.csv"),
            request,
            make: { $0.batch },
            keepTexts: { rejectTexts += $0 },
            deliver: { part in
                var batch = part.content
                batch.recordNumbers = batch.recordNumbers.map {
                    $0 + UInt32(part.firstRecordNumber)
                }
                batch.lineNumbers = batch.lineNumbers.map { $0 + UInt32(part.firstLineNumber) }
                batches.append(batch)
            }
        )
        return Reading(batches: batches, rejectTexts: rejectTexts, summary: summary)
    }

    /// The request for a file of one layout.
    static func request(
        fields: [FieldDefinition] = Self.fields,
        slicing: Slicing? = nil,
        ignored: [String] = [],
        refusesUnknown: Bool = true
    ) -> ExportRequest {
        ExportRequest(
            path: "",
            name: "test.csv",
            fileIndex: 0,
            dialect: CSVDialect(),
            layouts: [LayoutDefinition(name: "one", fields: fields, ignoredColumns: ignored)],
            shapeColumns: fields.flatMap(\.shapeColumns),
            costName: "cost",
            refusesUnknownColumns: refusesUnknown,
            limits: ExpansionLimits(),
            slicing: slicing ?? Slicing(threads: 1)
        )
    }

    /// A file read, its batches numbered from the file's beginning.
    @dynamicMemberLookup struct Reading {
        let batches: [TripBatch]
        /// The raw record of each reject.
        let rejectTexts: [[UInt8]]
        let summary: ExportSummary

        var tripCount: Int { batches.reduce(0) { $0 + $1.count } }

        subscript<Value>(dynamicMember path: KeyPath<ExportSummary, Value>) -> Value {
            summary[keyPath: path]
        }
    }

    static let header = "id,at,station,paid,miles\n"

    @Test func fieldsBecomeTypedColumns() throws {
        let reading = try Self.read(
            Self.header + "T-1,2026-05-03T10:00:00-04:00, 528a8 ,\"$1,184.50\",12.4\n"
                + "T-2,2026-05-03 10:00,NA,,\n"
        )
        #expect(reading.rejects.isEmpty)
        let batch = reading.batches[0]
        #expect(batch.columns[2].integers.values[0] - batch.columns[1].integers.values[0] == 14_400)
        #expect(batch.columns[3].texts.pool.string(batch.columns[3].texts.codes[0]) == "528A8")
        #expect(batch.columns[3].texts.codes[1] == 0)
        #expect(batch.columns[4].integers.value(0) == 118_450)
        #expect(batch.columns[4].integers.value(1) == nil)
        #expect(batch.columns[5].integers.value(0) == 1240)
        #expect(batch.recordNumbers == [1, 2])
        #expect(batch.lineNumbers == [2, 3])
    }

    @Test(arguments: [
        ("T-1,2026-05-03T10:00,5,1,1", "station", RejectReason.wrongPattern),
        (",2026-05-03T10:00,528,1,1", "trip_id", .missingValue),
        ("T-1,,528,1,1", "pickup_at", .missingValue),
        ("T-1,yesterday,528,1,1", "pickup_at", .wrongType),
        ("T-1,2026-05-03T10:00,528,1.005,1", "cost", .wrongType),
        ("T-1,2026-05-03T10:00,528,1,5000.01", "miles", .outOfRange),
        ("T-1,9999-12-31T23:59,528,1,1", "pickup_at", .outOfRange),
        ("T-1,0000-01-01T00:00Z,528,1,1", "pickup_at", .outOfRange),
    ])
    func aBadFieldRejectsItsRecordWithItsReason(
        record: String,
        field: String,
        reason: RejectReason
    ) throws {
        let good = "T-0,2026-05-03T10:00,528,1,1\n"
        let reading = try Self.read(Self.header + good + record + "\n" + good)
        #expect(reading.tripCount == 2)
        let reject = try #require(reading.rejects.first)
        #expect(reject.field == field)
        #expect(reject.reason == reason)
        #expect(reject.recordNumber == 2)
        #expect(reject.lineNumber == 3)
        #expect(reject.byteOffset == (Self.header + good).utf8.count)
        #expect(String(decoding: reading.rejectTexts[0], as: UTF8.self) == record)
    }

    @Test func theLedgerCountsEveryItemAndEveryReadableAmountRead() throws {
        let reading = try Self.read(
            Self.header + "T-1,2026-05-03T10:00,528,1.00,1\nT-2,bad,528,2.00,1\n"
                + "T-3,2026-05-03T10:00,528,x,1\nragged,line\nT-5,2026-05-03T10:00,528,,1\n"
        )
        #expect(reading.read == LedgerAmount(items: 5, cents: 300, unpriced: 2))
        #expect(reading.tripCount == 2)
        #expect(reading.rejects.map(\.amountCents) == [200, nil, nil])
        #expect(reading.rejects.map(\.isUnpriced) == [false, true, true])
    }

    @Test func aRecordWithSeveralUnitsIsSeveralTrips() throws {
        let fields = [
            Self.field("trip_id", .text, "id") { field in
                field.isRequired = true
                field.columns = ["id", "units"]
                field.joiner = "-"
            },
            Self.field("pickup_at", .timestamp, "at"), Self.field("cost", .money, "paid"),
            Self.field("unit", .text, "units") { $0.separator = ";" },
        ]
        let reading = try Self.read(
            "id,at,paid,units\nR1,2026-05-03T10:00,10.00,A;B ; C\nR2,2026-05-03T10:00,5,\n",
            fields: fields
        )
        let batch = reading.batches[0]
        let ids = batch.columns[0].texts
        #expect(ids.codes.map { ids.pool.string($0) } == ["R1-A", "R1-B", "R1-C"])
        // Equal shares, the odd cent to the first: the sum is what was paid.
        #expect(batch.columns[3].integers.values == [334, 333, 333])
        #expect(batch.recordNumbers == [1, 1, 1])
        // Without a unit the id is incomplete, and the trip could be mistaken for another one.
        #expect(reading.rejects.map(\.reason) == [.missingValue])
        #expect(reading.read == LedgerAmount(items: 4, cents: 1500))
    }

    @Test func theReservedWordRejectsItsRecord() throws {
        let fields = Self.fields + [Self.field("region", .text, "region")]
        let reading = try Self.read(
            "id,at,station,paid,miles,region\nT-1,2026-05-03T10:00,528,1,1,all\n"
                + "T-2,2026-05-03T10:00,528,1,1,ALL\n",
            fields: fields
        )
        #expect(reading.rejects.map(\.reason) == [.reservedWord])
        #expect(reading.tripCount == 1)
    }

    @Test func columnsMayComeInAnyOrder() throws {
        let reading = try Self.read(
            "miles,paid,station,at,id\n1,2,528,2026-05-03T10:00,T-1\n"
        )
        #expect(reading.tripCount == 1)
    }

    @Test(arguments: [
        ("id,at,station,paid\n", "missing 'miles'"),
        ("id,at,station,paid,miles,extra\n", "column 6 is unknown"),
        ("id,at,station,paid,miles,id\n", "columns 1 and 6 have one name, 'id'"),
    ])
    func aHeaderThatDiffersRefusesTheFile(header: String, words: String) {
        let mismatch = #expect(throws: LayoutMismatch.self) { try Self.read(header + "x\n") }
        #expect(mismatch?.text.contains(words) == true)
    }

    @Test func aFileWithoutHeaderIsRefusedWithoutRepeatingItsData() {
        let mismatch = #expect(throws: LayoutMismatch.self) {
            try Self.read("T-1,2026-05-03T10:00,528,1234567890V123456,1\n")
        }
        #expect(mismatch?.text.contains("1234567890V123456") == false)
    }

    @Test(arguments: [1, 2, 3, 7, 64, 4096], [1, 2, 3, 8])
    func neitherCutsNorThreadsChangeATrip(sliceSize: Int, threads: Int) throws {
        var dice = SeededDice(seed: 12)
        var text = Self.header
        for index in 0..<120 {
            let station = dice.pick(["528", "\"5\n28\"", "\"528A8\"", "é", "NA", ""])
            text += "T-\(index),2026-05-\(10 + dice.below(20))T10:00:00-04:00,\(station),"
            text += dice.pick(["1.50", "\"1,000.00\"", "x", ""]) + ",\(dice.below(9))"
            text += dice.pick(["\n", "\r\n", "\n\n"])
        }
        let whole = try Self.read(text)
        let cut = try Self.read(
            text,
            slicing: Slicing(threads: threads, sliceSize: sliceSize)
        )
        #expect(Self.rows(cut) == Self.rows(whole))
        #expect(cut.rejects == whole.rejects)
        #expect(cut.rejectTexts == whole.rejectTexts)
        #expect(cut.read == whole.read)
        #expect(cut.digest == whole.digest)
    }

    @Test func theRecordsOfRejectsAreHandedOnSliceBySlice() throws {
        let lines = (0..<200).map { "T-\($0),no day,528,\(String(repeating: "x", count: 40)),1\n" }
        var sizes: [Int] = []
        let summary = try ExportReader.read(
            try ByteSource(bytes: Array((Self.header + lines.joined()).utf8), name: "test.csv"),
            Self.request(slicing: Slicing(threads: 1, sliceSize: 512)),
            make: { $0.batch },
            keepTexts: { sizes.append($0.reduce(0) { $0 + $1.count }) },
            deliver: { _ in }
        )
        // Without their line ends, each once, and never more than a slice at a time.
        #expect(sizes.reduce(0, +) == lines.reduce(0) { $0 + $1.utf8.count - 1 })
        #expect(sizes.allSatisfy { $0 <= 1024 })
        #expect(summary.rejects.count == lines.count)
    }

    @Test func whatCannotBeKeptEndsTheReading() {
        struct Full: Error {}
        #expect(throws: Full.self) {
            try ExportReader.read(
                try ByteSource(bytes: Array((Self.header + "x\n").utf8), name: "test.csv"),
                Self.request(),
                make: { $0.batch },
                keepTexts: { _ in throw Full() },
                deliver: { _ in }
            )
        }
    }

    /// Every trip as text, so that codes and batches do not matter.
    static func rows(_ reading: Reading) -> [String] {
        reading.batches.flatMap { batch in
            (0..<batch.count).map { row in
                let cells = batch.columns.map { column in
                    switch column {
                    case .text(let texts): texts.pool.string(texts.codes[row]) ?? "NULL"
                    case .integer(let integers): integers.value(row).map(String.init) ?? "NULL"
                    case .real(let reals): reals.isNull(row) ? "NULL" : "\(reals.values[row])"
                    }
                }
                return "\(batch.recordNumbers[row]) \(batch.lineNumbers[row]) "
                    + cells.joined(separator: "|")
            }
        }
    }
}
