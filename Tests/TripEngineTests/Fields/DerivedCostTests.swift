import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Amounts that are derived, of trips and of records that are set aside.
@Suite struct DerivedCostTests {
    private static let fields = [
        ExportReaderTests.field("trip_id", .text, "id") { $0.isRequired = true },
        ExportReaderTests.field("pickup_at", .timestamp, "at") { $0.isRequired = true },
        ExportReaderTests.field("base", .money, "base") { $0.range = 0...10_000 },
        ExportReaderTests.field("extra", .money, "extra"),
        ExportReaderTests.field("crew", .integer, "crew") { $0.range = 0...9 },
    ]

    private static let splitFields =
        [
            ExportReaderTests.field("trip_id", .text, "id") { field in
                field.columns = ["id", "units"]
                field.joiner = "-"
                field.isRequired = true
            },
            ExportReaderTests.field("unit", .text, "units") { $0.separator = ";" },
        ] + fields.dropFirst()

    /// What a record costs: its base, else nothing is known, and its extra; but not its crew.
    private static func cost(_ base: Int64?, _ extra: Int64?) -> Int64? {
        base.map { $0 + (extra ?? 0) }
    }

    private static func derived(_ shape: [ShapeColumn]) throws -> DerivedCost {
        let base = try #require(shape.firstIndex { $0.name == "base_cents" })
        let extra = try #require(shape.firstIndex { $0.name == "extra_cents" })
        return DerivedCost(columns: [base, extra]) { unzoned in
            let columns = unzoned.batch.columns
            let costs = (0..<unzoned.batch.count).map {
                cost(columns[base].integers.value($0), columns[extra].integers.value($0))
            }
            return IntegerColumn(values: costs.map { $0 ?? 0 }, nulls: costs.map { $0 == nil })
        }
    }

    private static func summary(
        _ text: String,
        _ fields: [FieldDefinition] = fields,
        sliceSize: Int = 1 << 20,
        buildsOneByOne: Bool = false
    ) throws -> ExportSummary {
        let shape = fields.flatMap(\.shapeColumns)
        var request = ExportRequest(
            path: "",
            name: "test.csv",
            fileIndex: 0,
            dialect: CSVDialect(),
            layouts: [LayoutDefinition(name: "one", fields: fields, ignoredColumns: [])],
            shapeColumns: shape,
            costName: "total",
            refusesUnknownColumns: true,
            limits: ExpansionLimits(),
            slicing: Slicing(threads: 2, sliceSize: sliceSize, windowSize: 4 * sliceSize)
        )
        request.derivedCost = try derived(shape)
        request.buildsOneByOne = buildsOneByOne
        return try ExportReader.read(
            try ByteSource(bytes: Array(text.utf8), name: "test.csv"),
            request,
            make: { _ in },
            deliver: { _ in }
        )
    }

    /// A money cell, the plainest way: its cents, nil where it is blank; false where it is none.
    private static func plain(_ cell: String) -> (cents: Int64?, isRead: Bool) {
        guard !cell.isEmpty else { return (nil, true) }
        guard let dollars = Int64(cell) else { return (nil, false) }
        return (dollars * 100, true)
    }

    /// What a file reads by the rules, record by record.
    private static func expected(_ rows: [[String]]) -> (LedgerAmount, rejected: [String]) {
        var read = LedgerAmount()
        var rejected: [String] = []
        for row in rows {
            guard row.count == 5 else {
                read += LedgerAmount(items: 1, cents: 0, unpriced: 1)
                rejected.append("nil true")
                continue
            }
            let (base, extra) = (plain(row[2]), plain(row[3]))
            let isKnown = base.isRead && extra.isRead
            let amount = isKnown ? cost(base.cents, extra.cents) : nil
            read += LedgerAmount(items: 1, cents: amount ?? 0, unpriced: isKnown ? 0 : 1)
            let crew = row[4].isEmpty ? 0 : Int(row[4])
            let isValid =
                !row[0].isEmpty && row[1] == "2026-05-03T10:00" && isKnown
                && (base.cents ?? 0) <= 10_000 && (base.cents ?? 0) >= 0
                && crew.map { (0...9).contains($0) } == true
            if !isValid { rejected.append("\(amount.map { "\($0)" } ?? "nil") \(!isKnown)") }
        }
        return (read, rejected)
    }

    @Test(arguments: UInt64(1)...4)
    func everyRecordIsAccountedForWithWhatItWouldCost(seed: UInt64) throws {
        var dice = SeededDice(seed: seed)
        let rows = (0..<3000).map { number -> [String] in
            if dice.oneIn(40) { return ["short", "line"] }
            return [
                dice.oneIn(30) ? "" : "T\(number)",
                dice.oneIn(30) ? dice.pick(["never", "", "2026-13-01"]) : "2026-05-03T10:00",
                dice.pick(["1", "50", "100", "101", "-2", "", "", "free"]),
                dice.pick(["1", "50", "-7", "", "9999", "12x", "3", "4"]),
                dice.pick(["1", "", "9", "10", "two", "3", "4"]),
            ]
        }
        let text =
            "id,at,base,extra,crew\n" + rows.map { $0.joined(separator: ",") + "\n" }.joined()
        let (read, rejected) = Self.expected(rows)
        for buildsOneByOne in [false, true] {
            for sliceSize in [1 << 20, 1 << 12] {
                let found = try Self.summary(
                    text,
                    sliceSize: sliceSize,
                    buildsOneByOne: buildsOneByOne
                )
                #expect(found.read == read)
                let amounts = found.rejects.map { reject in
                    "\(reject.amountCents.map { "\($0)" } ?? "nil") \(reject.isUnpriced)"
                }
                #expect(amounts == rejected)
            }
        }
    }

    /// Units share amounts; what is set aside costs the sum of what its units would have cost.
    @Test func unitsThatAreSetAsideCostTheirShares() throws {
        let found = try Self.summary(
            """
            id,units,at,base,extra,crew
            A,m;n;o,2026-05-03T10:00,10,1,1
            B,m;n;n,never,10,,1
            C,m;n,2026-05-03T10:00,101,3,1
            D,,2026-05-03T10:00,7,1,1
            E,m;n,2026-05-03T10:00,free,1,1
            F,m;n,2026-05-03T10:00,,1,12

            """,
            Self.splitFields
        )
        let rejects = found.rejects.map {
            "\($0.itemCount) \($0.amountCents.map { "\($0)" } ?? "nil") \($0.isUnpriced)"
        }
        let expected = [
            "3 1000 false", "2 10400 false", "1 800 false", "2 nil true", "2 nil false",
        ]
        #expect(rejects == expected)
        let cents: Int64 = 1100 + 1000 + 10_400 + 800
        #expect(found.read == LedgerAmount(items: 13, cents: cents, unpriced: 2))
    }

    /// An amount of ten digits before the point is none; of a trip it stops the run elsewhere.
    @Test func anAmountOfTooManyDigitsIsNotAddedUp() throws {
        let rows = [
            "A,2026-05-03T10:00,1,999999999,1", "B,never,1,999999999,1", "C,never,0,999999999,1",
        ]
        let found = try Self.summary("id,at,base,extra,crew\n" + rows.joined(separator: "\n"))
        #expect(found.read == LedgerAmount(items: 3, cents: 99_999_999_900, unpriced: 1))
        #expect(found.rejects.map(\.amountCents) == [nil, 99_999_999_900])
    }
}
