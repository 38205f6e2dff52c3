import Hummingbird
import TripDomain
import TripIdentity
import TripMart
import TripText

/// `GET /kpi`: trips, in-house % and cost, by month, trip type and region.
struct KPIRoute {
    let state: ServerState

    func answer(_ request: Request, _ caller: Caller) async throws -> Response {
        try caller.require(.numbers)
        let generation = try state.served()
        let format = AnswerFormat(request)
        let own = format == .csv ? "by" : "since"
        let query = try QueryReading(request, known: QueryReading.filterNames.union([own]))
        let rows = try query.rows(among: KPIAnswer.rows)
        let filter = try query.filter(for: caller)
        try query.check(filter, in: caller.cube(of: generation))
        let numbers = caller.numbers(filter)
        let earlier = try await earlier(query, than: generation, numbers)
        let isStale = generation.isStale(at: state.now())
        // Those of their own regions, of which they ask by name.
        let hasBases = caller.may(.smallNumbers) && (numbers == .whole || filter.region != nil)
        guard rows != .basis || hasBases else { throw Problem.forbidden }
        let parts = [
            RouteTable.kpi, caller.view, isStale ? "stale" : "", generation.comparisonMark,
            earlier.map { "\($0.header.number)" } ?? "", rows.rawValue,
        ]
        let answer = Answer(generation, parts + filter.text, as: format)
        return answer.response(request, state.cache, of: generation) {
            let kpis = KPIAnswer(
                generation: generation,
                cube: generation.cube(numbers),
                bases: hasBases ? generation.bases : nil,
                filter: filter,
                isStale: isStale,
                comparison: generation.comparison(filter, numbers),
                before: earlier.map { ($0.header, $0.cube.cell(filter)) }
            )
            return format == .csv ? kpis.csv(by: rows) : kpis.text
        }
    }

    /// The generation that the client saw before; nil where it names none, or one that cannot be
    /// compared, and where the caller does not see every number.
    private func earlier(
        _ query: QueryReading,
        than generation: ServedGeneration,
        _ numbers: VisibleNumbers
    ) async throws -> EarlierNumbers? {
        guard query.text("since") != nil else { return nil }
        let number = try query.number("since", in: Self.generations, usual: 0)
        guard numbers == .whole else { return nil }
        let folder = state.folder
        return try await state.onDisk { folder.earlier(number, than: generation) }
    }

    /// The numbers that a generation can have.
    private static let generations = 1...999_999_999
}
