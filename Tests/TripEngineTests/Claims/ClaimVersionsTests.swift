import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Versions of one claim that a field orders.
@Suite struct ClaimVersionsTests {
    /// The texts of the field that orders versions stand in the column of replaced claims.
    private func join(_ lines: [TestLine], byField: Bool) throws -> [Int: LineFate] {
        var definition = JoinedClaimsTests.definition()
        definition.replaced = []
        // A batch for the lines of each file.
        var starts: [Int] = []
        for index in lines.indices where index == 0 || lines[index].file != lines[index - 1].file {
            starts.append(index)
        }
        let ends = starts.dropFirst() + [lines.count]
        let joined = JoinedClaims(
            DeliveredLines(
                definition: definition,
                batches: zip(starts, ends).map { start, end in
                    JoinedClaimsTests.batch(
                        lines[start..<end],
                        file: lines[start].file,
                        first: start
                    )
                },
                deliveryOfFile: Dictionary(
                    uniqueKeysWithValues: Set(lines.map(\.file)).map { ($0, $0) }
                ),
                orderColumn: byField ? 6 : nil
            ),
            shape: try #require(JoinedClaimsTests.shape),
            threadCount: 1
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
                fates[Int(batch.recordNumbers[row])] = .trip(
                    cents: batch.columns[9].integers.value(row),
                    miles: batch.columns[10].integers.value(row)
                )
            }
        }
        return fates
    }

    /// Lines in any order with such a field become what they would become as deliveries, one for
    /// each of its texts, in the order of the texts.
    @Test(arguments: seeds(1...100))
    func textsOfAFieldAreAsDeliveriesInTheirOrder(seed: Int) throws {
        var random = SeededDice(seed: UInt64(seed))
        func of<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        let texts: [String?] = [nil, "a", "b", "c", "d"]
        let lines = (0..<Int.random(in: 1...30, using: &random)).map { _ in
            var line = TestLine()
            line.claim = of(["C1", "C1", "C1", "C2"])
            line.number = of(["1", "2", nil])
            line.code = of(["B1", "B1", "B2", "M1", "M1", "X1"])
            line.modifier = of(["RH", "HR", nil])
            line.frequency = of(["1", "1", "1", nil, "8"])
            line.replaced = of(texts)
            line.cents = of([100, 50, 0, nil])
            line.miles = of([10, 125, nil])
            line.id = "\(line.claim ?? "")-\(line.number ?? "")"
            return line
        }
        let order = lines.indices.sorted { left, right in
            (lines[left].replaced ?? "", left) < (lines[right].replaced ?? "", right)
        }
        let delivered = order.map { index in
            var line = lines[index]
            line.file = texts.firstIndex(of: line.replaced) ?? 0
            return line
        }
        let expected = try join(delivered, byField: false)
        let found = try join(lines, byField: true)
        for (place, index) in order.enumerated() {
            var fate = expected[place]
            if case .merged(let base) = fate { fate = .merged(into: order[base]) }
            #expect(found[index] == fate, "line \(index) of \(lines)")
        }
    }

    private func line(_ number: Int, code: String, order: Int) -> TestLine {
        var line = TestLine()
        (line.claim, line.code, line.modifier) = ("C1", code, "RH")
        (line.cents, line.miles, line.id) = (100, 10, "C1-\(number)")
        line.replaced = String(1_000_000 + order)
        return line
    }

    /// A search through all versions for each line would take minutes.
    @Test(.timeLimit(.minutes(1))) func aClaimOfManyVersionsTakesNotLong() throws {
        let lines = (0..<20_000).map { line($0, code: "B1", order: 20_000 - $0) }
        let fates = try join(lines, byField: true)
        #expect(fates[0] == .trip(cents: 100, miles: nil))
        #expect(fates.values.count { $0 == .term(.superseded) } == 19_999)
    }

    /// Each version without a base line is compared with all lines in force.
    @Test(.timeLimit(.minutes(1))) func manyVersionsWithoutABaseLineTakeNotLong() throws {
        var lines = (0..<5000).map { line($0, code: "B1", order: 0) }
        lines += (0..<5000).map { line($0, code: "M1", order: 1 + $0) }
        let fates = try join(lines, byField: true)
        #expect(fates.values.count { $0 == .fault(.orphanLine) } == 5000)
        #expect(fates[4999] == .trip(cents: 100, miles: nil))
    }
}
