import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// The cells of declared measures and dimensions against loops over all trips.
@Suite struct DeclaredSumsTests {
    private static let kinds: [DeclaredMeasure.Kind] = [.median, .sum, .count, .mean]

    private static func shape() throws -> TripShape {
        var shape = try #require(TripResolutionTests.shape)
        shape.declared.measures = kinds.map { kind in
            DeclaredColumn(
                DeclaredMeasure(
                    name: "the_\(kind)",
                    kind: kind,
                    column: "cost_cents",
                    amount: .cents,
                    label: ""
                ),
                index: 3
            )
        }
        // The trip's own id has as many values as there are trips.
        shape.declared.dimensions = [("where", 5), ("ids", 0)].map { name, index in
            DeclaredColumn(DeclaredDimension(name: name, column: name, label: ""), index: index)
        }
        return shape
    }

    private static func group(_ trip: CubeTests.Trip) -> DeclaredGroup {
        let rule = trip.rule == 0 ? nil : CubeTests.rules[Int(trip.rule) - 1]
        return DeclaredGroup(
            month: Month(year: 2026, month: trip.month).text,
            tripType: trip.type,
            region: trip.region,
            tripClass: rule?.tripClass ?? .undetermined,
            basis: rule?.basis ?? ""
        )
    }

    /// What a batch of trips must add up to, by the plainest code.
    private static func expected(_ trips: [CubeTests.Trip]) -> DeclaredCells {
        var cells = DeclaredCells()
        let counted = trips.filter(\.counted)
        let groups = Dictionary(grouping: counted, by: group)
        for (group, own) in groups {
            let known = own.compactMap(\.cost)
            for kind in kinds {
                let values = kind == .count ? own.map { $0.cost ?? 0 == 0 ? 0 : 1 } : known
                guard !values.isEmpty else { continue }
                cells.measures.append(
                    MeasureCell(
                        measure: "the_\(kind)",
                        group: group,
                        sums: MeasureSums(
                            knownTrips: Int64(values.count),
                            sum: values.reduce(0, +)
                        )
                    )
                )
            }
            for value in Set(known) {
                let trips = Int64(known.count { $0 == value })
                cells.values.append(
                    MeasureValueCell(
                        measure: "the_median",
                        group: group,
                        count: ValueCount(value: value, trips: trips)
                    )
                )
            }
        }
        for (index, trip) in trips.enumerated() where trip.counted {
            var sums = CostSums()
            sums.add(cost: trip.cost)
            cells.dimensions.append(
                DimensionCell(
                    dimension: "ids",
                    value: "T-\(index)",
                    group: group(trip),
                    sums: sums
                )
            )
        }
        for (group, own) in groups {
            var sums = CostSums()
            for trip in own { sums.add(cost: trip.cost) }
            cells.dimensions.append(
                DimensionCell(dimension: "where", value: group.region, group: group, sums: sums)
            )
        }
        return cells
    }

