import Foundation
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// The missing values of undetermined trips, and whether they classify them.
@Suite struct UndeterminedTripsTests {
    private static func asked(
        _ served: ServedMart,
        _ query: KPIQuery = KPIQuery(),
        threads: Int = 2,
        leaves: Int = 256
    ) throws -> UndeterminedTrips {
        try UndeterminedTrips(
            served,
            query,
            threadCount: threads,
            leavesOfBatch: leaves,
            progress: Progress()
        )
    }

    private static func text(_ worklist: Worklist) -> [String] {
        worklist.all.map { gaps, group in
            let settlements = group.settlements
                .map { "\($0.source) \($0.ruleNumber) \($1)" }.sorted()
            return "\(gaps) \(group.sums) \(group.unsettled) \(settlements)"
        }
    }

    @Test(arguments: [(1, 1), (3, 2), (2, 5)])
    func threadsAndCutsChangeNothing(threads: Int, leaves: Int) throws {
        let folder = try ChangeFolder(seed: 8, trips: 3000)
        defer { withExtendedLifetime(folder) {} }
        let served = try folder.served
        let expected = try Self.text(Self.asked(served).worklist)
        #expect(expected.count > 2)
        let other = try Self.asked(served, threads: threads, leaves: leaves).worklist
        #expect(Self.text(other) == expected)
    }

    /// Trips decided by an override form a group of their own, which no rule and no value
    /// classifies.
    @Test func noValueClassifiesOverriddenTrips() throws {
        let folder = try ChangeFolder(seed: 8)
        defer { withExtendedLifetime(folder) {} }
        try SampleEdit.overrides.make(folder)
        try folder.night.run { $0.appliesChanges = true }
        let served = try folder.served
        let worklist = try Self.asked(served).worklist
        let rule = try #require(served.rules().first { $0.id == "override-undetermined" })
        let byHand = try served.trips(TripFilter(), limit: 100_000).trips.filter {
            $0.ruleID == rule.id && $0.isCounted
        }
        #expect(!byHand.isEmpty)
        let group = worklist.all.first { $0.gaps.map(\.kind) == [.byHand] }?.group
        #expect(group?.sums.costs.trips == Int64(byHand.count))
        #expect(group?.unsettled.costs.trips == Int64(byHand.count))
        #expect(group?.settlements.isEmpty ?? false)
    }

    /// The groups contain all undetermined trips of the query.
    @Test func filtersSelectTheTripsOfTheCube() throws {
        let folder = try ChangeFolder(seed: 8, trips: 3000)
        defer { withExtendedLifetime(folder) {} }
        let served = try folder.served
        let rows = try served.kpi(KPIQuery(by: [.month, .tripType, .region])).rows
        let found = try #require(rows.first { $0.sums.undeterminedTrips > 0 })
        let month = try #require(Month(text: found.keys[0]))
        for query in [
            KPIQuery(months: month...month), KPIQuery(tripTypes: [found.keys[1]]),
            KPIQuery(regions: [found.keys[2], "UNKNOWN"]),
            KPIQuery(
                months: month...month,
                tripTypes: [found.keys[1]],
                regions: [found.keys[2]]
            ),
        ] {
            let asked = try Self.asked(served, query)
            let sums = try served.kpi(query).total.sums
            #expect(asked.worklist.sums.costs.trips == sums.undeterminedTrips)
            #expect(asked.worklist.sums.costs.costCents == sums.undeterminedCostCents)
            #expect(asked.worklist.sums.costs.trips > 0)
        }
    }

