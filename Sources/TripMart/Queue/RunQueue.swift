/// The runs that somebody asked for: a file each in the mart's `queue/`, whose ending says where it stands.
///
///     4f…e1.request     waiting
///     4f…e1.running     somebody is at it; 4f…e1.stage says how far, 4f…e1.cancel that it is to stop
///     4f…e1.ended       what came of it
///
/// Those who ask and those who carry out are different processes. Every change of state is a rename
/// under a lock.
public struct RunQueue: Sendable {
    /// Why a request is not taken.
    public enum Refusal: Error, Sendable {
        /// As many as are allowed are waiting.
        case full
    }

    /// What became of the wish to call a run off.
    public enum Cancelling: Sendable {
        /// It had not begun and never will, or is told to stop.
        case heeded(QueuedRun)
        /// It was over before.
        case over(QueuedRun)
        /// It is writing a generation.
        case tooLate
        /// There is none of that name.
        case unknown
    }

    let folder: MartFolder
    private let patience: Int
    var folderPath: String { folder.queuePath }

    /// Requests that may wait.
    static let waitingLimit = 20
    /// Runs of the list among which one that died is looked for.
    static let recordLimit = 200
    /// Endings that are kept, beside those of the last ``keptSeconds``.
    static let endedLimit = 200
    /// Endings at most, also within a day: somebody who asks and calls off all day fills no disk.
    static let endedCapacity = 2_000
    /// A day: for so long at least the key of a run names it.
    static let keptSeconds: Int64 = 86_400
    /// For how many milliseconds a program waits for those who change the queue, of which each takes some.
    public static let usualPatience = 10_000
    /// A run that took its process with it this often is not begun again.
    static let attemptLimit = 3

    /// Names the queue of a mart.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - patience: For how many milliseconds somebody else may hold the queue.
    public init(_ folder: MartFolder, patience: Int = usualPatience) {
        (self.folder, self.patience) = (folder, patience)
    }

    /// Whether a text may name a request.
    ///
    /// - Parameter id: The text.
    /// - Returns: Whether it has 32 hexadecimal digits.
    public static func isID(_ id: String) -> Bool { Hex.isText(id, digitCount: idDigitCount) }

    private static let idDigitCount = 32

    /// The id of what somebody asks for by a key of their own: the same key of two people asks for two runs.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - account: Who asks.
    /// - Returns: 32 hexadecimal digits.
    public static func id(of key: String, by account: Int64) -> String {
        String(Hex.sha256(Array("\(account) \(key)".utf8)).prefix(idDigitCount))
    }

    /// Asks for a run, once for each id.
    ///
    /// - Parameters:
    ///   - id: 32 hexadecimal digits of whoever asks.
    ///   - request: What is asked for.
    /// - Returns: The run of that id, which may have been asked for before, and for something else.
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

    /// Every run that is known, the latest first; files that are no requests are left out.
    ///
    /// - Throws: ``MartError`` of the folder.
    public func all() throws(MartError) -> [QueuedRun] {
        var ids: Set<String> = []
        for place in Place.states { ids.formUnion(try names(place)) }
        var runs: [QueuedRun] = []
        for id in ids {
            // One that somebody else put there is named to whoever asks for it.
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

    /// Calls a run off.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - now: The time.
    /// - Returns: What became of it.
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
                    summary: "called off before it began"
                )
                try finish(id, from: .waiting, ending)
            case .running:
                if run.isWriting { return .tooLate }
                try write(QueueText(), id, .cancel)
            }
            return .heeded(try find(id) ?? run)
        }
    }
}

extension RunQueue {
    func finish(_ id: String, from: Place, _ ending: RunEnding) throws(MartError) {
        try advance(id, from: from, to: .ended) { $0.ending = ending }
        try removeBeside(id)
        try forgetOldest()
    }

    /// Removes what is said of a run beside its own file.
    func removeBeside(_ id: String) throws(MartError) {
        for place in [Place.stage, .cancel] { try FileSystem.remove(path(id, place)) }
    }

    /// Forgets those that ended first; what ended within a day of the last is kept, so that its key goes on naming it.
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

    /// Reads a request; one that is none is put aside, so that it is not looked at for ever.
    func readOrRefuse(_ id: String, _ place: Place) throws(MartError) -> QueuedRun? {
        do throws(MartError) {
            return try read(id, place)
        } catch {
            guard error.code == .damaged else { throw error }
            try FileSystem.move(path(id, place), to: path(id, .refused))
            return nil
        }
    }

    /// Does something while nobody else changes the queue.
    func locked<Value>(_ body: () throws -> Value) throws -> Value {
        try folder.createQueue()
        let path = folderPath + "/.lock"
        guard let lock = try QueueLock.take(path, waiting: patience) else {
            throw MartError(
                .locked,
                file: path,
                remedy:
                    "Another process holds it and changes nothing. See which (`fuser`), and end it."
            )
        }
        return try withExtendedLifetime(lock) { try body() }
    }
}
