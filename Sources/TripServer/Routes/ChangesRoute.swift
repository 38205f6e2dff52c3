import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `GET /kpi/changes`: what moved the numbers from the generation before to the served one.
///
/// The causes were found when `triptych diff --save` followed every trip; nothing is computed here
/// but sums, and what the declared measures read at both ends.
struct ChangesRoute {
    let state: ServerState

    func answer(_ request: Request, _ caller: Caller) async throws -> Response {
        try caller.require(.numbers)
        let generation = try state.served()
        let query = try QueryReading(request, known: QueryReading.filterNames)
        let filter = try query.filter(for: caller)
        try query.check(filter, in: caller.cube(of: generation))
        // The difference of two generations may be a single trip.
        let isVisible = caller.numbers(filter) == .whole
        let folder = state.folder
        let steps =
            isVisible ? try await state.onDisk { folder.steps(to: generation, filter) } : nil
        let format = AnswerFormat(request)
        let answer = ChangesAnswer(
            generation: generation,
            months: caller.cube(of: generation).months(of: filter),
            filter: filter,
            isStale: generation.isStale(at: state.now()),
            steps: steps
        )
        return Answer.unkept(format == .csv ? answer.csv : answer.text, as: format)
    }
}

/// The answer of `/kpi/changes`: both ends, and what each cause changed.
struct ChangesAnswer {
    let generation: ServedGeneration
    /// The months its reader may know of.
    let months: [Month]
    let filter: ServedFilter
    let isStale: Bool
    /// The way from the one to the other; nil where it is not known, or its reader may not see it.
    let steps: GenerationSteps?

    /// The answer as JSON, on one line.
    var text: [UInt8] {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.origin(generation, months: months, isStale: isStale)
            json.filter(filter)
            guard let steps else { return json.null("changes") }
            json.object("changes") { json in
                json.object("from") { json in
                    json.publication(steps.from)
                    json.ends(steps.start)
                }
                json.object("to") { $0.ends(steps.end) }
                json.list("causes", table)
                // Most pipelines declare none.
                if !measures.isEmpty { json.list("measures", measureTable) }
            }
        }
        return json.text
    }

    /// The causes as CSV, then a row for each declared measure.
    ///
    /// There is no cause where nothing moved, and one `unknown` without numbers where they are not
    /// known, or hidden.
    var csv: [UInt8] {
        guard !measures.isEmpty else { return table.csv(of: generation) }
        let (table, origin) = (table, OriginColumns.values(generation))
        func none(_ names: [StaticString]) -> [RowValue] {
            names.map { _ in .number(.integer(nil)) }
        }
        return CSVText.text(
            table.names.map(\.description) + OriginColumns.names
                + Self.measureNames.map(\.description),
            table.rows.map { $0 + origin + none(Self.measureNames) }
                + measures.map { change in
                    [.text("measure"), .text(change.measure.columnName)]
                        + none(Array(table.names.dropFirst(2))) + origin + change.rowValues
                }
        )
    }

    private var table: AnswerTable {
        let cost = KPISum.contractedCostCents.kpi
        // Where one of the ends has no such cost that is known of most trips, no step has.
        let hasCost = [steps?.start, steps?.end].allSatisfy { $0?.value(cost) != nil }
        return AnswerTable(
            names: [
                "kind", "cause", "trips", "in_house_hundredths", "cost_cents",
                "contracted_cost_cents",
            ],
            rows: steps?.steps.map { step in
                [
                    .text(step.cause.kind), .text(step.cause.name),
                    .number(.integer(step.change[.trips])),
                    .number(.integer(step.inHouseHundredths)),
                    .number(.integer(step.change[.costCents])),
                    .number(.integer(hasCost ? step.change[.contractedCostCents] : nil)),
                ]
            } ?? [
                [.text("unknown"), .text(nil)]
                    + [RowValue](repeating: .number(.integer(nil)), count: 4)
            ]
        )
    }
}

extension JSONText {
    /// The numbers at one end.
    fileprivate mutating func ends(_ cell: ServedCell) {
        numbers(KPI.changing.map { (key: $0.key, value: $0.number(cell.value($0))) })
    }
}