    /// Adding the missing rows classifies as many trips, by the rule that was named.
    @Test(arguments: ["VA", "VENDOR"])
    func addedRowsClassifyTheirTrips(owner: String) throws {
        let folder = try ChangeFolder(seed: 8, trips: 3000)
        let served = try folder.served
        let asked = try Self.asked(served)
        var expected: [Int: Int64] = [:]
        for (gaps, group) in asked.worklist.all
        where gaps.contains(where: { $0.kind != .blank && $0.file == "providers.csv" }) {
            for (settlement, sums) in group.settlements where settlement.source == "provider" {
                let conditions = asked.ruleSet.conditions(
                    of: settlement.ruleNumber,
                    reading: "provider"
                )
                // A row with this owner and nothing else.
                guard conditions.allSatisfy({ $0.contains("'\(owner)'") }) else { continue }
                expected[settlement.ruleNumber, default: 0] += sums.costs.trips
            }
        }
        #expect(!expected.isEmpty)
        let npis = try SQLiteDump.query(
            served.file.path,
            """
            SELECT DISTINCT provider_npi FROM trip
            WHERE class = 'undetermined' AND provider_npi NOT IN
                (SELECT npi FROM reference_provider)
            """
        )
        let header = try #require(
            try folder.text("reference/providers.csv").split(separator: "\n").first
        ).split(separator: ",")
        try folder.rewrite("providers.csv") { lines in
            lines += npis.map { npi in
                header.map { $0 == "npi" ? npi : $0 == "owner" ? owner : "" }
                    .joined(separator: ",")
            }
        }
        var settled: [Int: Int64] = [:]
        for move in try folder.decisions().changes.all
        where move.transition.wasCounted && move.transition.oldRule == 0
            && move.transition.newRule > 0
        {
            settled[move.transition.newRule] = move.sums.trips
        }
        #expect(settled == expected)
    }

    /// Trip by trip: the values called blank are blank, and all other conditions of the rule hold
    /// already.
    @Test func everyTripMatchesItsExplanation() throws {
        let folder = try ChangeFolder(seed: 8, trips: 3000)
        let served = try folder.served
        let classifier = try folder.compiled().classifier
        let reader = WorklistReader(classifier)
        let ids = try SQLiteDump.query(
            served.file.path,
            "SELECT trip_id FROM trip WHERE class = 'undetermined' AND counted"
        )
        #expect(ids.count > 10)
        for id in ids {
            let batch = try #require(try served.trip(id: id)).batch
            let explanation = classifier.explain(batch)
            let found = reader.read(batch, numbers: [1]).all
            try #require(found.count == 1)
            let names = explanation.rules.flatMap(\.conjuncts).flatMap(\.names)
            let blank = Set(
                names.filter { $0.value == .null && !$0.name.contains(".") }.map(\.name)
            )
            let told = found[0].gaps.filter { $0.kind == .blank }.flatMap(\.fields)
            let known = Set(names.filter { $0.value != .null }.map(\.name))
            #expect(known.isDisjoint(with: told))
            #expect(!blank.isDisjoint(with: told))
            for settlement in found[0].group.settlements.keys {
                let rule = explanation.rules[settlement.ruleNumber - 1]
                let others = rule.conjuncts.filter { conjunct in
                    !conjunct.names.contains {
                        $0.name == settlement.source
                            || $0.name.hasPrefix(settlement.source + ".")
                    }
                }
                let areTrue = others.allSatisfy { $0.truth == .yes }
                #expect(areTrue && !rule.holds, "\(id) \(settlement)")
            }
        }
    }

    /// A row that does not hold on the trip's day is reported separately from a missing one.
    @Test func aRowOfAnotherDayIsReportedSeparately() throws {
        let folder = try ChangeFolder(seed: 8, trips: 700)
        func gaps() throws -> [Worklist.Gap.Kind: Int64] {
            var trips: [Worklist.Gap.Kind: Int64] = [:]
            for (gaps, group) in try Self.asked(folder.served).worklist.all {
                for gap in gaps where gap.file == "vehicles.csv" || gap.fields == ["vehicle"] {
                    trips[gap.kind, default: 0] += group.sums.costs.trips
                }
            }
            return trips
        }
        let before = try gaps()
        #expect(before[.notThatDay] == nil)
        try folder.rewrite("vehicles.csv") { lines in
            lines = lines.map { line in
                var cells = line.split(separator: ",", omittingEmptySubsequences: false)
                    .map(String.init)
                if cells[1].isEmpty, cells[2].isEmpty { cells[2] = "2020-01-01" }
                return cells.joined(separator: ",")
            }
        }
        try folder.night.run { $0.appliesChanges = true }
        let after = try gaps()
        #expect(after[.notThatDay] ?? 0 > 0)
        let sum = try folder.served.kpi(KPIQuery()).total.sums.undeterminedTrips
        #expect(after.values.reduce(0, +) == sum)
    }
}
