import Foundation
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// The trips that each edit moves alone and that several move together, compared with the folder
/// edited in each of these ways and every trip classified each time.
@Suite struct SingleEditsTests {
    /// What one trip contributes; nil where it does not count.
    private struct Contribution: Hashable {
        let tripClass: TripClass
        let group: String
        let costCents: Int64?
    }

    /// The contributions of all trips by the current folder.
    private static func contributions(_ folder: ChangeFolder) throws -> [Contribution?] {
        let (served, classifier) = (try folder.served, try folder.compiled().classifier)
        let shape = classifier.shape
        let stored = try StoredTrips(served, columns: Set(served.shape.columns.indices))
        return try (0..<stored.batchCount).flatMap { index in
            let batch = classifier.reclassify(try stored.batch(index).trips).batch
            func text(_ column: Int, _ row: Int) -> String {
                let texts = batch.columns[column].texts
                return texts.pool.string(texts.codes[row]) ?? ""
            }
            return (0..<batch.count).map { row -> Contribution? in
                guard batch.counted[row] else { return nil }
                let number = Int(batch.ruleNumbers[row])
                let rule = number == 0 ? nil : classifier.rules[number - 1]
                let words = [
                    rule?.tripClass.word ?? "", rule?.basis ?? "", text(shape.regionIndex, row),
                    text(shape.tripTypeIndex, row),
                ]
                return Contribution(
                    tripClass: rule?.tripClass ?? .undetermined,
                    group: words.joined(separator: "|"),
                    costCents: shape.costIndex.flatMap { batch.columns[$0].integers.value(row) }
                )
            }
        }
    }

    /// The sums of one row.
    private struct Sums: Equatable, CustomStringConvertible {
        var trips: Int64 = 0
        var classes: [TripClass: Int64] = [:]
        var vendorCents: Int64 = 0
        var costCents: Int64 = 0
        var samples: [Int64] = []

        var description: String {
            "\(trips) \(classes) \(vendorCents) \(costCents) \(samples)"
        }

        mutating func add(_ old: Contribution?, _ new: Contribution?, _ number: Int, _ sign: Int64)
        {
            guard old != new else { return }
            trips += sign
            for (trip, sign) in [(old, -sign), (new, sign)] {
                guard let trip else { continue }
                classes[trip.tripClass, default: 0] += sign
                if trip.tripClass == .contracted { vendorCents += sign * (trip.costCents ?? 0) }
            }
            if old?.tripClass != new?.tripClass {
                costCents += sign * (old?.costCents ?? new?.costCents ?? 0)
            }
            if samples.count < 3, !samples.contains(Int64(number)) { samples.append(Int64(number)) }
        }

        init() {}

        init(_ move: EditMove) {
            trips = move.trips
            let counts: [(TripClass, Int64)] = [
                (.inHouse, move.change.inHouseTrips), (.contracted, move.change.contractedTrips),
                (.undetermined, move.change.undeterminedTrips),
            ]
            for (tripClass, count) in counts { classes[tripClass] = count }
            vendorCents = move.change.contractedCostCents
            costCents = move.costCents
            samples = move.samples
        }

        /// The same without classes that do not change.
        var plain: Sums {
            var copy = self
            copy.classes = classes.filter { $0.value != 0 }
            return copy
        }
    }

    /// The rows, computed trip by trip: of each edit, then of each interplay.
    private static func rows(
        _ before: [Contribution?],
        alone: [[Contribution?]],
        _ after: [Contribution?]
    ) -> [Sums] {
        var rows = [Sums](repeating: Sums(), count: alone.count + 3)
        for trip in before.indices {
            let (old, new) = (before[trip], after[trip])
            let moving = alone.indices.filter { alone[$0][trip] != old }
            for edit in moving { rows[edit].add(old, alone[edit][trip], trip + 1, 1) }
            if moving.count == 1, alone[moving[0]][trip] == new { continue }
            if moving.isEmpty, old == new { continue }
            let row = alone.count + (old == new ? 2 : moving.count > 1 ? 1 : 0)
            rows[row].add(old, new, trip + 1, 1)
            for edit in moving { rows[row].add(old, alone[edit][trip], trip + 1, -1) }
        }
        return rows.map(\.plain)
    }

    private typealias Edit = @Sendable (ChangeFolder) throws -> Void

