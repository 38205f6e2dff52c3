import Foundation
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// The trips that each edit moves, compared with the folder edited step by step and every trip
/// classified each time.
@Suite struct EditStepsTests {
    /// The result of one trip.
    private struct ClassificationResult: Hashable {
        let rule: String?
        let tripClass: TripClass?
        let region: String?
        let tripType: String?
        let costCents: Int64?
    }

    /// The results of all trips by the current folder.
    private static func results(_ folder: ChangeFolder) throws -> [ClassificationResult] {
        let (served, classifier) = (try folder.served, try folder.compiled().classifier)
        let shape = classifier.shape
        let stored = try StoredTrips(served, columns: Set(served.shape.columns.indices))
        return try (0..<stored.batchCount).flatMap { index in
            let batch = classifier.reclassify(try stored.batch(index).trips).batch
            func text(_ column: Int, _ row: Int) -> String? {
                let texts = batch.columns[column].texts
                return texts.pool.string(texts.codes[row])
            }
            return (0..<batch.count).map { row in
                let number = Int(batch.ruleNumbers[row])
                let rule = number == 0 ? nil : classifier.rules[number - 1]
                let classAndBasis = rule.map { "\($0.id) \($0.tripClass.word) \($0.basis)" } ?? ""
                return ClassificationResult(
                    rule: classAndBasis + (batch.counted[row] ? " counted" : ""),
                    tripClass: batch.counted[row] ? rule?.tripClass ?? .undetermined : nil,
                    region: text(shape.regionIndex, row),
                    tripType: text(shape.tripTypeIndex, row),
                    costCents: shape.costIndex.flatMap { batch.columns[$0].integers.value(row) }
                )
            }
        }
    }

    /// The sums of each step, computed trip by trip.
    private static func sums(_ states: [[ClassificationResult]]) -> [EditMove.Sums] {
        var sums = [EditMove.Sums](repeating: EditMove.Sums(), count: states.count - 1)
        for trip in states[0].indices where states[0][trip] != states[states.count - 1][trip] {
            let last = states[states.count - 1][trip]
            let away = states.lastIndex { $0[trip] != last } ?? 0
            sums[away].trips += 1
            if sums[away].samples.count < DecisionChanges.sampleCount {
                sums[away].samples.append(Int64(trip + 1))
            }
            let old = states[0][trip].tripClass
            if let old { sums[away].add(old, -1) }
            if let new = last.tripClass { sums[away].add(new, 1) }
            if old != last.tripClass { sums[away].costCents += last.costCents ?? 0 }
        }
        return sums
    }

    /// Edits in the order of their steps.
    private static let orders: [[SampleEdit]] = [
        [.vehicles, .basis], [.contracts, .regions, .vehicles, .derived],
        [.regions, .vehicles, .counting, .basis, .removedRule],
        [.vehicles, .basis, .removedRule, .addedRule], [.removedRule, .addedRule],
        [.contracts, .derived, .counting, .basis, .addedRule],
    ]

