import TestSupport
import Testing
import TripDomain
import TripMart
import TripPipeline

@testable import TripRuns

/// Declared measures as a plan and a difference show them, against what is published and against
/// the values of the stored trips.
@Suite struct PlannedMeasuresTests {
    private static let measures = """
        kpis:
          count_when: "status <> 'cancelled'"
          measures:
            minutes: {mean: minutes, unit: min}
            middle: {median: minutes}
            services: {sum: services}
            far: {count: "minutes > 30"}
            rate: {sum: rate}
            usual_rate: {median: rate}
            paid: {mean: cost}
        """

    private static let pipeline = """
        pipeline: measured
        sources: {trips: {files: "*.csv"}}
        fields:
          trip_id: Id
          pickup_at: {from: Pickup, formats: ["M/d/yyyy H:mm"]}
          region: VISN
          trip_type: Level
          cost: Paid
          unit: Unit
          status: Status
          minutes: {from: Minutes, type: integer}
          services: {from: Services, type: integer}
        lookups:
          vehicle: {file: vehicles.csv, match: {unit: unit}, valid_on: null}
        derived:
          rate: CAST(vehicle.rate AS INTEGER) * services
        rules:
          - {id: own, class: in_house, basis: va, when: "vehicle.owner = 'VA'", because: VA owns it.}
          - {id: vendor, class: contracted, basis: c, when: "vehicle.owner = 'X'", because: X owns it.}

        """

    private static let vehicles = "unit,owner,rate\nU0,VA,3\nU1,X,10\nU2,VA,\nU3,X,7\n"

    /// An edit, as texts of the pipeline or of the vehicles that are replaced.
    enum Edit: CaseIterable {
        case counting, lookup, row, derived, condition, rule, kind, column, added, removed, unit
        case several

        var replaced: [(file: String, old: String, new: String)] {
            switch self {
            case .counting: [(Self.folder, "<> 'cancelled'", "= 'completed'")]
            case .lookup: [(Self.reference, "U1,X,10", "U1,X,11")]
            case .row: [(Self.reference, "U3,X,7\n", "")]
            case .derived: [(Self.folder, "* services", "+ services")]
            case .condition: [(Self.folder, "minutes > 30", "minutes >= 20 OR minutes IS NULL")]
            case .rule: [(Self.folder, "when: \"vehicle.owner = 'X'\"", "when: \"1 = 1\"")]
            case .kind: [(Self.folder, "{median: minutes}", "{mean: minutes}")]
            case .column: [(Self.folder, "{sum: services}", "{sum: minutes}")]
            case .added: [(Self.folder, "    far:", "    units: {sum: services}\n    far:")]
            case .removed: [(Self.folder, "    usual_rate: {median: rate}\n", "")]
            case .unit: [(Self.folder, "unit: min", "unit: minutes")]
            case .several:
                Self.counting.replaced + Self.lookup.replaced + Self.derived.replaced
                    + Self.added.replaced
            }
        }

        private static let folder = "pipeline/pipeline.yaml"
        private static let reference = "reference/vehicles.csv"
    }

    private static func texts(_ edit: Edit?) -> [(file: String, text: String)] {
        var texts = [
            ("pipeline/pipeline.yaml", pipeline + measures + RunPipeline.lenient),
            ("reference/vehicles.csv", vehicles),
        ]
        for (file, old, new) in edit?.replaced ?? [] {
            for index in texts.indices where texts[index].0 == file {
                precondition(texts[index].1.contains(old), "what is to be edited is there")
                texts[index].1 = texts[index].1.replacing(old, with: new)
            }
        }
        return texts
    }

    private static func lines(_ numbers: ClosedRange<Int>, _ dice: inout SeededDice) -> String {
        var text = "Id,Pickup,VISN,Level,Paid,Unit,Status,Minutes,Services\n"
        for number in numbers {
            text +=
                "T-\(number),\(1 + dice.below(3))/\(1 + dice.below(28))/2026 8:05,"
                + "\(dice.pick(["08", "10"])),BLS,\(dice.pick(["10.00", "7.25", ""])),"
                + "U\(dice.below(5)),\(dice.pick(["completed", "cancelled", "other"])),"
                + "\(dice.pick(["", "12", "20", "31", "45"])),\(dice.pick(["", "1", "2", "5"]))\n"
        }
        return text
    }

    /// A published mart of generated trips.
    private static func night(seed: UInt64) throws -> (RunFolder, SeededDice) {
        var dice = SeededDice(seed: seed)
        let night = try RunFolder()
        for (file, text) in texts(nil) { try night.write(file, text) }
        try night.write("in/a.csv", lines(1...140, &dice))
        try night.run()
        return (night, dice)
    }

    private static func served(_ night: RunFolder) throws -> ServedMart {
        try ServedMart.open(MartFolder(path: night.options().martPath))
    }

    /// What a query of the served generation answers.
    private static func shown(_ served: ServedMart) throws -> [MeasureChange.State] {
        let table = try served.kpi(KPIQuery())
        return zip(table.measures, table.total.measures).map { MeasureChange.State($0, $1) }
    }

