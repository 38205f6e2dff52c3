import Foundation
import TestSupport
import Testing
import TripDomain

@testable import TripMart
@testable import TripRules
@testable import TripRuns

/// The causes of differences, compared with a slow reference that holds all trips in memory and
/// reads the exports again.
@Suite struct GenerationDifferenceTests {
    private static let groupings: [[KPIDimension]] = [
        [], [.month, .tripType, .region], [.tripClass, .basis], [.fiscalYear, .region],
    ]

    private static func difference(
        _ first: ServedMart,
        _ second: ServedMart,
        threads: Int = 2,
        leaves: Int = 256
    ) throws -> GenerationDifference {
        try GenerationDifference(
            first,
            second,
            edits: PublishedEdits(first, second),
            threadCount: threads,
            leavesOfBatch: leaves,
            progress: Progress()
        )
    }

    private static func twin(_ kind: DifferenceCause.Kind) -> PlainDifference.Cause? {
        switch kind {
        case .reference, .rules, .expiry, .both, .together: .edits
        case .withdrawn: .withdrawn
        case .corrected: .corrected
        case .late: .late
        case .new: .new
        case .remainder, .totals: nil
        }
    }

    /// The change of each cause, by group, with edits taken together; nil for the remainder.
    private static func changes(
        _ table: DifferenceTable
    ) -> [PlainDifference.Cause?: [[String]: PlainDifference.Change]] {
        var changes: [PlainDifference.Cause?: [[String]: PlainDifference.Change]] = [:]
        for group in table.groups {
            for part in group.parts {
                let cause = twin(part.cause.kind)
                changes[cause, default: [:]][group.keys, default: .init()].trips += part.trips ?? 0
                changes[cause]?[group.keys]?.sums += part.change
            }
        }
        // What one edit does and another undoes is no change.
        return changes.mapValues { $0.filter { $0.value != PlainDifference.Change() } }
    }

    /// Checks that each group ends with the later generation's numbers, and that its points sum up
    /// where they are defined.
    private static func sumExactly(
        _ table: DifferenceTable,
        _ second: ServedMart,
        _ query: KPIQuery
    ) throws {
        let rows = try second.kpi(query).rows
        for group in table.groups {
            let end = rows.first { $0.keys == group.keys }?.sums ?? KPISums()
            #expect(group.end == end)
            var (state, points): (KPISums, Int64?) = (group.start, 0)
            for part in group.parts {
                let before = state.inHousePercentHundredths
                state += part.change
                #expect(state == part.after)
                let change = state.inHousePercentHundredths.flatMap { now in
                    before.map { now - $0 }
                }
                points = change.flatMap { change in points.map { $0 + change } }
            }
            #expect(state == end)
            guard let points, let first = group.start.inHousePercentHundredths else { continue }
            #expect(end.inHousePercentHundredths == first + points)
        }
    }

