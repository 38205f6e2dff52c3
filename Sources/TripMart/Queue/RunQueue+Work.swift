/// The side of the queue that carries requests out.
extension RunQueue {
    /// The right to carry requests out, one process at a time.
    public struct Worker: Sendable {
        fileprivate let queue: RunQueue
        private let lock: QueueLock

        fileprivate init(queue: RunQueue, lock: QueueLock) {
            self.queue = queue
            self.lock = lock
        }
    }

    /// Whether a request waits or runs; a process that died also leaves one that runs.
    ///
    /// - Throws: ``MartError`` of the folder.
    public func hasWork() throws(MartError) -> Bool {
        if try !names(.waiting).isEmpty { return true }
        return try !names(.running).isEmpty
    }

    /// Whether a process carries requests out at this moment, or stands ready to.
    ///
    /// - Throws: ``MartError`` of the folder; with code `locked` where another process held the
    ///   queue for too long to tell.
    public func hasWorker() throws -> Bool {
        guard FileSystem.exists(workerLockPath) else { return false }
        // A worker takes its lock while it holds the queue's, so that it never finds this one.
        return try locked { try QueueLock.take(workerLockPath, waiting: 0) == nil }
    }

    private var workerLockPath: String { folderPath + "/.worker" }

    /// Takes the right to carry requests out, and requeues or ends the requests of a process that
    /// died.
    ///
    /// - Parameter now: The time.
    /// - Returns: The right, held for as long as the value lives; nil where another process has it.
    /// - Throws: ``MartError`` of the folder.
    public func worker(now: Int64) throws -> Worker? {
        let lock = try locked {
            try removeDrafts()
            return try QueueLock.take(workerLockPath, waiting: 0)
        }
        guard let lock else { return nil }
        let worker = Worker(queue: self, lock: lock)
        try worker.recoverRunning(now: now)
        return worker
    }
}

extension RunQueue.Worker {
    /// Starts the request that has waited longest.
    ///
    /// - Parameter now: The time.
    /// - Returns: The run; nil where none waits.
    /// - Throws: ``MartError`` of the folder.
    public func next(now: Int64) throws -> QueuedRun? {
        try queue.locked {
            var waiting: [QueuedRun] = []
            for id in try queue.names(.waiting) {
                if let run = try queue.readOrRefuse(id, .waiting) { waiting.append(run) }
            }
            let first = waiting.min { ($0.request.at, $0.id) < ($1.request.at, $1.id) }
            guard let first else { return nil }
            // An earlier request with the same id may have left these files.
            try queue.removeBeside(first.id)
            try queue.advance(first.id, from: .waiting, to: .running) { text in
                text[time: "since"] = now
                text[number: "attempts"] = Int64(first.attempts + 1)
            }
            return try queue.read(first.id, .running)
        }
    }

    /// Records the progress of a run.
    ///
    /// - Returns: Whether the run may go on, because it has not been cancelled.
    /// - Throws: ``MartError`` of the folder.
    public func note(_ stage: RunStage, of id: String) throws -> Bool {
        try queue.locked {
            if try isCancelled(id) { return false }
            try queue.write(QueueText(stage), id, .stage)
            return true
        }
    }

    /// Records that a run writes from now on, after which it cannot be cancelled.
    ///
    /// - Returns: Whether it may write, because it has not been cancelled.
    /// - Throws: ``MartError`` of the folder.
    public func beginWriting(_ id: String) throws -> Bool {
        try queue.locked {
            if try isCancelled(id) { return false }
            try queue.change(id, .running) { $0["writing"] = "yes" }
            // The stage is for clients that poll the run.
            let stage = RunStage(name: "writing", done: 0, total: 0)
            try queue.write(QueueText(stage), id, .stage)
            return true
        }
    }

    private func isCancelled(_ id: String) throws(MartError) -> Bool {
        try queue.find(id)?.isToBeCancelled ?? false
    }

    /// Records the ending of a run.
    ///
    /// - Throws: ``MartError`` of the folder.
    public func end(_ id: String, _ ending: RunEnding) throws {
        try queue.locked {
            try queue.finish(id, from: .running, ending)
        }
    }

    /// Requeues the request of a dead process where it did not publish: then it changed nothing.
    fileprivate func recoverRunning(now: Int64) throws {
        try queue.locked {
            for id in try queue.names(.running) {
                guard let run = try queue.readOrRefuse(id, .running) else { continue }
                // Where the list of runs cannot be read, the request starts again, as if the list
                // were missing.
                if let published = try? published(run, now: now) {
                    try queue.finish(id, from: .running, published)
                } else if run.isToBeCancelled || run.attempts >= RunQueue.attemptLimit {
                    try queue.finish(id, from: .running, ending(of: run, now: now))
                } else {
                    try FileSystem.remove(queue.path(id, .stage))
                    try queue.advance(id, from: .running, to: .waiting) { $0["writing"] = nil }
                }
            }
        }
    }

    /// The ending of a run whose process died after the link to its generation had moved, read from
    /// the list of runs.
    private func published(_ run: QueuedRun, now: Int64) throws(MartError) -> RunEnding? {
        guard let log = try RunLog.openIfPresent(queue.folder) else { return nil }
        let records = try log.list(limit: RunQueue.recordLimit)
        guard let latest = records.first(where: { $0.command == run.command }),
            latest.outcome == RunEnding.Outcome.published.rawValue,
            let generation = latest.generation
        else { return nil }
        return RunEnding(
            at: now,
            outcome: .published,
            exitCode: latest.exitCode,
            run: latest.number,
            generation: generation,
            summary: latest.summary.isEmpty ? "PUBLISHED \(generation)" : latest.summary
        )
    }

    private func ending(of run: QueuedRun, now: Int64) -> RunEnding {
        RunEnding(
            at: now,
            outcome: run.isToBeCancelled ? .cancelled : .failed,
            summary: run.isToBeCancelled
                ? "cancelled" : "the process that carried it out died \(run.attempts) times"
        )
    }
}
