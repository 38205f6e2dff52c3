import HTTPTypes
import Hummingbird
import NIOCore
import TripDomain
import TripIdentity
import TripMart

/// The account that sent a request, and what it may see.
struct Caller: Sendable, Hashable {
    let roles: Set<Role>
    /// The regions whose trips it may see; nil is all.
    let regions: Set<String>?
    /// Whether it may see totals over all regions though it may see the trips of some alone.
    let seesNationalTotals: Bool

    /// The session; nil where no account signed in.
    private(set) var session: Session?

    /// An account that has signed in.
    init(_ session: Session) {
        let access = session.account.access
        self.init(
            roles: access.roles,
            regions: access.regions,
            seesNationalTotals: access.seesNationalTotals
        )
        self.session = session
    }

    init(roles: Set<Role>, regions: Set<String>? = nil, seesNationalTotals: Bool = false) {
        self.roles = roles
        self.regions = regions
        self.seesNationalTotals = seesNationalTotals
    }

    /// A caller of whom nothing is known.
    static let unknown = Caller(roles: [])

    /// Whether one of its roles allows it.
    func may(_ permission: Permission) -> Bool {
        roles.contains { $0.permissions.contains(permission) }
    }

    /// Refuses what none of its roles allows.
    func require(_ permission: Permission) throws(Problem) {
        guard may(permission) else { throw .forbidden }
    }

    /// The numbers it may see.
    func cube(of generation: ServedGeneration) -> ServedCube {
        may(.smallNumbers) ? generation.whole : generation.suppressed
    }

    /// The numbers it may see for a filter: with totals over all regions, those from which no small
    /// number of the others follows.
    func numbers(_ filter: ServedFilter) -> VisibleNumbers {
        // Where small numbers are hidden in its own regions as well, nothing can be subtracted.
        guard may(.smallNumbers) else { return .suppressed }
        guard filter.hasNationalTotals, let regions else { return .whole }
        return .beside(regions)
    }

    /// What its answers depend on beside the question: equal texts, equal answers.
    var view: String {
        let scope = regions.map { ["some"] + $0.sorted() } ?? ["all"]
        return EntityTag.text(
            of: [may(.smallNumbers) ? "whole" : "suppressed", "\(seesNationalTotals)"] + scope
        )
    }
}

/// What is known of a request beside its text: the caller and the route.
struct BackendContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var caller = Caller.unknown
    /// The route of the path; nil where there is none.
    var route: RouteTable.Route?
    /// The client's address, behind a trusted proxy the one that the proxy names; nil if unknown.
    var address: NetworkAddress?
    private let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
        address = NetworkAddress(peer?.ipAddress)
    }

    /// Whether the request comes from this machine.
    var isLocal: Bool { peer?.ipAddress.map(Self.isLoopback) ?? false }

    /// Whether the connection comes from an address.
    func isFrom(_ address: String) -> Bool { NetworkAddress.isSame(peer?.ipAddress, address) }

    /// Whether it is this machine's own: 127.0.0.0/8, ::1, or the former written as the latter.
    private static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}

/// Takes the client's address from the last entry of `X-Forwarded-For` where a trusted proxy sent
/// the request.
///
/// The proxy writes that entry itself; earlier entries may be the client's own words.
struct ForwardedAddress: RouterMiddleware {
    /// The proxy's address.
    let proxy: String

    private static let name = HTTPField.Name("X-Forwarded-For")

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        guard let name = Self.name, context.isFrom(proxy),
            let entry = request.headers[values: name].last?.split(separator: ",").last,
            let address = NetworkAddress(entry.filter { $0 != " " && $0 != "\t" })
        else { return try await next(request, context) }
        var context = context
        context.address = address
        return try await next(request, context)
    }
}

/// Identifies the caller before a request is answered.
struct CallerMiddleware: RouterMiddleware {
    /// Identifies the caller of a request, or refuses it.
    let caller: @Sendable (Request) async throws -> Caller

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.caller = try await caller(request)
        return try await next(request, context)
    }
}

/// Identifies the caller by the bearer token of a request (RFC 6750).
struct BearerReading {
    let authentication: AuthenticationService

    /// The caller.
    ///
    /// - Parameter request: The request.
    /// - Returns: The caller.
    /// - Throws: ``Problem/unauthorized(isTokenAtFault:)`` where the request has no token that is
    ///   good.
    func caller(_ request: Request) async throws -> Caller {
        let values = request.headers[values: .authorization]
        guard !values.isEmpty else { throw Problem.unauthorized(isTokenAtFault: false) }
        // A token has hundreds of characters: bytes are cheaper to compare.
        let value = values[0]
        let space = value.utf8.firstIndex(of: UInt8(ascii: " "))
        guard values.count == 1, let space, value[..<space].lowercased() == "bearer",
            let session = try await authentication.session(of: String(value[space...].dropFirst()))
        else { throw Problem.unauthorized(isTokenAtFault: true) }
        return Caller(session)
    }
}
