import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripPipeline
@testable import TripReports
@testable import TripRules
@testable import TripRuns

/// The laboratory's numbers, compared with the same trips classified by rules that are really
/// changed.
@Suite struct LaboratoryTests {
    private static func laboratory(
        _ folder: ChangeFolder,
        threads: Int = 2,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch
    ) throws -> Laboratory {
        try Laboratory(
            folder.compiled(),
            folder.night.options { $0.threadCount = threads },
            progress: Progress(),
            leavesOfBatch: leavesOfBatch
        )
    }

    /// Classifies all trips by other rules.
    private static func decide(
        _ folder: ChangeFolder,
        _ change: (inout [RuleText]) -> Void
    ) throws -> (changes: DecisionChanges, rules: [RuleEntry]) {
        let compiled = try folder.compiled()
        var pipeline = compiled.pipeline
        change(&pipeline.rules)
        let classifier = try #require(
            try TripClassifier.of(
                pipeline,
                lookups: compiled.lookups,
                overrides: nil,
                FaultList()
            )
        )
        return (try folder.decisions(by: classifier).changes, classifier.rules)
    }

    private static func sums(
        _ changes: DecisionChanges,
        _ isMeant: (DecisionChanges.Transition) -> Bool
    ) -> [Int64] {
        changes.all.filter { $0.transition.isCounted && isMeant($0.transition) }.reduce(into: [
            0, 0, 0,
        ]) {
            $0[0] += $1.sums.trips
            $0[1] += $1.sums.costedTrips
            $0[2] += $1.sums.costCents
        }
    }

    private static func numbers(_ sums: RuleCoverage.Sums?) -> [Int64] {
        [sums?.costs.trips ?? 0, sums?.costs.costedTrips ?? 0, sums?.costs.costCents ?? 0]
    }

    @Test func aRulesWorthIsTheChangeWithoutIt() throws {
        let folder = try ChangeFolder(seed: 21, hasFaults: true)
        let coverage = try Self.laboratory(folder).coverage
        let rules = try folder.served.rules()
        func classAndBasis(_ number: Int, _ rules: [RuleEntry]) -> [String] {
            number == 0
                ? [TripClass.undetermined.word, ""]
                : [rules[number - 1].tripClass.word, rules[number - 1].basis]
        }
        for number in 1...rules.count {
            let without = try Self.decide(folder) { $0.remove(at: number - 1) }
            let expected = Self.sums(without.changes) { transition in
                classAndBasis(transition.oldRule, rules)[0]
                    != classAndBasis(transition.newRule, without.rules)[0]
            }
            #expect(Self.numbers(coverage.changed(without: number)) == expected)
            let alone = try Self.decide(folder) { $0 = [$0[number - 1]] }
            let held = Self.sums(alone.changes) { $0.newRule == 1 }
            #expect(Self.numbers(coverage.holding(number)) == held)
            guard number < rules.count else { continue }
            let swapped = try Self.decide(folder) { $0.swapAt(number - 1, number) }
            let moved = Self.sums(swapped.changes) { transition in
                classAndBasis(transition.oldRule, rules)
                    != classAndBasis(transition.newRule, swapped.rules)
            }
            let pair = coverage.orderedNeighbours.first { $0.deciding == number }
            #expect(Self.numbers(pair?.sums) == moved)
        }
        let all = try Self.decide(folder) { _ in }
        for number in 0...rules.count {
            #expect(
                Self.numbers(coverage.decided(by: number))
                    == Self.sums(all.changes) { $0.newRule == number }
            )
        }
    }

    /// Keys without a row, compared with a query of SQLite.
    @Test func keysWithoutARowAreCounted() throws {
        let folder = try ChangeFolder(seed: 22, hasFaults: true)
        let laboratory = try Self.laboratory(folder)
        let path = try folder.served.file.path
        for (lookup, keys) in zip(try folder.compiled().lookups, laboratory.orphans) {
            let names = lookup.definition.keys.map(\.field)
            let table = "reference_" + lookup.definition.name
            let equal = lookup.definition.keys
                .map { "r.\"\($0.column)\" = t.\"\($0.field)\"" }.joined(separator: " AND ")
            let known = "EXISTS (SELECT 1 FROM \(table) AS r WHERE \(equal))"
            let that =
                lookup.definition.validOn.map { day in
                    "EXISTS (SELECT 1 FROM \(table) AS r WHERE \(equal) AND "
                        + "t.\(day) >= coalesce(r.\"\(lookup.definition.fromColumn)\", '') AND "
                        + "t.\(day) <= coalesce(r.\"\(lookup.definition.toColumn)\", '9999'))"
                } ?? known
            let rows = try SQLiteDump.query(
                path,
                """
                SELECT \(names.joined(separator: " || '/' || ")), sum(NOT \(known)),
                    sum(\(known) AND NOT \(that)) FROM trip AS t
                WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
                    AND NOT \(that) GROUP BY 1
                """
            )
            let found = keys.entries.map {
                "\($0.key.joined(separator: "/"))|\($0.unknown)|\($0.notThatDay)"
            }
            #expect(found.sorted() == rows.sorted())
            let trips = keys.entries.map(\.trips)
            #expect(trips == trips.sorted(by: >))
        }
        #expect(laboratory.orphans.contains { !$0.entries.isEmpty })
    }

    /// The result does not depend on threads or batches.
    @Test(arguments: [(1, 1), (3, 1), (3, 7)])
    func threadsAndBatchesDoNotChangeTheAnswer(threads: Int, leavesOfBatch: Int) throws {
        let folder = try ChangeFolder(seed: 23)
        func text(_ laboratory: Laboratory) -> [String] {
            let screen = LaboratoryScreen(laboratory)
            var set = RowSet((0..<10).map(String.init))
            screen.add(to: &set)
            return screen.lines(on: .usual) + [set.json]
        }
        let usual = text(try Self.laboratory(folder))
        let other = try Self.laboratory(folder, threads: threads, leavesOfBatch: leavesOfBatch)
        #expect(text(other) == usual)
    }

    /// The rules of the folder are tested, not the published ones.
    @Test func unpublishedEditsAreExamined() throws {
        let folder = try ChangeFolder(seed: 24)
        try SampleEdit.addedRule.make(folder)
        let rules = try folder.compiled().classifier.rules
        let number = try #require(rules.firstIndex { $0.id == "far" }) + 1
        let coverage = try Self.laboratory(folder).coverage
        #expect(coverage.holding(number).costs.trips > 0)
        #expect(try folder.served.rules().count + 1 == rules.count)
    }

    /// Trips decided by overrides are counted for the overrides' rules only.
    @Test func overridesAreCountedByTheirOwnRules() throws {
        let folder = try ChangeFolder(seed: 26)
        try SampleEdit.overrides.make(folder)
        try folder.night.run { $0.appliesChanges = true }
        let coverage = try Self.laboratory(folder).coverage
        let rules = try folder.served.rules()
        #expect(rules.count { $0.id.hasPrefix("override-") } == 3)
        for row in try folder.served.kpi(KPIQuery(by: [.tripClass, .basis])).rows {
            let numbers = rules.filter {
                $0.tripClass.word == row.keys[0] && $0.basis == row.keys[1]
            }.map(\.number)
            // Trips that no rule decides are undetermined, without a basis.
            let isNone = row.keys == [TripClass.undetermined.word, ""]
            let decided = (numbers + (isNone ? [0] : [])).map {
                coverage.decided(by: $0).costs.trips
            }
            #expect(decided.reduce(0, +) == row.sums.trips, "\(row.keys)")
        }
        let byHand = rules.filter { $0.id.hasPrefix("override-") }
        #expect(byHand.contains { coverage.changed(without: $0.number).costs.trips > 0 })
    }

    @Test func editsThatNeedTheExportsAreRefusedByTheLaboratory() throws {
        let folder = try ChangeFolder(seed: 24)
        try folder.replace(
            "pipeline/pipeline.yaml",
            "time_zone: America/New_York",
            "time_zone: UTC"
        )
        #expect(throws: RunError.self) { try Self.laboratory(folder) }
    }

    /// A key may be any value of an export: it is shown only on request, and a trip id never.
    @Test func keysAreShownOnRequestOnly() throws {
        let folder = try ChangeFolder(seed: 25, hasFaults: true)
        try folder.night.write("reference/marked.csv", "trip_id,word\nSYN-0,x\n")
        try folder.replace(
            "pipeline/pipeline.yaml",
            "lookups:\n",
            "lookups:\n  marked: {file: marked.csv, match: {trip_id: trip_id}}\n"
        )
        try folder.night.run { $0.appliesChanges = true }
        let plain = try Self.laboratory(folder)
        let unit = try #require(plain.orphans.flatMap(\.entries).first { $0.trips > 1 }?.key.first)
        let ids = try folder.served.trips(TripFilter(), limit: 100_000).trips.map(\.tripID)
        for showsKeys in [false, true] {
            let laboratory = try Laboratory(
                folder.compiled(),
                folder.options,
                showsKeys: showsKeys,
                progress: Progress()
            )
            let screen = LaboratoryScreen(laboratory)
            var set = RowSet((0..<10).map(String.init))
            screen.add(to: &set)
            let text = screen.lines(on: .usual).joined(separator: "\n") + set.csv
            #expect(text.contains(unit) == showsKeys)
            #expect(!ids.contains { text.contains($0) })
        }
    }

    /// The reason why rules cannot be tested on trips is one of the findings, and hides none of the
    /// others.
    @Test func aRefusalHidesNoFinding() throws {
        let folder = try ChangeFolder(seed: 24, trips: 60)
        func findings(_ adjust: (inout RunOptions) -> Void = { _ in }) throws -> CheckFindings {
            try PipelineCheck(
                options: folder.night.options(adjust),
                examinesTrips: true,
                progress: Progress()
            ).findings()
        }
        let usual = try findings()
        #expect(usual.refusal == nil)
        let nowhere = try findings { $0.martPath += "-nowhere" }
        #expect(nowhere.refusal?.status == .missingFile)
        try folder.replace(
            "pipeline/pipeline.yaml",
            "time_zone: America/New_York",
            "time_zone: UTC"
        )
        try SampleEdit.addedRule.make(folder)
        let refused = try findings()
        #expect(refused.refusal?.status == .badPipeline)
        let text = FindingsScreen(refused).text(.table, on: .usual)
        #expect(text.contains("the rule `far` has no example"))
        try folder.replace(
            "pipeline/rules.yaml",
            "- {pickup_date: 2026-05-03, fleet.owner: VA}",
            "- {}"
        )
        let failing = try findings()
        #expect(failing.hasFaults && failing.refusal?.status == .faultsFound)
    }
}
