import TripDomain
import TripMart

/// What the server says once it listens, for the person who started it: where to go, what is served
/// there, and what keeps it from being of use.
struct StartText: Sendable {
    /// What answers are given from.
    enum Content: Equatable {
        /// A generation, and the greatest day of its trips.
        case generation(number: Int, through: CivilDate?, isSynthetic: Bool)
        /// A generation of trips that are not generated ones, which a demo does not serve.
        case withheld(number: Int)
        /// None: nothing is published yet.
        case nothing
    }

    let content: Content
    /// Whether what was published last cannot be read, so that an older generation is served, or
    /// none.
    let isFallenBack: Bool
    /// The mart's folder.
    let mart: MartPath
    /// The address of the first page, as users reach it.
    let address: String
    /// The address it listens at, with the port.
    let socket: String
    let audience: StartAudience
    /// Whether a worker takes requested runs, or is started by this server.
    let hasWorker: Bool

    /// What is as it should be, in whole lines.
    var lines: [String] {
        var lines = ["\(heading) at \(address)"]
        // Behind a proxy, or at a free port, users come another way.
        if !address.hasSuffix("//\(socket)/") { lines.append("Listening at \(socket).") }
        switch audience {
        case .demo:
            lines += [
                "This is a demo. " + DemoAccounts.notice,
                "Its accounts exist while it runs. With the password '\(DemoAccounts.password)', "
                    + "sign in as:",
            ]
            lines += DemoAccounts.rows.map { "  " + $0 }
        case .accounts:
            if case .generation(_, _, isSynthetic: true) = content {
                lines.append(DemoAccounts.notice)
            }
        }
        if !hasWorker {
            lines.append(
                "No worker takes the runs that analysts request. To start one: triptych runs work "
                    + "PIPELINE --watch --mart \(mart.quoted)"
            )
        }
        return lines
    }

    /// What the operator has to do something about, one line each.
    var warnings: [String] {
        var warnings: [String] = []
        switch content {
        case .generation: break
        case .withheld(let number):
            warnings.append(
                "The trips of generation \(number) are not generated ones, and the demo serves no "
                    + "others: questions are answered with 503. Make a mart of generated trips "
                    + "(make run), or serve this one to accounts of its own, without --demo."
            )
        case .nothing where isFallenBack: break
        case .nothing:
            let publishing = "triptych run PIPELINE --mart \(mart.quoted)"
            let below = mart.below.map { ". A mart lies below it: --mart \(ShellWord.quoted($0))" }
            warnings.append(
                "Nothing is published yet in \(mart.quoted): questions are answered with 503 "
                    + "until it is, and the server then takes it up by itself. To publish: \(publishing)"
                    + (below ?? "")
            )
        }
        if isFallenBack {
            warnings.append(
                "What was published last cannot be read"
                    + (content == .nothing
                        ? ", and nothing else is there" : ": an older one is served")
                    + ". To see what is wrong: triptych verify --mart \(mart.quoted)"
            )
        }
        if case .accounts(count: 0, let command) = audience {
            warnings.append(
                "No account can sign in: there is none, or all are disabled. To add one, which can "
                    + "sign in at once: \(command)"
            )
        }
        return warnings
    }

    private var heading: String {
        switch content {
        case .generation(let number, let through, _):
            "Serving generation \(number)"
                + (through.map { " (data through \($0.text))" } ?? " (without trips)")
        case .withheld, .nothing: "Serving nothing yet"
        }
    }
}

extension StartText {
    /// Looks at what is served at this moment.
    ///
    /// - Parameters:
    ///   - state: What answers are given from.
    ///   - settings: Where it listens, and what carries requested runs out.
    ///   - issuer: The address users reach it at; nil for the one it listens at.
    ///   - port: The port it listens at.
    ///   - audience: Who may sign in.
    init(
        _ state: ServerState,
        _ settings: BackendSettings,
        issuer: String?,
        port: Int,
        audience: StartAudience
    ) {
        if let served = state.folder.current {
            let header = served.header
            content =
                state.mayServe(served)
                ? .generation(
                    number: header.number,
                    through: header.dataThrough,
                    isSynthetic: header.isSynthetic
                ) : .withheld(number: header.number)
        } else {
            content = .nothing
        }
        isFallenBack = state.isFallenBack
        mart = MartPath(settings.martPath)
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        socket = "\(host):\(port)"
        address = (issuer ?? "http://" + socket) + "/"
        self.audience = audience
        let queue = RunQueue(MartFolder(path: settings.martPath), patience: Self.patience)
        // Where it cannot be told, nothing is said of it.
        hasWorker = settings.worker != nil || (try? queue.hasWorker()) ?? true
    }

    /// For how many milliseconds another process may hold the queue.
    private static let patience = 500

    /// Everything, in the order of reading.
    var all: [StartLine] {
        lines.map { StartLine(text: $0, isWarning: false) }
            + warnings.map { StartLine(text: $0, isWarning: true) }
    }
}

/// Who may sign in to a server that begins.
public enum StartAudience: Sendable, Equatable {
    /// The accounts of a demo.
    case demo
    /// Accounts of the server's own: how many are not disabled, and the command that adds one.
    case accounts(count: Int, command: String)
}

/// A line that the server says once it listens.
public struct StartLine: Sendable {
    /// The line.
    public let text: String
    /// Whether the operator has to do something about it.
    public let isWarning: Bool
}
