import Glibc
import Logging
import ServiceLifecycle

/// Keeps `triptych runs work --watch` running beside the server, which carries out the runs that
/// are requested.
///
/// It is another process, so that a run of minutes takes no memory and no thread of the server's,
/// and is the same program as by hand.
struct WorkerProcess: Service {
    private let words: [String]
    private let logger: Logger

    /// How often it is checked, and how long until one that ended is started again.
    private static let checkInterval = Duration.milliseconds(200)
    private static let restartDelay = Duration.seconds(5)
    /// How long one may take to end after it was told to.
    private static let endingPatience = Duration.seconds(1)

    /// - Parameters:
    ///   - settings: The pipeline and its reference files.
    ///   - martPath: The mart.
    ///   - keyPath: Its key file.
    ///   - logger: The log.
    init(_ settings: WorkerSettings, martPath: String, keyPath: String?, logger: Logger) {
        words =
            [
                "runs", "work", settings.pipelinePath, "--watch", "--parent", "\(getpid())",
                "--mart",
                martPath, "--reference", settings.referencePath,
            ] + (keyPath.map { ["--key-file", $0] } ?? [])
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                guard let process = Self.start(words) else {
                    // The numbers are served without it.
                    logger.error("the worker cannot be started")
                    // Cut short where the server stops, which the loop checks.
                    try? await Task.sleep(for: Self.restartDelay)
                    continue
                }
                logger.info("worker started", metadata: ["pid": "\(process)"])
                let ending = await ChildProcess.ending(
                    of: process,
                    within: nil,
                    checkingEvery: Self.checkInterval
                )
                if ending == .goesOn { await Self.stop(process) }
                if Task.isCancelled { return }
                let status = if case .ended(let number) = ending { "\(number)" } else { "unknown" }
                logger.error("the worker ended", metadata: ["status": "\(status)"])
                // Cut short where the server stops, which the loop checks.
                try? await Task.sleep(for: Self.restartDelay)
            }
        }
    }

    /// Ends a process: the next one goes on with its run.
    private static func stop(_ process: pid_t) async {
        // In a task of its own, since this one is cancelled and would not wait.
        await Task {
            kill(process, SIGTERM)
            let ending = await ChildProcess.ending(
                of: process,
                within: endingPatience,
                checkingEvery: .milliseconds(10)
            )
            if ending == .goesOn { ChildProcess.endAtOnce(process) }
        }.value
    }

    private static func start(_ words: [String]) -> pid_t? {
        program.flatMap { ChildProcess.start([$0] + words, output: .log) }
    }

    /// The program that lies beside this one, or the one that is found; nil where there is none.
    static var program: String? {
        let beside = ownFolder().map { $0 + "/triptych" }
        return beside.flatMap(ChildProcess.path) ?? ChildProcess.path("triptych")
    }

    private static func ownFolder() -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count), as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
