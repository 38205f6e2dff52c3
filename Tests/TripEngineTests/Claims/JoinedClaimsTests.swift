import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Joins lines of claims and compares with a plain search, for any cut and any number of threads.
@Suite struct JoinedClaimsTests {
    static let shape = TripShape(
        columns: [
            ShapeColumn(name: "trip_id", kind: .text, isDerived: false),
            ShapeColumn(name: "claim", kind: .text, isDerived: false),
            ShapeColumn(name: "line", kind: .text, isDerived: false),
            ShapeColumn(name: "hcpcs", kind: .text, isDerived: false),
            ShapeColumn(name: "trip_modifier", kind: .text, isDerived: false),
            ShapeColumn(name: "frequency", kind: .text, isDerived: false),
            ShapeColumn(name: "replaced", kind: .text, isDerived: false),
            ShapeColumn(name: "pickup_at", kind: .timestamp, isDerived: false),
            ShapeColumn(name: "pickup_at_utc", kind: .timestamp, isDerived: false),
            ShapeColumn(name: "paid_cents", kind: .money, isDerived: false),
            ShapeColumn(name: "miles_hundredths", kind: .miles, isDerived: false),
            ShapeColumn(name: "region", kind: .text, isDerived: true),
            ShapeColumn(name: "trip_type", kind: .text, isDerived: true),
        ],
        costName: "paid_cents"
    )

    static func definition() -> ClaimLineDefinition {
        var definition = ClaimLineDefinition(
            claim: ["claim"],
            kind: "hcpcs",
            kinds: TestLine.kinds,
            shared: ["trip_modifier"],
            sums: [
                ClaimLineDefinition.Sum(field: "paid", kinds: [.base, .mileage, .ancillary]),
                ClaimLineDefinition.Sum(field: "miles", kinds: [.mileage]),
            ]
        )
        definition.line = "line"
        definition.frequency = ClaimLineDefinition.Frequency(
            field: "frequency",
            values: TestLine.billings
        )
        definition.replaced = ["replaced"]
        return definition
    }

    static func batch(_ lines: ArraySlice<TestLine>, file: Int, first: Int) -> PackedBatch {
        func texts(_ value: (TestLine) -> String?) -> Column {
            var pool = TextPool()
            return .text(
                TextColumn(codes: lines.map { value($0).map { pool.append($0) } ?? 0 }, pool: pool)
            )
        }
        func integers(_ value: (TestLine) -> Int64?) -> Column {
            .integer(
                IntegerColumn(
                    values: lines.map { value($0) ?? 0 },
                    nulls: lines.map { value($0) == nil }
                )
            )
        }
        var columns = [texts(\.id), texts(\.claim), texts(\.number), texts(\.code)]
        columns += [texts(\.modifier), texts(\.frequency), texts(\.replaced)]
        columns += [integers { _ in 0 }, integers { _ in 0 }, integers(\.cents), integers(\.miles)]
        columns += [texts { _ in "08" }, texts { _ in "BLS" }]
        return PackedBatch(
            TripBatch(
                fileIndex: file,
                columns: columns,
                recordNumbers: lines.indices.map { UInt32(first + $0 - lines.startIndex) },
                lineNumbers: lines.indices.map { UInt32($0 + 1) }
            )
        )
    }

