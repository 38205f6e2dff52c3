import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Compares records built in blocks with the same records built one by one.
@Suite struct BlockBuilderTests {
    /// Fields of every type, composed and constant ones among them.
    private static let fields = [
        ExportReaderTests.field("trip_id", .text, "id") { field in
            field.columns = ["id", "part"]
            field.joiner = "-"
            field.isRequired = true
        },
        ExportReaderTests.field("pickup_at", .timestamp, "at") { $0.isRequired = true },
        ExportReaderTests.field("station", .text, "station") { field in
            field.isUppercased = true
            // A pattern that could not be read would leave all cells unchecked, and tests failing.
            field.pattern = try? Pattern("[0-9]{3}[0-9A-Z]{0,4}")
            field.valueMap = ["NA": nil, "SEVEN": "700"]
        },
        ExportReaderTests.field("patient", .patientID, "patient") { field in
            // As for the station.
            field.pattern = try? Pattern("[0-9]{10}V[0-9]{6}")
        },
        ExportReaderTests.field("provider", .npi, "npi") { $0.isRequired = true },
        ExportReaderTests.field("modifiers", .codes, "mods") { $0.valueMap = ["NA": nil] },
        ExportReaderTests.field("cost", .money, "paid") { field in
            field.valueMap = ["NA": nil, "9": "9.99", "free": "0"]
            field.range = -10_000...5_000_000
        },
        ExportReaderTests.field("miles", .miles, "miles") { $0.range = 0...500_000 },
        ExportReaderTests.field("crew", .integer, "crew") { $0.isRequired = true },
        ExportReaderTests.field("weight", .decimal, "weight") { $0.range = 0...300 },
        ExportReaderTests.field("night", .boolean, "night"),
        ExportReaderTests.field("billed_on", .date, "billed") { field in
            // A format that could not be read would make every day a fault.
            field.formats = [try? TimeFormat("M/d/yyyy")].compactMap(\.self)
        },
        ExportReaderTests.field("status", .text, "status") { field in
            field.isValueMapClosed = true
            field.valueMap = ["C": "completed", "X": "cancelled", "": "none"]
        },
        ExportReaderTests.field("region", .text, "region"),
        ExportReaderTests.field("fee", .money, "fee") { field in
            field.columns = ["dollars", "cents"]
            field.joiner = "."
        },
        ExportReaderTests.field("early", .text, "early"),
        ExportReaderTests.field("late", .text, "late") { $0.isUppercased = true },
        ExportReaderTests.field("system", .text, "") { field in
            field.columns = []
            field.constant = "depot"
        },
    ]

    private static let columns = [
        "id", "part", "at", "station", "patient", "npi", "mods", "paid", "miles", "crew", "weight",
        "night", "billed", "status", "region", "dollars", "cents", "early", "late",
    ]

    /// Cells by column: first those that can be converted, then those that may not.
    private static let cells: [String: (good: [String], bad: [String])] = [
        "part": (["1", "22", "3-4", "5\\6"], ["", "  ", "1.5E+11"]),
        "at": (
            ["2026-05-03T10:00:00-04:00", "2026-05-03 10:00", "2026-11-01T01:30Z"],
            ["", "soon", "1850-01-01T00:00"]
        ),
        "station": (
            ["528A8", " 528a8 ", "NA", "", "seven", "402"], ["52", "528-A", "5280000000"]
        ),
        "npi": (["1234567893", " 1234567893"], ["1234567890", "", "x"]),
        "mods": (["RHQN", "rh qn", "\"TQ,NH\"", "", "NA", "-"], ["RHQ", "R H", "RH+"]),
        "paid": (
            [
                "12", "590.01", "\"$1,184.50\"", "(12.00)", "", "NA", "9", "free", "0.5", "07.10",
                " 3 ",
            ],
            ["12.345", "\"1,2\"", "99999.00", "many", ".", "1234567890.00"]
        ),
        "miles": (["12.4", "0", "", "\"1,204.25\"", "17."], ["-1", "5000.01", "4 mi"]),
        "crew": (["1", "2", "-3"], ["", "two"]),
        "weight": (["71.5", "", "1e2"], ["301", "heavy"]),
        "night": (["1", "no", "", "TRUE"], ["maybe"]),
        "billed": (["5/3/2026", "12/31/2025", ""], ["2026-05-03", "13/1/2026"]),
        "status": (["C", "X", ""], ["Q"]),
        "region": (["01", "23", "", "Québec", "\"x, y\"", "\"say \"\"so\"\"\""], ["all"]),
        "dollars": (["1", "20", "300"], ["", "x"]),
        "cents": (["00", "5", "55"], ["555"]),
    ]

