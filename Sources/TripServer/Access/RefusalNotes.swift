import Hummingbird
import Synchronization
import TripIdentity

/// Records who asked for what no role or region of theirs allows: one who looks around leaves a trace.
///
/// A trip that does not exist is refused like one of another region, and noted like it; so is a region that occurs nowhere
/// where somebody of some regions asks for it. Each account and route once in a while, so that nobody fills the record.
struct RefusalNotes: RouterMiddleware {
    let record: AccessRecord
    /// Now, in seconds of UTC.
    let now: @Sendable () -> Int64
    let pace = Pace()

    private static let codes: Set = [Problem.forbidden.code, Problem.noSuchTrip.code]
    /// What is noted where a region is asked for that is not the caller's: the answer's code says less.
    static let otherRegion = "other_region"

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            let route = context.route?.template ?? "other"
            if let code = Self.code(of: problem), let account = context.caller.session?.account.id,
                pace.isDue(Pace.Kind(account: account, route: route, code: code), at: now())
            {
                // Not waited for: it is refused all the same.
                record.addLater(
                    AccessEntry(
                        .refused,
                        at: now(),
                        account: account,
                        subject: route,
                        detail: code
                    )
                )
            }
            throw problem
        }
    }

    /// What a problem is noted as; nil where it is none of those, or a fault of the server's.
    private static func code(of problem: Problem) -> String? {
        guard problem.fault == nil else { return nil }
        if problem.isOfOtherRegion { return otherRegion }
        return codes.contains(problem.code) ? problem.code : nil
    }

    /// When each kind of refusal was noted last.
    final class Pace: Sendable {
        /// Which refusals are one.
        struct Kind: Hashable {
            let account: Int64
            let route: String
            let code: String
        }

        private let state = Mutex<[Kind: Int64]>([:])

        /// Seconds in which one of a kind is noted.
        static let interval: Int64 = 60

        /// Whether a refusal is to be noted, which counts as noted.
        func isDue(_ kind: Kind, at now: Int64) -> Bool {
            state.withLock { known in
                if let last = known[kind], (0..<Self.interval).contains(now - last) { return false }
                known[kind] = now
                return true
            }
        }
    }
}