    /// The fate of each line by the fast join, for batches of some size.
    private func fates(
        _ lines: [TestLine],
        batchSize: Int,
        threads: Int
    ) throws -> [Int: LineFate] {
        var batches: [PackedBatch] = []
        // The index of each batch's first line.
        var starts: [Int] = []
        var start = 0
        while start < lines.count {
            var end = start
            while end < min(lines.count, start + batchSize), lines[end].file == lines[start].file {
                end += 1
            }
            starts.append(start)
            batches.append(Self.batch(lines[start..<end], file: lines[start].file, first: start))
            start = end
        }
        let files = Set(lines.map(\.file))
        let joined = JoinedClaims(
            DeliveredLines(
                definition: Self.definition(),
                batches: batches,
                deliveryOfFile: Dictionary(uniqueKeysWithValues: files.map { ($0, $0) }),
                orderColumn: nil
            ),
            shape: try #require(Self.shape),
            threadCount: threads
        )
        func index(_ position: TripPosition) -> Int {
            starts[Int(position.batch)] + Int(position.row)
        }
        var fates: [Int: LineFate] = [:]
        for line in joined.merged { fates[index(line.line)] = .merged(into: index(line.trip)) }
        for line in joined.setAside { fates[index(line.line)] = .term(line.term) }
        for line in joined.faults { fates[index(line.line)] = .fault(line.reason) }
        for batch in joined.trips {
            for row in 0..<batch.count {
                let cents = batch.columns[9].integers.value(row)
                let miles = batch.columns[10].integers.value(row)
                fates[Int(batch.recordNumbers[row])] = .trip(cents: cents, miles: miles)
            }
        }
        let count =
            joined.merged.count + joined.setAside.count + joined.faults.count
            + joined.trips.reduce(0) { $0 + $1.count }
        #expect(count == lines.count, "each line has one fate")
        let plain = PlainJoin(lines)
        #expect(joined.unmatched.map(index) == plain.unmatched.sorted())
        let named = joined.faults.filter { $0.reason == .orphanLine && $0.field != nil }
        #expect(named.allSatisfy { $0.field == "trip_modifier" })
        #expect(named.map { index($0.line) } == plain.orphansByModifier.sorted())
        return fates
    }

    private func agree(_ lines: [TestLine]) throws {
        let expected = PlainJoin(lines).fates
        for (size, threads) in [(1, 1), (3, 2), (1000, 1), (1000, 7)] {
            let found = try fates(lines, batchSize: size, threads: threads)
            for index in lines.indices where found[index] != expected[index] {
                Issue.record(
                    """
                    line \(index) \(lines[index]): found \(String(describing: found[index])), \
                    expected \(String(describing: expected[index])) of \(lines)
                    """
                )
                return
            }
        }
    }

    @Test(arguments: seeds(1...200))
    func anyLinesAgreeWithAPlainSearch(seed: Int) throws {
        var random = SeededDice(seed: UInt64(seed))
        func of<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        var lines: [TestLine] = []
        for file in 0..<4 {
            for _ in 0..<Int.random(in: 0...14, using: &random) {
                // Some lines are those of an earlier file, as they were or with another number.
                if let known = lines.randomElement(using: &random), of([true, false]) {
                    var line = known
                    line.file = file
                    if of([true, false, false]) { line.cents = of([100, -100, 50, -50, nil]) }
                    lines.append(line)
                    continue
                }
                var line = TestLine()
                line.claim = of(["C1", "C1", "C2", "C2", "C3", "C4", nil])
                line.number = of(["1", "2", "3", "4", nil])
                line.code = of(["B1", "B1", "B2", "M1", "M1", "M1", "X1", "Z9", nil])
                line.modifier = of(["RH", "HR", "RH", nil])
                line.frequency = of(["1", "1", "1", "1", nil, "7", "8", "5"])
                line.replaced = of([nil, "C1", "C2", "C9"])
                line.cents = of([100, 100, 50, 250, -100, -50, 0, nil])
                line.miles = of([10, 10, 125, -10, nil])
                line.file = file
                line.id = "\(line.claim ?? "")-\(line.number ?? "")"
                lines.append(line)
            }
        }
        try agree(lines)
    }

    private func line(
        _ code: String,
        _ modifier: String?,
        _ cents: Int64,
        miles: Int64 = 100,
        claim: String = "C1",
        file: Int = 0
    ) -> TestLine {
        var line = TestLine()
        (line.claim, line.code, line.modifier, line.cents) = (claim, code, modifier, cents)
        (line.miles, line.file) = (miles, file)
        return line
    }

