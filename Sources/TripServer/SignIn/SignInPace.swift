import Hummingbird
import Logging
import NIOCore
import Synchronization

/// How fast passwords come from one address: somebody types some, a program as many as it can.
final class SignInPace: Sendable {
    private let interval: Int64
    private let burst: Int64
    /// By when an address has had its share, in milliseconds (the generic cell rate algorithm, ITU-T I.371).
    private let state = Mutex<[NetworkAddress: Int64]>([:])

    /// Addresses at most; beyond, those whose share is whole again are forgotten, or else all.
    private static let countMax = 100_000

    /// A pace for every address.
    ///
    /// - Parameter perMinute: Tries in a minute, which may also come at once; 0 is as many as there are.
    init(perMinute: Int) {
        interval = perMinute > 0 ? 60_000 / Int64(perMinute) : 0
        burst = Int64(perMinute) * interval
    }

    /// Counts a try.
    ///
    /// - Parameters:
    ///   - address: Where it comes from.
    ///   - now: The time, in seconds.
    /// - Returns: The seconds until the next one may come, in which case nothing is counted; nil where this one may.
    func wait(_ address: NetworkAddress, at now: Int64) -> Int64? {
        guard interval > 0 else { return nil }
        let now = now * 1000
        return state.withLock { known in
            let due = max(known[address] ?? now, now)
            guard due + interval - now <= burst else {
                return (due + interval - now - burst + 999) / 1000
            }
            if known.count >= Self.countMax {
                known = known.filter { $0.value > now }
                if known.count >= Self.countMax { known.removeAll() }
            }
            known[address] = due + interval
            return nil
        }
    }
}

/// Takes passwords and names of one address at their pace alone.
struct SignInPaceMiddleware: RouterMiddleware {
    private let pace: SignInPace
    private let refusals: RefusalLog

    /// - Parameters:
    ///   - pace: How fast they may come.
    ///   - logger: Where it says that somebody is slowed down.
    init(pace: SignInPace, logger: Logger) {
        (self.pace, refusals) = (pace, RefusalLog(logger))
    }

    func handle(
        _ request: Request,
        context: BackendContext,
        next: (Request, BackendContext) async throws -> Response
    ) async throws -> Response {
        if request.method == .post, let address = context.address,
            // Since the machine's start, which nobody sets back.
            let seconds = pace.wait(
                address,
                at: Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000_000)
            )
        {
            refusals.note(.tooFast, at: context.route?.template)
            let page = Page.word(
                "Wait a moment",
                "Many tries come from where you are. Wait a minute, then try again."
            )
            var response = page.response(.tooManyRequests, retryAfter: seconds)
            // What the form says is not read, nor waited for.
            response.headers[.connection] = "close"
            response.body = .last(Array(page.text.utf8))
            return response
        }
        return try await next(request, context)
    }
}