    /// Records whose columns have distinct cells in every row, so that they are no longer
    /// remembered after a while.
    private static func text(
        rows: Int,
        faultPercent: Int,
        seed: UInt64,
        hasStrayLines: Bool = true,
        lineEnd: String = "\n"
    ) -> String {
        var dice = SeededDice(seed: seed)
        var text = columns.joined(separator: ",") + lineEnd
        for row in 0..<rows {
            let record = columns.map { column -> String in
                if column == "id" { return row % 7 == 0 ? "\"T\(row)\"" : "T\(row)" }
                let longName = "a name as long as names of providers are; number \(row)"
                if column == "early" { return row < 2500 ? longName : "few" }
                if column == "late" { return row < 2500 ? "few" : longName }
                if column == "patient" {
                    let isFaulty = dice.below(100) < faultPercent
                    return isFaulty ? "secret" : "\(1_000_000_000 + dice.below(99_999))V123456"
                }
                guard let known = cells[column] else { return "" }
                let isFaulty = dice.below(100) < faultPercent
                let choices = isFaulty ? known.bad : known.good
                return choices[dice.below(choices.count)]
            }
            text += record.joined(separator: ",") + lineEnd
            // Lines that are no records, so that rejects of both kinds alternate.
            if hasStrayLines, dice.below(1000) < faultPercent {
                text += "stray \" quote" + lineEnd
            }
        }
        // The last cell may be the last of the file.
        return String(text.dropLast(lineEnd.count))
    }

    /// All results of a file, with codes replaced by their texts.
    private struct Outcome: Equatable {
        var rows: [[String]] = []
        var openTimes: [[String]] = []
        let rejects: [Reject]
        let rejectTexts: [[UInt8]]
        let read: LedgerAmount
        let counts: ScanCounts
        let origins: [IDOrigins]
    }

    private static func outcome(
        _ text: String,
        dialect: CSVDialect = CSVDialect(),
        fields: [FieldDefinition] = Self.fields,
        slicing: Slicing = Slicing(threads: 1),
        buildsOneByOne: Bool
    ) throws -> Outcome {
        var request = ExportRequest(
            path: "",
            name: "test.csv",
            fileIndex: 3,
            dialect: dialect,
            layouts: [
                LayoutDefinition(name: "one", fields: fields, ignoredColumns: columns)
            ],
            // One stored column more than the layout fills.
            shapeColumns: fields.flatMap(\.shapeColumns)
                + [ShapeColumn(name: "unused", kind: .decimal, isDerived: false)],
            costName: "cost",
            refusesUnknownColumns: true,
            limits: ExpansionLimits(),
            slicing: slicing
        )
        request.buildsOneByOne = buildsOneByOne
        let bytes: [UInt8] =
            dialect.encoding == .utf8
            ? Array(text.utf8) : text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        var parts: [ExportPart<UnzonedBatch>] = []
        var rejectTexts: [[UInt8]] = []
        let summary = try ExportReader.read(
            try ByteSource(bytes: bytes, name: "test.csv"),
            request,
            make: { $0 },
            keepTexts: { rejectTexts += $0 },
            deliver: { parts.append($0) }
        )
        var outcome = Outcome(
            rejects: summary.rejects,
            rejectTexts: rejectTexts,
            read: summary.read,
            counts: summary.counts,
            origins: [summary.tripOrigins, summary.rejectOrigins]
        )
        for part in parts {
            let batch = part.content.batch
            for row in 0..<batch.count {
                outcome.rows.append(
                    ["\(Int(batch.recordNumbers[row]) + part.firstRecordNumber)"]
                        + ["\(Int(batch.lineNumbers[row]) + part.firstLineNumber)"]
                        + batch.columns.map { value($0, row) }
                )
            }
            outcome.openTimes += part.content.openTimes.sorted { $0.key < $1.key }.map { times in
                ["\(times.key)"] + times.value.map { "\($0.row) \($0.isInstant)" }
            }
        }
        return outcome
    }

    private static func value(_ column: Column, _ row: Int) -> String {
        switch column {
        case .text(let texts): texts.pool.string(texts.codes[row]) ?? "NULL"
        case .integer(let integers): integers.value(row).map { "\($0)" } ?? "NULL"
        case .real(let reals): reals.isNull(row) ? "NULL" : "\(reals.values[row])"
        }
    }

    @Test(arguments: [0, 1, 10, 60], [UInt64(1), 2, 3])
    func blocksGiveTheSameResultAsSingleRecords(faultPercent: Int, seed: UInt64) throws {
        // Several blocks and slices, and enough rows for columns to stop remembering.
        let text = Self.text(rows: 6000, faultPercent: faultPercent, seed: seed)
        let slow = try Self.outcome(text, buildsOneByOne: true)
        let fast = try Self.outcome(text, buildsOneByOne: false)
        // Not compared within the expectation, which would compute every difference.
        let areSame = slow == fast
        #expect(areSame, "\(Self.difference(slow, fast))")
        #expect(slow.rows.count + slow.rejects.count >= 6000)
        let reject = slow.rejects.first.map { "\($0)" } ?? ""
        #expect((faultPercent == 0) == slow.rejects.isEmpty, "\(reject)")
        // With the same cuts, both must also agree in the numbers within a slice.
        let slicing = Slicing(threads: 3, sliceSize: 1 << 16, windowSize: 1 << 18)
        let slowInParallel = try Self.outcome(text, slicing: slicing, buildsOneByOne: true)
        let fastInParallel = try Self.outcome(text, slicing: slicing, buildsOneByOne: false)
        let areSameInParallel = slowInParallel == fastInParallel
        #expect(areSameInParallel)
        let areSameAlone = fastInParallel.rows == fast.rows && fastInParallel.read == fast.read
        #expect(areSameAlone)
    }