    /// In the order of their primary keys, as the tables have them.
    private static func expectEqual(_ found: DeclaredCells, _ expected: DeclaredCells) {
        func key(_ group: DeclaredGroup) -> [String] {
            [group.month, group.tripType, group.region, group.tripClass.word, group.basis]
        }
        #expect(
            found.measures
                == expected.measures.sorted {
                    ([$0.measure] + key($0.group)).lexicographicallyPrecedes(
                        [$1.measure] + key($1.group)
                    )
                }
        )
        #expect(
            found.values
                == expected.values.sorted {
                    (key($0.group) == key($1.group))
                        ? $0.count.value < $1.count.value
                        : key($0.group).lexicographicallyPrecedes(key($1.group))
                }
        )
        #expect(
            found.dimensions
                == expected.dimensions.sorted {
                    ([$0.dimension, $0.value] + key($0.group)).lexicographicallyPrecedes(
                        [$1.dimension, $1.value] + key($1.group)
                    )
                }
        )
    }

    @Test(arguments: [UInt64(1), 2, 3], [1, 2, 7])
    func keptTripsGiveTheCells(seed: UInt64, threadCount: Int) throws {
        let trips = CubeTests.trips(seed: seed, count: 300)
        let batches = [CubeTests.batch(trips)]
        let cube = try Cube(
            batches: batches,
            accepted: AcceptedTrips(of: batches),
            shape: try Self.shape(),
            rules: CubeTests.rules,
            threadCount: threadCount
        )
        Self.expectEqual(cube.declared, Self.expected(trips))
        #expect(!cube.declared.values.isEmpty && cube.declared.dimensions.count > 200)
    }

    /// Small cuts number groups and words in many ways; the order of adding does not matter.
    @Test(arguments: [1, 3, 16, 300])
    func anyCutAndOrderGivesTheCells(size: Int) throws {
        var shape = try Self.shape()
        // Each part numbers its ids anew.
        shape.declared.dimensions.removeLast()
        let trips = CubeTests.trips(seed: 9, count: 300)
        var expected = Self.expected(trips)
        expected.dimensions.removeAll { $0.dimension == "ids" }
        var parts = stride(from: 0, to: trips.count, by: size).map {
            Array(trips[$0..<min($0 + size, trips.count)])
        }
        for _ in 0..<2 {
            var sum = TripTotals(rules: CubeTests.rules)
            for part in parts {
                sum.add(
                    TripTotals(CubeTests.unpacked(part), shape: shape, rules: CubeTests.rules)
                )
            }
            Self.expectEqual(try Cube(sum).declared, expected)
            parts.reverse()
        }
    }

    @Test func withoutDeclarationsThereAreNoCells() throws {
        let batches = [CubeTests.batch(CubeTests.trips(seed: 1, count: 50))]
        let cube = try Cube(
            batches: batches,
            accepted: AcceptedTrips(of: batches),
            shape: try #require(TripResolutionTests.shape),
            rules: CubeTests.rules,
            threadCount: 2
        )
        #expect(cube.declared == DeclaredCells())
    }

    /// A column of ids is no dimension: what has more groups than are published is named.
    @Test(arguments: [(40, nil), (39, "ids")] as [(Int, String?)])
    func moreGroupsThanArePublishedAreNoticed(most: Int, name: String?) throws {
        let trips = CubeTests.trips(seed: 1, count: 40)
        let batch = CubeTests.unpacked(trips)
        let columns = try Self.shape().declared
        var whole = DeclaredSums(columns)
        whole.groupMax = most
        var merged = whole
        for rows in [0..<20, 20..<40] {
            var part = DeclaredSums(columns)
            part.groupMax = most
            let (wholeValues, values) = (whole.values(of: batch), part.values(of: batch))
            for row in rows {
                whole.add(row, of: wholeValues, to: 0, cost: trips[row].cost)
                part.add(row, of: values, to: 0, cost: trips[row].cost)
            }
            merged.merge(part) { $0 }
        }
        #expect(whole.overgrown == name && merged.overgrown == name)
    }

    @Test func theFailureNamesWhatIsDeclared() {
        let error = SumOverflow(groupsOf: "ids", most: DeclaredSums.usualGroupMax)
        #expect(error.finding.contains("`ids` of `kpis` has more than 200,000 groups"))
    }

    /// Amounts of both signs are added up without them, so that no partial sum leaves 64 bits.
    @Test func valuesThatCannotBeAddedUpAreRefused() throws {
        let trips = [Int64.max / 1_500, -Int64.max / 1_500].map { cost in
            CubeTests.Trip(
                month: 1,
                type: "BLS",
                region: "01",
                rule: 1,
                counted: true,
                cost: cost
            )
        }
        let failure = #expect(throws: SumOverflow.self) { try Self.cube(trips) }
        #expect(failure?.finding.contains("the measure `the_median` of `kpis`") == true)
    }

    /// No two rows of an answer may be called `all`.
    @Test func theWordOfTotalsIsNoValue() throws {
        func trip(_ word: String) -> CubeTests.Trip {
            CubeTests.Trip(
                month: 1,
                type: word,
                region: word,
                rule: 1,
                counted: true,
                cost: 1
            )
        }
        #expect(try Self.cube([trip("alle")]).declared.dimensions.contains { $0.value == "alle" })
        let failure = #expect(throws: SumOverflow.self) {
            try Self.cube([trip("alle"), trip("all")])
        }
        #expect(failure?.finding.contains("`where` of `kpis` has the value `all`") == true)
    }

    private static func cube(_ trips: [CubeTests.Trip]) throws -> Cube {
        let batches = [CubeTests.batch(trips)]
        return try Cube(
            batches: batches,
            accepted: AcceptedTrips(of: batches),
            shape: try shape(),
            rules: CubeTests.rules,
            threadCount: 1
        )
    }
}
