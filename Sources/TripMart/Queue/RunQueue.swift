/// The queue of requested runs: one file each in the mart's `queue/`, whose suffix is the state.
///
///     4f…e1.request     waiting
///     4f…e1.running     a process works on it; 4f…e1.stage has its progress,
///                       4f…e1.cancel stops it
///     4f…e1.ended       its outcome
///
/// The server's process adds requests, and another process carries them out. Every change of state
/// is a rename under a lock.
public struct RunQueue: Sendable {
    /// Why a request is not accepted.
    public enum Refusal: Error, Sendable {
        /// The maximum number of requests is waiting.
        case full
    }

    /// The result of cancelling a run.
    public enum Cancelling: Sendable {
        /// The run had not started and never will, or it has been told to stop.
        case accepted(QueuedRun)
        /// The run had already ended.
        case over(QueuedRun)
        /// The run is writing a generation.
        case tooLate
        /// There is no run with that id.
        case unknown
    }

    let folder: MartFolder
    private let patience: Int
    var folderPath: String { folder.queuePath }

    /// The maximum number of waiting requests.
    static let waitingLimit = 20
    /// The newest runs of the list in which a run that died is searched.
    static let recordLimit = 200
    /// The endings that are kept in addition to those of the last ``keptSeconds``.
    static let endedLimit = 200
    /// The maximum number of endings, also within a day: an account that requests and cancels runs
    /// all day cannot fill the disk.
    static let endedCapacity = 2_000
    /// A day: an idempotency key identifies its run for at least this long.
    static let keptSeconds: Int64 = 86_400
    /// The milliseconds a program waits for other processes that change the queue; each change
    /// takes a few milliseconds.
    public static let usualPatience = 10_000
    /// A run whose process died this often is not started again.
    static let attemptLimit = 3

    /// Creates the queue of a mart; touches no file.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - patience: The milliseconds for which another process may hold the queue.
    public init(_ folder: MartFolder, patience: Int = usualPatience) {
        (self.folder, self.patience) = (folder, patience)
    }

    /// Whether a text can be the id of a request.
    ///
    /// - Parameter id: The text.
    /// - Returns: Whether it has 32 hexadecimal digits.
    public static func isID(_ id: String) -> Bool { Hex.isText(id, digitCount: idDigitCount) }

    private static let idDigitCount = 32

    /// The id of a request with an idempotency key: the same key of two accounts makes two runs.
    ///
    /// - Parameters:
    ///   - key: The idempotency key.
    ///   - account: The account that requests the run.
    /// - Returns: 32 hexadecimal digits.
    public static func id(of key: String, by account: Int64) -> String {
        String(Hex.sha256(Array("\(account) \(key)".utf8)).prefix(idDigitCount))
    }

    /// Requests a run, once for each id.
    ///
    /// - Parameters:
    ///   - id: The id, 32 hexadecimal digits.
    ///   - request: The requested run.
    /// - Returns: The run of that id, which may have been requested before, and with other
    ///   contents.
    /// - Throws: ``Refusal``; ``MartError`` of the folder.
    public func add(_ id: String, _ request: RunRequest) throws -> QueuedRun {
        precondition(Self.isID(id), "an id has 32 hexadecimal digits")
        return try locked {
            if let known = try find(id) { return known }
            guard try names(.waiting).count < Self.waitingLimit else { throw Refusal.full }
            try write(QueueText(request), id, .waiting)
            return try read(id, .waiting)
        }
    }

    /// All known runs, the latest first; files that are not requests are left out.
    ///
    /// - Throws: ``MartError`` of the folder.
    public func all() throws(MartError) -> [QueuedRun] {
        var ids: Set<String> = []
        for file in RequestFile.states { ids.formUnion(try names(file)) }
        var runs: [QueuedRun] = []
        for id in ids {
            // `run(_:)` reports a file that is not a request.
            if let run = try? find(id) { runs.append(run) }
        }
        return runs.sorted { ($1.request.at, $1.id) < ($0.request.at, $0.id) }
    }

    /// One run.
    ///
    /// - Parameter id: Its id.
    /// - Returns: The run; nil where there is none.
    /// - Throws: ``MartError`` of the file.
    public func run(_ id: String) throws(MartError) -> QueuedRun? {
        Self.isID(id) ? try find(id) : nil
    }

    /// Cancels a run.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - now: The time.
    /// - Returns: The result.
    /// - Throws: ``MartError`` of the folder.
    public func cancel(_ id: String, now: Int64) throws -> Cancelling {
        guard Self.isID(id) else { return .unknown }
        return try locked {
            guard let run = try find(id) else { return .unknown }
            switch run.state {
            case .ended: return .over(run)
            case .waiting:
                let ending = RunEnding(
                    at: now,
                    outcome: .cancelled,
                    summary: "cancelled before it began"
                )
                try finish(id, from: .waiting, ending)
            case .running:
                if run.isWriting { return .tooLate }
                try write(QueueText(), id, .cancel)
            }
            return .accepted(try find(id) ?? run)
        }
    }
}

extension RunQueue {
    func finish(_ id: String, from: RequestFile, _ ending: RunEnding) throws(MartError) {
        try advance(id, from: from, to: .ended) { $0.ending = ending }
        try removeBeside(id)
        try forgetOldest()
    }

    /// Removes the files of a run beside its own.
    func removeBeside(_ id: String) throws(MartError) {
        for file in [RequestFile.stage, .cancel] { try FileSystem.remove(path(id, file)) }
    }