    /// Fields with any of their settings, most of them odd.
    @Test(arguments: UInt64(0)..<24)
    func fieldsOfAnySettings(seed: UInt64) throws {
        var dice = SeededDice(seed: 100 + seed)
        let maps: [[String: String?]] = [
            [:], ["": "none"], ["NA": nil], [" 1": "2"], ["1": "x", "": "1"], ["C": "", "12": "7"],
        ]
        let fields = Self.fields.map { known in
            var field = known
            if dice.below(3) == 0 { field.isRequired.toggle() }
            if dice.below(4) == 0 { field.isTrimmed = false }
            if dice.below(3) == 0 { field.isUppercased.toggle() }
            if dice.below(4) == 0 { field.isValueMapClosed.toggle() }
            if dice.below(2) == 0 { field.valueMap = maps[dice.below(maps.count)] }
            if dice.below(4) == 0 { field.range = dice.below(2) == 0 ? 0...1 : -5...5_000 }
            Self.cut(&field, &dice)
            if field.name != "trip_id", field.name != "pickup_at", dice.below(8) == 0 {
                field.columns = []
                field.constant = ["", " 1 ", "2026-05-03", "12.5", "all"][dice.below(5)]
            }
            return field
        }
        let text = Self.text(
            rows: 1200,
            faultPercent: 3,
            seed: seed,
            lineEnd: seed % 2 == 0 ? "\n" : "\r\n"
        )
        let slow = try Self.outcome(text, fields: fields, buildsOneByOne: true)
        let fast = try Self.outcome(text, fields: fields, buildsOneByOne: false)
        let areSame = slow == fast
        #expect(areSame, "\(Self.difference(slow, fast))")
    }

    /// Gives a field some of the settings that say which part of which cell is read.
    private static func cut(_ field: inout FieldDefinition, _ dice: inout SeededDice) {
        field.isRounded = dice.below(3) == 0
        field.readsDaysAlone = dice.below(2) == 0
        if field.columns.count > 1 {
            field.allowsBlankParts = field.name == "trip_id" && dice.below(2) == 0
        } else if field.columns.count == 1, dice.below(4) == 0 {
            field.columns.append(columns[dice.below(columns.count)])
            field.isFirstReadable = true
        }
        guard field.columns.count == 1 || field.isFirstReadable, dice.below(3) == 0 else { return }
        if dice.below(2) == 0 {
            field.cut.part = CellCut.Part(mark: ["-", " ", "T"][dice.below(3)], number: -1)
        }
        // A pattern that could not be read would take all of the cell.
        if dice.below(2) == 0 { field.cut.pattern = try? Pattern("([0-9]+)[^0-9]*") }
        field.cut.dropsZeros = dice.below(2) == 0
        field.cut.paddedSize = dice.below(2) * 4
        field.cut.isLowercased = dice.below(3) == 0
    }

    /// Every count of records around the size of a block.
    @Test(arguments: [0, 1, 2, 1023, 1024, 1025, 2047, 2048, 2049])
    func blocksOfEverySize(rows: Int) throws {
        // A line that is no record would empty the block before it is full.
        let text = Self.text(rows: rows, faultPercent: 5, seed: 9, hasStrayLines: false)
        let slow = try Self.outcome(text, buildsOneByOne: true)
        let fast = try Self.outcome(text, buildsOneByOne: false)
        let areSame = slow == fast
        #expect(areSame, "\(Self.difference(slow, fast))")
    }

    @Test func recordsThatMustBeDecoded() throws {
        var dialect = CSVDialect()
        dialect.encoding = .latin1
        let text = Self.text(rows: 1500, faultPercent: 5, seed: 11)
        let slow = try Self.outcome(text, dialect: dialect, buildsOneByOne: true)
        let fast = try Self.outcome(text, dialect: dialect, buildsOneByOne: false)
        let areSame = slow == fast
        #expect(areSame, "\(Self.difference(slow, fast))")
        #expect(fast.rows.contains { $0.contains("Québec") })
    }

    private static func difference(_ slow: Outcome, _ fast: Outcome) -> String {
        for (left, right) in zip(slow.rows, fast.rows) where left != right {
            return "\(left)\n\(right)"
        }
        for (left, right) in zip(slow.rejects, fast.rejects) where left != right {
            return "\(left)\n\(right)"
        }
        return "\(slow.rows.count) and \(fast.rows.count) trips, \(slow.rejects.count) and "
            + "\(fast.rejects.count) rejects, read \(slow.read) and \(fast.read)"
    }
}
