import Hummingbird
import TripDomain
import TripIdentity
import TripMart

/// `GET /trips`: the trips a filter lets through, newest first, page by page.
///
/// A list stays that of the generation its first page came from, however many are published while
/// it is read.
struct TripsRoute {
    let state: ServerState

    static let usualLimit = 50
    static let limits = 1...200

    func answer(_ request: Request, _ caller: Caller) async throws -> Response {
        try caller.require(.trips)
        let query = try QueryReading(
            request,
            known: QueryReading.filterNames.union(["cursor", "limit"])
        )
        let limit = try query.number("limit", in: Self.limits, usual: Self.usualLimit)
        var generation = try state.served()
        let keys = try state.keys()
        var filter = try query.filter(for: caller)
        let list = EntityTag.text(of: [RouteTable.trips, caller.view] + filter.text)
        var before: Int64?
        if let text = query.text("cursor") {
            guard let cursor = keys.cursor(text, in: list) else {
                throw Problem.parameter("cursor", "This is no cursor of this list.")
            }
            guard let pinned = state.generation(cursor.generation) else {
                throw Problem.cursorExpired
            }
            (generation, before) = (pinned, cursor.before)
        }
        // A list shows the caller's own regions, whatever totals the caller sees.
        filter.hasNationalTotals = false
        try query.check(filter, in: generation.whole)
        let isStale = generation.isStale(at: state.now())
        let answer = Answer(
            EntityTag(
                generation,
                parts: [list, isStale ? "stale" : "", "\(limit)", before.map { "\($0)" } ?? ""]
            ),
            // Rows of patients' trips, masked as they are, do not stay in a browser's files.
            mayBeKept: false
        )
        if let unchanged = answer.unchanged(request) { return unchanged }
        let page = try await page(generation, filter, limit: limit, before: before)
        let text = TripsAnswer(
            generation: generation,
            filter: filter,
            isStale: isStale,
            page: page,
            next: page.next.map {
                keys.text(
                    of: PageCursor(generation: generation.header.number, before: $0),
                    in: list
                )
            },
            keys: keys
        ).text
        // Single trips are not kept in memory for the next caller.
        return answer.response(
            AnswerBody(text, isCompressed: GzipText.isWelcome(to: request))
        )
    }

    /// Reads the file, on a thread that may block.
    private func page(
        _ generation: ServedGeneration,
        _ filter: ServedFilter,
        limit: Int,
        before: Int64?
    ) async throws -> TripPage {
        let asked = TripFilter(
            months: filter.months,
            tripTypes: filter.tripType.map { [$0] } ?? [],
            regions: filter.region.map { [$0] } ?? filter.scope?.sorted() ?? [],
            isCountedOnly: true
        )
        // No region is none of the trips, where the list of trips takes it for all.
        if filter.region == nil, filter.scope?.isEmpty ?? false {
            return .empty
        }
        return try await state.read(generation) {
            try $0.trips(asked, limit: limit, before: before)
        }
    }
}