    /// Removes the oldest endings; those within a day of the last are kept, so that their keys
    /// still identify them.
    private func forgetOldest() throws(MartError) {
        let names = try names(.ended)
        guard names.count > Self.endedLimit else { return }
        var ended: [(at: Int64, id: String)] = []
        for id in names {
            guard case .ended(let ending)? = try readOrRefuse(id, .ended)?.state else { continue }
            ended.append((ending.at, id))
        }
        let newest = ended.sorted { $1 < $0 }
        let day = (newest.first?.at ?? 0) - Self.keptSeconds
        for (index, old) in newest.enumerated().dropFirst(Self.endedLimit)
        where old.at < day || index >= Self.endedCapacity {
            try FileSystem.remove(path(old.id, .ended))
        }
    }

    /// Reads a request; a file that is not one is renamed, so that it is not read again and again.
    func readOrRefuse(_ id: String, _ file: RequestFile) throws(MartError) -> QueuedRun? {
        do throws(MartError) {
            return try read(id, file)
        } catch {
            guard error.code == .damaged else { throw error }
            try FileSystem.move(path(id, file), to: path(id, .refused))
            return nil
        }
    }

    /// Runs the body while no other process changes the queue.
    func locked<Value>(_ body: () throws -> Value) throws -> Value {
        try folder.createQueue()
        let path = folderPath + "/.lock"
        guard let lock = try QueueLock.take(path, waiting: patience) else {
            throw MartError(
                .locked,
                file: path,
                remedy:
                    "Another process holds the lock. Find it with `fuser`, and end it."
            )
        }
        return try withExtendedLifetime(lock) { try body() }
    }
}

extension RunQueue {
    /// The files of a request.
    enum RequestFile: String {
        case waiting = "request"
        case running
        case ended
        case stage
        case cancel
        /// A file that is not a valid request.
        case refused

        /// The states in the order in which a request passes through them.
        static let states: [RequestFile] = [.waiting, .running, .ended]
    }

    func path(_ id: String, _ file: RequestFile) -> String {
        "\(folderPath)/\(id).\(file.rawValue)"
    }

    /// The ids of the files of one kind, in no particular order.
    func names(_ file: RequestFile) throws(MartError) -> [String] {
        try FileSystem.names(in: folderPath).compactMap { name in
            guard name.hasSuffix("." + file.rawValue) else { return nil }
            let id = String(name.dropLast(file.rawValue.count + 1))
            return Self.isID(id) ? id : nil
        }
    }

    /// Finds a request even while another process moves it forwards or, once, back.
    func find(_ id: String) throws(MartError) -> QueuedRun? {
        for file in RequestFile.states + RequestFile.states {
            if let run = try readIfThere(id, file) { return run }
        }
        return nil
    }

    private func readIfThere(_ id: String, _ file: RequestFile) throws(MartError) -> QueuedRun? {
        do throws(MartError) {
            return try read(id, file)
        } catch {
            if error.code == .notFound || !FileSystem.exists(path(id, file)) { return nil }
            throw error
        }
    }

    func read(_ id: String, _ file: RequestFile) throws(MartError) -> QueuedRun {
        let text = try text(id, file)
        guard let request = text.request else { throw damaged(id, file) }
        let state: QueuedRun.State
        switch file {
        case .running:
            // The stage may be missing, or another process may be writing it at this moment.
            let stage = try? self.text(id, .stage).stage
            state = .running(since: text[time: "since"] ?? request.at, stage: stage)
        case .ended:
            guard let ending = text.ending else { throw damaged(id, file) }
            state = .ended(ending)
        default: state = .waiting
        }
        return QueuedRun(
            id: id,
            request: request,
            state: state,
            attempts: Int(min(max(text[number: "attempts"] ?? 0, 0), Int64(Self.attemptLimit))),
            isWriting: text["writing"] != nil,
            isToBeCancelled: file == .running && FileSystem.exists(path(id, .cancel))
        )
    }

    private func text(_ id: String, _ file: RequestFile) throws(MartError) -> QueueText {
        guard let text = QueueText(try QueueFile.read(path(id, file))) else {
            throw damaged(id, file)
        }
        return text
    }

    private func damaged(_ id: String, _ file: RequestFile) -> MartError {
        MartError(
            .damaged,
            file: path(id, file),
            remedy: "This is no request. Remove the file, and request the run again."
        )
    }

    /// Replaces a file atomically: a reader sees the old one or the new one.
    ///
    /// The stage of a run need not survive a crash of the machine, so it is not synced.
    func write(_ text: QueueText, _ id: String, _ file: RequestFile) throws(MartError) {
        let draft = "\(folderPath)/.\(id).\(file.rawValue)\(Self.draftSuffix)"
        try FileSystem.remove(draft)
        try QueueFile.writeNew(text.bytes, to: draft, isSynced: file != .stage)
        try FileSystem.move(draft, to: path(id, file))
        if file != .stage { try FileSystem.sync(folderPath) }
    }

    /// Removes the drafts of processes that ended, or met an error, while they wrote; every draft
    /// is written and moved under the lock, which the caller holds.
    func removeDrafts() throws(MartError) {
        for name in try FileSystem.names(in: folderPath)
        where name.hasPrefix(".") && name.hasSuffix(Self.draftSuffix) {
            try FileSystem.remove(folderPath + "/" + name)
        }
    }

    private static let draftSuffix = ".new"

    /// Moves a request to its next state, with changed text; at every moment exactly one file has
    /// it.
    func advance(
        _ id: String,
        from: RequestFile,
        to: RequestFile,
        _ change: (inout QueueText) -> Void
    ) throws(MartError) {
        try self.change(id, from, change)
        try FileSystem.move(path(id, from), to: path(id, to))
        try FileSystem.sync(folderPath)
    }

    /// Changes the text of a request.
    func change(
        _ id: String,
        _ file: RequestFile,
        _ change: (inout QueueText) -> Void
    ) throws(MartError) {
        var text = try text(id, file)
        change(&text)
        try write(text, id, file)
    }
}
