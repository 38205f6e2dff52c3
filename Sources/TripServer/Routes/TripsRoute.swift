import HTTPTypes
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
            known: QueryReading.filterNames.union(["class", "cursor", "limit"])
        )
        let format = AnswerFormat(request)
        let limit = try query.number("limit", in: Self.limits, usual: Self.usualLimit)
        var generation = try state.served()
        let keys = try state.keys()
        var filter = try query.filter(for: caller)
        let tripClass = try query.tripClass()
        let list = EntityTag.text(
            of: [RouteTable.trips, caller.view, tripClass?.word ?? ""] + filter.text
        )
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
        try state.requireTrips(generation)
        // A list shows the caller's own regions, whatever totals the caller sees.
        filter.hasNationalTotals = false
        try query.check(filter, in: generation.whole)
        let isStale = generation.isStale(at: state.now())
        let answer = Answer(
            generation,
            [list, isStale ? "stale" : "", "\(limit)", before.map { "\($0)" } ?? ""],
            as: format,
            // Rows of patients' trips, masked as they are, do not stay in a browser's files.
            mayBeKept: false
        )
        if let unchanged = answer.unchanged(request) { return unchanged }
        let page = try await page(generation, filter, tripClass, limit: limit, before: before)
        let trips = TripsAnswer(
            generation: generation,
            filter: filter,
            tripClass: tripClass,
            isStale: isStale,
            page: page,
            next: page.next.map {
                keys.text(
                    of: PageCursor(generation: generation.header.number, before: $0),
                    in: list
                )
            },
            keys: keys
        )
        // Single trips are not kept in memory for the next caller.
        var response = answer.response(
            AnswerBody(
                format == .csv ? trips.csv : trips.text,
                isCompressed: GzipText.isWelcome(to: request)
            )
        )
        // Rows have no place for it.
        if format == .csv, let next = trips.next {
            let address = Self.address(filter, tripClass, limit: limit, cursor: next)
            response.headers[.link] = "<\(address)>; rel=\"next\""
        }
        return response
    }

    /// The address of a page.
    private static func address(
        _ filter: ServedFilter,
        _ tripClass: TripClass?,
        limit: Int,
        cursor: String
    ) -> String {
        let names = ["from", "to", "trip_type", "region", "class", "limit", "cursor"]
        let texts = filter.text + [tripClass?.word ?? "", "\(limit)", cursor]
        let fields = zip(names, texts).filter { !$1.isEmpty }
        let query = fields.map { "\($0)=\(escaped($1))" }
        return RouteTable.trips + "?" + query.joined(separator: "&")
    }

    /// A value of a query (RFC 3986 §2.3).
    private static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            let scalar = Unicode.Scalar(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~":
                escaped.unicodeScalars.append(scalar)
            default: escaped += (byte < 16 ? "%0" : "%") + digits
            }
        }
    }

    /// Reads the file, on a thread that may block.
    private func page(
        _ generation: ServedGeneration,
        _ filter: ServedFilter,
        _ tripClass: TripClass?,
        limit: Int,
        before: Int64?
    ) async throws -> TripPage {
        let asked = TripFilter(
            months: filter.months,
            tripTypes: filter.tripType.map { [$0] } ?? [],
            regions: filter.region.map { [$0] } ?? filter.scope?.sorted() ?? [],
            tripClass: tripClass,
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

extension HTTPField.Name {
    /// `Link` (RFC 8288).
    fileprivate static let link: HTTPField.Name = {
        guard let name = HTTPField.Name("link") else {
            preconditionFailure("letters name a field")
        }
        return name
    }()
}