    @Test(arguments: orders)
    func everyTripIsCountedAtTheEditThatMovesIt(edits: [SampleEdit]) throws {
        let folder = try ChangeFolder(seed: 61, trips: 600)
        var states = [try Self.results(folder)]
        for edit in Self.inSteps(edits) {
            try edit.make(folder)
            states.append(try Self.results(folder))
        }
        for (threads, leaves) in [(1, 256), (3, 1)] {
            let planned = try PlannedEdits(folder.options, folder.served)
            let decisions = try StoredDecisions(
                folder.served,
                planned.compiled.classifier,
                steps: planned.steps,
                threadCount: threads,
                progress: Progress(),
                leavesOfBatch: leaves
            )
            #expect(Self.byFile(decisions.moves) == Self.sums(states), "\(decisions.moves)")
            #expect(decisions.moves.contains { $0.sums.trips > 0 })
            let plan = try planned.plan(decisions)
            // The parts sum up to the whole.
            func sum(_ part: (EditMove.Sums) -> Int64) -> Int64 {
                decisions.moves.reduce(0) { $0 + part($1.sums) }
            }
            #expect(sum(\.inHouse) == plan.planned.inHouseTrips - plan.now.inHouseTrips)
            #expect(sum(\.contracted) == plan.planned.contractedTrips - plan.now.contractedTrips)
            #expect(
                sum(\.undetermined) == plan.planned.undeterminedTrips - plan.now.undeterminedTrips
            )
        }
    }

    /// The sums of each step, the rows of one file taken together.
    private static func byFile(_ moves: [EditMove]) -> [EditMove.Sums] {
        var files: [(name: String, sums: EditMove.Sums)] = []
        for move in moves {
            let file = move.name.split { " :".contains($0) }.first.map(String.init) ?? ""
            if file.hasSuffix(".csv"), files.last?.name == file {
                let samples = (files[files.count - 1].sums.samples + move.sums.samples).sorted()
                files[files.count - 1].sums += move.sums
                // The first trips of all rows, in the order of the trips.
                files[files.count - 1].sums.samples = Array(
                    samples.prefix(DecisionChanges.sampleCount)
                )
            } else {
                files.append((file, move.sums))
            }
        }
        return files.map(\.sums)
    }

    /// Reference files come by name.
    private static func inSteps(_ edits: [SampleEdit]) -> [SampleEdit] {
        let files: [SampleEdit] = [.contracts, .regions, .vehicles]
        return files.filter(edits.contains) + edits.filter { !files.contains($0) }
    }

    /// Two rows of one file, each compared with the same edit made alone.
    @Test func rowsOfAFileAreSeparateSteps() throws {
        let folder = try ChangeFolder(seed: 65, trips: 900)
        let before = try folder.text("reference/vehicles.csv")
        func edit(_ rows: [Int]) throws {
            try folder.night.write("reference/vehicles.csv", before)
            try folder.rewrite("vehicles.csv") { lines in
                let owned = lines.indices.filter { lines[$0].contains(",VA,") }
                for row in rows {
                    lines[owned[row]] = lines[owned[row]].replacing(",VA,", with: ",VENDOR,")
                }
            }
        }
        func decided() throws -> (decisions: StoredDecisions, plan: Plan) {
            let planned = try PlannedEdits(folder.options, folder.served)
            let decisions = try planned.decide(folder.options, progress: Progress())
            return (decisions, try planned.plan(decisions))
        }
        var alone: [Int64] = []
        for row in 0..<4 {
            try edit([row])
            alone.append(try decided().plan.changedTrips)
        }
        #expect(alone.contains { $0 > 0 })
        try edit([0, 1, 2, 3])
        let moves = try decided().decisions.moves
        #expect(moves.map(\.sums.trips) == alone)
        #expect(moves.allSatisfy { $0.name.contains("owner VA is now VENDOR") })
    }

    @Test func oneEditNeedsNoSteps() throws {
        let folder = try ChangeFolder(seed: 62, trips: 100)
        try SampleEdit.basis.make(folder)
        let planned = try PlannedEdits(folder.options, folder.served)
        #expect(planned.steps.names.count == 1)
        #expect(planned.steps.classifiers.isEmpty)
    }

    /// A rule that reads a missing derived field waits for the step that adds it.
    @Test func aStateThatCannotBeCompiledIsSkipped() throws {
        let folder = try ChangeFolder(seed: 63, trips: 200)
        try SampleEdit.derivedColumns.make(folder)
        let planned = try PlannedEdits(folder.options, folder.served)
        let names = planned.steps.names
        #expect(names.first?.hasPrefix("derived fields, rules.yaml:") == true, "\(names)")
        #expect(planned.steps.classifiers.count == names.count - 1)
    }

    @Test func manyEditsAreTakenTogether() throws {
        let folder = try ChangeFolder(seed: 64, trips: 200)
        try SampleEdit.vehicles.make(folder)
        let parts = try folder.text("pipeline/rules.yaml")
            .components(separatedBy: "\n  because: ")
        try folder.night.write(
            "pipeline/rules.yaml",
            parts.joined(separator: "\n  because: So it is. ")
        )
        let number = parts.count - 1
        let planned = try PlannedEdits(folder.options, folder.served)
        try #require(number > EditSteps.limit)
        #expect(planned.steps.names.last == "rules (\(number) edits)")
        #expect(planned.steps.names.count == 2)
    }
}