    /// Checks the rows of a plan of some edits against those computed trip by trip.
    ///
    /// - Returns: The interplays that were found.
    @discardableResult
    private static func compare(_ folder: ChangeFolder, _ edits: [Edit]) throws -> Set<Interplay> {
        let before = try contributions(folder)
        let kept = try folder.folders()
        var alone: [[Contribution?]] = []
        for edit in edits {
            try edit(folder)
            alone.append(try contributions(folder))
            try folder.restore(kept)
        }
        for edit in edits { try edit(folder) }
        let after = try contributions(folder)
        let expected = rows(before, alone: alone, after)
        var found: Set<Interplay> = []
        for (threads, leaves) in [(1, 256), (3, 1)] {
            let planned = try PlannedEdits(folder.options, folder.served)
            try #require(planned.single.names.count == edits.count, "\(planned.single.names)")
            let decisions = try StoredDecisions(
                folder.served,
                planned.compiled.classifier,
                single: planned.single,
                threadCount: threads,
                progress: Progress(),
                leavesOfBatch: leaves
            )
            #expect(decisions.moves.map { Sums($0).plain } == expected, "\(decisions.moves)")
            let plan = try planned.plan(decisions)
            var change = plan.planned
            change -= plan.now
            #expect(plan.together.change.trips == change.trips)
            #expect(plan.together.change.inHouseTrips == change.inHouseTrips)
            #expect(plan.together.change.costCents == change.costCents)
            #expect(plan.together.change.contractedCostCents == change.contractedCostCents)
            #expect(plan.together.trips == Int64(before.indices.count { before[$0] != after[$0] }))
            #expect(plan.edited.reduce(0) { $0 + ($1.points ?? 0) } == plan.together.points)
            found = Set(plan.edited.compactMap(\.interplay))
        }
        return found
    }

    /// Edits in the order of their rows: reference files by name, then the pipeline's parts.
    private static let orders: [[SampleEdit]] = [
        [.vehicles, .basis], [.contracts, .vehicles, .derived],
        [.vehicles, .counting, .basis, .removedRule],
        [.vehicles, .basis, .removedRule, .addedRule], [.removedRule, .addedRule],
        [.contracts, .derived, .counting, .basis, .addedRule], [.contracts, .movedRule],
        [.addedRule, .movedRule],
    ]

    @Test(arguments: orders)
    func everyEditIsShownAsItIsAlone(edits: [SampleEdit]) throws {
        let folder = try ChangeFolder(seed: 61, trips: 600)
        try Self.compare(folder, edits.map { edit in { try edit.make($0) } })
    }

    /// Sells the first vehicles of VA to an owner.
    private static func sale(to owner: String, count: Int = 90) -> Edit {
        { folder in
            try folder.rewrite("vehicles.csv") { lines in
                for index in try folder.vehiclesInUse(lines).prefix(count) {
                    lines[index] = lines[index].replacing(",VA,", with: ",\(owner),")
                }
            }
        }
    }

    /// Gives the rule of VA's vehicles another condition.
    private static func rule(_ condition: String) -> Edit {
        { folder in
            try folder.replace(
                "pipeline/rules.yaml",
                ChangeFolder.vehicleRule + "  when: fleet.owner = 'VA'",
                ChangeFolder.vehicleRule + "  when: \(condition)"
            )
        }
    }

    /// Edits that undo each other, need each other, or do the same.
    private static let interplays: [(edits: [Edit], found: Set<Interplay>)] = [
        ([sale(to: "LEASE"), rule("fleet.owner IN ('VA', 'LEASE')")], [.cancelled]),
        ([sale(to: "LEASE"), rule("fleet.owner = 'LEASE'")], [.cancelled]),
        ([sale(to: "LEASE"), rule("fleet.owner IS NULL AND 1 = 0")], [.repeated]),
    ]

    @Test(arguments: interplays.indices)
    func whatSeveralEditsDoTogetherIsARowOfItsOwn(index: Int) throws {
        let folder = try ChangeFolder(seed: 66, trips: 900, keepsExamples: false)
        let (edits, expected) = Self.interplays[index]
        let found = try Self.compare(folder, edits)
        #expect(found.isSuperset(of: expected), "\(found)")
    }