    /// The slow twin: the values of the counted trips, read by the sqlite3 shell.
    private static func plain(
        _ measure: DeclaredMeasure,
        _ path: String,
        where condition: String = "1"
    ) throws -> MeasureValue {
        let isCount = measure.kind == .count
        let column = isCount ? "coalesce(\(measure.column), 0) <> 0" : measure.column
        let values = try SQLiteDump.query(
            path,
            "SELECT \(column) AS v FROM trip WHERE counted AND v IS NOT NULL AND \(condition)"
        ).compactMap { Int64($0) }.sorted()
        guard !values.isEmpty else { return MeasureValue(knownTrips: 0, value: nil) }
        let sum = values.reduce(0, +)
        let middle = values[(values.count - 1) / 2] + values[values.count / 2]
        let scale = measure.isInHundredths ? 100.0 : 1.0
        let exact =
            switch measure.kind {
            case .count, .sum: Double(sum)
            case .mean: Double(sum) * scale / Double(values.count)
            case .median: Double(middle) * scale / 2
            }
        let rounded = Int64((exact + 0.5).rounded(.down))
        return MeasureValue(knownTrips: Int64(values.count), value: rounded)
    }

    @Test(arguments: Edit.allCases)
    func whatIsPlannedIsPublished(edit: Edit) throws {
        let (night, _) = try Self.night(seed: 61)
        for (file, text) in Self.texts(edit) { try night.write(file, text) }
        let options = night.options()
        let before = try Self.served(night)
        let planned = try PlannedEdits(options, before)
        let changes = try planned.plan(planned.decide(options, progress: Progress())).measures
        let report = try Reclassification(options: options, plan: nil, progress: Progress())
            .perform()
        #expect(report.outcome == .published)
        let after = try Self.served(night)
        #expect(changes.compactMap(\.after) == (try Self.shown(after)))
        #expect(Set(changes.compactMap(\.before)) == Set(try Self.shown(before)))
        // The trips say the same, and the difference of the two generations as well.
        for change in changes {
            if let state = change.before {
                #expect(try state.value == Self.plain(state.measure, before.file.path))
            }
            if let state = change.after {
                #expect(try state.value == Self.plain(state.measure, after.file.path))
            }
        }
        let table = try Self.table(before, after, KPIQuery())
        #expect(table.measures.map(\.changes) == [changes])
        #expect(changes.contains { !$0.isUnmoved } == (edit != .rule), "\(edit)")
    }

    private static func table(
        _ first: ServedMart,
        _ second: ServedMart,
        _ query: KPIQuery
    ) throws -> DifferenceTable {
        let difference = try GenerationDifference(
            first,
            second,
            edits: PublishedEdits(first, second),
            threadCount: 2,
            progress: Progress()
        )
        return try DifferenceTable(difference, first, second, query)
    }

    /// Under a filter and in groups, between generations of other exports and other declarations.
    @Test(arguments: UInt64(1)...4)
    func aDifferenceHasTheValuesOfTheTripsOfEachGroup(seed: UInt64) throws {
        var (night, dice) = try Self.night(seed: seed)
        for (file, text) in Self.texts(.several) { try night.write(file, text) }
        try night.write("in/b.csv", Self.lines(120...200, &dice))
        try night.run { $0.appliesChanges = true }
        let mart = MartFolder(path: night.options().martPath)
        let first = try ServedMart.open(mart, generation: 1)
        let second = try Self.served(night)
        var query = KPIQuery(regions: ["08"], by: [.month])
        query.classes = [.contracted]
        for (from, to) in [(first, second), (second, first)] {
            let groups = try Self.table(from, to, query).measures
            #expect(groups.count == 3)
            for group in groups {
                let own =
                    "region = '08' AND class = 'contracted' AND pickup_date LIKE '\(group.keys[0])%'"
                for change in group.changes {
                    for (state, file) in [(change.before, from.file), (change.after, to.file)] {
                        guard let state else { continue }
                        let plain = try Self.plain(state.measure, file.path, where: own)
                        #expect(state.value == plain, "\(group.keys) \(state.measure.name)")
                    }
                }
                let isNew = from.header.number == 1
                #expect(
                    group.changes.first { $0.measure.name == "units" }?.comparison
                        == (isNew ? .declaredSince : .noLongerDeclared)
                )
            }
        }
    }

    @Test func threadsAndCutsChangeNothing() throws {
        let (night, _) = try Self.night(seed: 62)
        for (file, text) in Self.texts(.several) { try night.write(file, text) }
        let served = try Self.served(night)
        let planned = try PlannedEdits(night.options(), served)
        var plans: Set<[MeasureChange]> = []
        for (threads, leaves) in [(1, 256), (2, 1), (8, 3)] {
            let decisions = try StoredDecisions(
                served,
                planned.compiled.classifier,
                single: planned.single,
                threadCount: threads,
                progress: Progress(),
                leavesOfBatch: leaves
            )
            plans.insert(try planned.plan(decisions).measures)
        }
        #expect(plans.count == 1)
    }
}