    private static func compare(
        _ first: ServedMart,
        _ second: ServedMart,
        _ night: RunFolder,
        _ comment: String
    ) throws {
        let plain = try PlainDifference(first, second, night)
        let found = try difference(first, second)
        for grouping in groupings {
            let query = KPIQuery(by: grouping)
            let table = try DifferenceTable(found, first, second, query)
            let expected = plain.changes(by: grouping)
            let changes = changes(table)
            for cause in PlainDifference.Cause.allCases {
                #expect(
                    changes[cause] ?? [:] == expected[cause] ?? [:],
                    "\(comment), \(cause) by \(grouping)"
                )
            }
            #expect(changes[nil] == nil, "\(comment)")
            try sumExactly(table, second, query)
        }
    }

    /// After any history, the parts between two generations equal those of the reference and sum
    /// exactly.
    @Test(arguments: seeds(0...19))
    func anyHistorySumsExactly(group: Int) throws {
        for member in 0..<3 {
            let seed = UInt64(1000 + 3 * group + member)
            var history = try RandomHistory(seed: seed)
            var steps: [RandomHistory.Step] = []
            for _ in 0..<6 { steps.append(try history.step()) }
            let numbers = (try history.anyGeneration(), try history.anyGeneration())
            try ComparedGenerations.with(
                numbers,
                history.night.options(),
                scratchPath: history.folder.scratchPath,
                progress: Progress()
            ) { compared in
                try Self.compare(
                    compared.first,
                    compared.second,
                    history.night,
                    "seed \(seed), \(steps), \(numbers)"
                )
            }
        }
    }

    /// Every kind of edit, published and divided into causes again, with miles and costs.
    @Test(arguments: SampleEdit.allCases)
    func anEditIsItsOwnCause(edit: SampleEdit) throws {
        let folder = try ChangeFolder(seed: 12)
        let mart = MartFolder(path: folder.options.martPath)
        try edit.make(folder)
        _ = try Reclassification(
            options: folder.options,
            plan: nil,
            progress: Progress()
        ).perform()
        let last = try folder.served.header.number
        #expect(last == (edit == .nothing ? 1 : 2))
        let (first, second) = try (ServedMart.open(mart, generation: 1), folder.served)
        try Self.compare(first, second, folder.night, "\(edit)")
        try Self.compare(second, first, folder.night, "\(edit), back")
        let kinds = try Set(
            DifferenceTable(Self.difference(first, second), first, second, KPIQuery()).causes
                .map(\.kind)
        )
        #expect(kinds.isSubset(of: [.reference, .rules, .together]), "\(kinds)")
    }

    /// Each edit moves the trips between classes as its plan showed.
    @Test func theDifferenceShowsWhatThePlanShowed() throws {
        let folder = try ChangeFolder(seed: 12)
        let mart = MartFolder(path: folder.options.martPath)
        for edit: SampleEdit in [.vehicles, .regions, .counting, .derived, .addedRule] {
            try edit.make(folder)
        }
        let planned = try PlannedEdits(folder.options, folder.served)
            .decide(folder.options, progress: Progress()).moves
        _ = try Reclassification(
            options: folder.options,
            plan: nil,
            progress: Progress()
        ).perform()
        let (first, second) = try (ServedMart.open(mart, generation: 1), folder.served)
        let table = try DifferenceTable(
            Self.difference(first, second),
            first,
            second,
            KPIQuery()
        )
        let parts = Dictionary(
            uniqueKeysWithValues: table.groups[0].parts.map { ($0.cause.name, $0.change) }
        )
        let trips = Dictionary(
            uniqueKeysWithValues: table.groups[0].parts.map { ($0.cause.name, $0.trips) }
        )
        #expect(planned.count > 3)
        for move in planned {
            let change = parts[move.name] ?? KPISums()
            #expect(change == move.change, "\(move.name)")
            #expect(trips[move.name] ?? 0 == move.trips, "\(move.name)")
        }
        let names = Set(planned.map(\.name))
        #expect(names.isSuperset(of: parts.keys))
    }

    /// A sample trip belongs to the group it is shown for.
    @Test func samplesBelongToTheirGroup() throws {
        let folder = try ChangeFolder(seed: 5)
        let mart = MartFolder(path: folder.options.martPath)
        try SampleEdit.vehicles.make(folder)
        try folder.night.run { $0.appliesChanges = true }
        let (first, second) = try (ServedMart.open(mart, generation: 1), folder.served)
        let table = try DifferenceTable(
            Self.difference(first, second),
            first,
            second,
            KPIQuery(by: [.region])
        )
        #expect(table.groups.count > 3)
        for group in table.groups {
            for sample in group.parts.flatMap(\.samples) {
                let region = try SQLiteDump.query(
                    (sample.isOfEarlier ? first : second).file.path,
                    "SELECT region FROM trip WHERE trip_number = \(sample.number)"
                )
                #expect(region == group.keys)
            }
        }
    }

    /// A damaged file is not reported as a cause, and the damaged file is named.
    @Test(arguments: [1, 2])
    func aDamagedGenerationIsNamed(number: Int) throws {
        let folder = try ChangeFolder(seed: 5)
        let mart = MartFolder(path: folder.options.martPath)
        try SampleEdit.vehicles.make(folder)
        try folder.night.run { $0.appliesChanges = true }
        try SQLiteDump.execute(
            mart.generationPath(number),
            "UPDATE trip_row SET rule_number = 1 WHERE trip_number % 50 = 0"
        )
        let first = try ServedMart.open(mart, generation: 1)
        let second = try ServedMart.open(mart, generation: 2)
        let error = #expect(throws: MartError.self) { try Self.difference(first, second) }
        #expect(error?.code == .damaged)
        #expect(error?.position?.file == mart.generationPath(number))
    }

    @Test(arguments: [(1, 1), (2, 3), (5, 2)])
    func threadsAndCutsChangeNothing(threads: Int, leaves: Int) throws {
        let folder = try ChangeFolder(seed: 5)
        let mart = MartFolder(path: folder.options.martPath)
        try SampleEdit.vehicles.make(folder)
        try SampleEdit.removedRule.make(folder)
        try folder.night.run { $0.appliesChanges = true }
        let (first, second) = try (ServedMart.open(mart, generation: 1), folder.served)
        let query = KPIQuery(by: [.month, .tripType, .region])
        func text(_ difference: GenerationDifference) throws -> String {
            let table = try DifferenceTable(difference, first, second, query)
            return "\(table.groups)"
        }
        let expected = try text(Self.difference(first, second))
        #expect(expected.contains("vehicles.csv"))
        let other = try Self.difference(first, second, threads: threads, leaves: leaves)
        #expect(try text(other) == expected)
    }

    /// The same records with other values are no correction; where other fields are read, edits
    /// cannot be told apart.
    @Test(arguments: [false, true])
    func otherValuesOfTheSameRecordsAreTheRemainder(hasOtherFields: Bool) throws {
        let night = try RunFolder()
        let pipeline = RunPipeline.text()
        try night.write("pipeline/pipeline.yaml", pipeline)
        let lines = (1...40).map { RunPipeline.line($0, cost: "\($0).00") }
        try night.write("in/trips_1.csv", RunPipeline.header + lines.joined())
        try night.run()
        let cost = "cost: {from: Amount Paid, values: {\"5.00\": \"6.00\"}, range: [0, 30]}"
        var edited = pipeline.replacing("cost: Amount Paid", with: cost)
        #expect(edited != pipeline)
        if hasOtherFields {
            edited = edited.replacing(cost, with: cost + "\n  more: Amount Paid")
        }
        try night.write("pipeline/pipeline.yaml", edited)
        try night.write(
            "in/trips_2.csv",
            RunPipeline.header + RunPipeline.line(1, cost: "2.00")
                + RunPipeline.line(50, month: 6)
        )
        try night.run {
            $0.isFull = true
            $0.appliesChanges = true
        }
        let mart = MartFolder(path: night.options().martPath)
        let first = try ServedMart.open(mart, generation: 1)
        let second = try ServedMart.open(mart)
        let edits = try PublishedEdits(first, second)
        #expect(edits.hasDifferentFields == hasOtherFields)
        #expect(edits.clauses.contains { $0.contains("fields changed") })
        let table = try DifferenceTable(
            Self.difference(first, second),
            first,
            second,
            KPIQuery()
        )
        let parts = table.groups[0].parts.map {
            "\($0.cause.kind) \($0.trips ?? 0) \($0.change.trips)"
        }
        // Ten costs above 30 are refused, and their trips with them; one trip has another cost.
        #expect(parts == ["corrected 1 0", "new 1 1", "remainder 11 -10"])
        let back = try DifferenceTable(
            Self.difference(second, first),
            second,
            first,
            KPIQuery()
        )
        #expect(
            back.groups[0].parts.map { "\($0.cause.kind) \($0.trips ?? 0) \($0.change.trips)" }
                == ["withdrawn 1 -1", "corrected 1 0", "remainder 11 10"]
        )
    }
}