    /// Two edits of which neither moves a trip alone.
    @Test func editsThatNeedEachOtherMoveNothingAlone() throws {
        let folder = try ChangeFolder(seed: 67, trips: 900)
        let added: Edit = { folder in
            let rule = """
                - id: leased
                  class: contracted
                  basis: noncontract_vendor
                  when: fleet.crew_employer = 'LEASE'
                  because: A leased crew drove.

                """
            let text = try folder.text("pipeline/rules.yaml")
            try folder.night.write(
                "pipeline/rules.yaml",
                text.replacing(
                    "- id: vendor-crew-contract",
                    with: rule + "\n- id: vendor-crew-contract"
                )
            )
        }
        let crews: Edit = { folder in
            try folder.rewrite("vehicles.csv") { lines in
                for index in try folder.vehiclesInUse(lines).prefix(12) {
                    var cells = lines[index].components(separatedBy: ",")
                    cells[cells.count - 1] = "LEASE"
                    lines[index] = cells.joined(separator: ",")
                }
            }
        }
        let found = try Self.compare(folder, [crews, added])
        #expect(found == [.together])
        let moves = try PlannedEdits(folder.options, folder.served)
            .decide(folder.options, progress: Progress()).moves
        #expect(moves.prefix(2).map(\.trips) == [0, 0])
        #expect(moves[2].trips > 0)
    }

    /// Rows of one file, each compared with the same edit made alone.
    @Test func rowsOfAFileAreSeparateEdits() throws {
        let folder = try ChangeFolder(seed: 65, trips: 900)
        let before = try folder.text("reference/vehicles.csv")
        func edit(_ rows: [Int]) throws {
            try folder.night.write("reference/vehicles.csv", before)
            try folder.rewrite("vehicles.csv") { lines in
                let owned = try folder.vehiclesInUse(lines)
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
            alone.append(try decided().plan.movedTrips)
        }
        #expect(alone.contains { $0 > 0 })
        try edit([0, 1, 2, 3])
        let moves = try decided().plan.edited
        #expect(moves.map(\.trips) == alone)
        #expect(moves.allSatisfy { $0.name.contains("owner VA is now VENDOR") })
    }

    @Test func oneEditIsNotToldApart() throws {
        let folder = try ChangeFolder(seed: 62, trips: 100)
        try SampleEdit.basis.make(folder)
        let planned = try PlannedEdits(folder.options, folder.served)
        #expect(planned.single.names.count == 1)
        #expect(planned.single.classifiers.isEmpty)
    }

    /// A derived field that is removed goes with the rule that no longer reads it.
    @Test func anEditThatCannotBeCompiledAloneGoesWithAnother() throws {
        let folder = try ChangeFolder(seed: 63, trips: 200)
        try SampleEdit.derivedColumns.make(folder)
        try SampleEdit.vehicles.make(folder)
        let single = try PlannedEdits(folder.options, folder.served).single
        #expect(single.names.count == 2)
        #expect(single.names.last?.hasPrefix("derived fields, rules.yaml:") == true)
        #expect(single.classifiers.count == 2)
    }

    /// A vehicle that changes hands: the row that begins needs the row that ends before it.
    @Test func aRowThatNeedsAnotherGoesWithIt() throws {
        let folder = try ChangeFolder(seed: 63, trips: 200)
        try folder.rewrite("vehicles.csv") { lines in
            guard let index = lines.firstIndex(where: { $0.contains(",,,VA,") }) else { return }
            let row = lines[index]
            lines[index] = row.replacing(",,,VA,", with: ",,2025-12-31,VA,")
            lines.append(row.replacing(",,,VA,", with: ",2026-01-01,,VENDOR,"))
        }
        try SampleEdit.basis.make(folder)
        let names = try PlannedEdits(folder.options, folder.served).single.names
        #expect(names.count == 2, "\(names)")
        #expect(names.first?.contains(" added") == true, "\(names)")
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
        try #require(number > SingleEdits.limit)
        #expect(planned.single.names.last == "rules (\(number) edits)")
        #expect(planned.single.names.count == 2)
    }
}

extension ChangeFolder {
    /// The files of pipeline and reference folder, by path.
    fileprivate func folders() throws -> [String: String] {
        var files: [String: String] = [:]
        for folder in ["pipeline", "reference"] {
            for name in try FileManager.default.subpathsOfDirectory(
                atPath: night.path + "/" + folder
            )
            where name.contains(".") {
                files["\(folder)/\(name)"] = try text("\(folder)/\(name)")
            }
        }
        return files
    }

    /// Writes the files again.
    fileprivate func restore(_ files: [String: String]) throws {
        for (name, text) in files { try night.write(name, text) }
    }
}