    @Test func aRoundTripOnOneClaimIsTwoTripsEachWithItsMiles() throws {
        let found = try fates(
            [
                line("B1", "RH", 100), line("B1", "HR", 110), line("M1", "HR", 35, miles: 700),
                line("M1", "RH", 30, miles: 600),
            ],
            batchSize: 2,
            threads: 1
        )
        #expect(found[0] == .trip(cents: 130, miles: 600))
        #expect(found[1] == .trip(cents: 145, miles: 700))
    }

    @Test func whereNothingElseTellsTripsApartTheNthMileageLineIsOfTheNthBaseLine() throws {
        let found = try fates(
            [
                line("B1", "RH", 100), line("B1", "RH", 110), line("M1", "RH", 3),
                line("M1", "RH", 4), line("M1", "RH", 5),
            ],
            batchSize: 9,
            threads: 1
        )
        #expect(found[2] == .merged(into: 0) && found[3] == .merged(into: 1))
        #expect(found[4] == .merged(into: 1))
    }

    @Test func linesOfOneClaimInTwoDeliveriesAreTwoVersions() throws {
        let found = try fates(
            [line("B1", "RH", 100), line("M1", "RH", 30, file: 1)],
            batchSize: 9,
            threads: 1
        )
        #expect(found[0] == .trip(cents: 100, miles: nil))
        #expect(found[1] == .fault(.orphanLine))
    }

    @Test func aSumBeyondNineDigitsIsOutOfRange() throws {
        let most: Int64 = 99_999_999_999
        let found = try fates(
            [line("B1", "RH", most), line("M1", "RH", 1), line("X1", "RH", 0)],
            batchSize: 9,
            threads: 1
        )
        #expect(found[0] == .trip(cents: most, miles: nil))
        #expect(found[1] == .fault(.outOfRange) && found[2] == .merged(into: 0))
    }

    @Test func ofClaimsThatReplaceEachOtherInACircleTheLastStays() throws {
        var first = line("B1", "RH", 100)
        (first.frequency, first.replaced) = ("7", "C2")
        var second = line("B1", "RH", 200, claim: "C2", file: 1)
        (second.frequency, second.replaced) = ("7", "C1")
        let found = try fates([first, second], batchSize: 9, threads: 1)
        #expect(found[0] == .term(.superseded) && found[1] == .trip(cents: 200, miles: nil))
    }

    @Test func aReplacementOrVoidIsMatchedByItsNumberOrByTheClaimThatItNames() throws {
        func unmatched(_ frequency: String, _ claim: String, naming name: String?) -> Set<Int> {
            var later = line("B1", "RH", 100, claim: claim, file: 1)
            (later.frequency, later.replaced) = (frequency, name)
            return PlainJoin([line("B1", "RH", 100), later]).unmatched
        }
        for frequency in ["7", "8"] {
            #expect(unmatched(frequency, "C1", naming: nil) == [])
            #expect(unmatched(frequency, "C2", naming: "C1") == [])
            #expect(unmatched(frequency, "C2", naming: nil) == [1])
            #expect(unmatched(frequency, "C2", naming: "C9") == [1])
            #expect(unmatched(frequency, "C2", naming: "C2") == [1])
        }
        #expect(unmatched("1", "C2", naming: "C9") == [])
    }

    @Test func aClaimThatCameAgainWithoutATripIsNoted() throws {
        var lines = [line("B1", "RH", 100), line("B1", "HR", 100, file: 1)]
        (lines[0].id, lines[1].id) = ("C1-1", "C1-3")
        let joined = JoinedClaims(
            DeliveredLines(
                definition: Self.definition(),
                batches: lines.map { Self.batch([$0], file: $0.file, first: 0) },
                deliveryOfFile: [0: 0, 1: 1],
                orderColumn: nil
            ),
            shape: try #require(Self.shape),
            threadCount: 1
        )
        #expect(joined.lost.map(\.earlier) == [TripPosition(batch: 0, row: 0)])
        #expect(joined.replacedFiles == [SharedIDs.FilePair(earlier: 0, later: 1)])
    }
}
