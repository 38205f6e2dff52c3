/// What those do who carry requests out.
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

    /// Whether anything waits, or was left by a process that died or is at it.
    ///
    /// - Throws: ``MartError`` of the folder.
    public func hasWork() throws(MartError) -> Bool {
        if try !names(.waiting).isEmpty { return true }
        return try !names(.running).isEmpty
    }

    /// Takes the right to carry requests out, and sees to those that another process left when it died.
    ///
    /// - Parameter now: The time.
    /// - Returns: The right, held as long as it is kept; nil where another process has it.
    /// - Throws: ``MartError`` of the folder.
    public func worker(now: Int64) throws -> Worker? {
        let lock = try locked { try QueueLock.take(folderPath + "/.worker", waiting: 0) }
        guard let lock else { return nil }
        let worker = Worker(queue: self, lock: lock)
        try worker.takeUpAgain(now: now)
        return worker
    }
}

extension RunQueue.Worker {
    /// Begins with the request that has waited longest.
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
            // What an earlier one of its name may have left behind.
            try queue.removeBeside(first.id)
            try queue.advance(first.id, from: .waiting, to: .running) { text in
                text[time: "since"] = now
                text[number: "attempts"] = Int64(first.attempts + 1)
            }
            return try queue.read(first.id, .running)
        }
    }

    /// Says how far a run has come.
    ///
    /// - Returns: Whether it is to go on: nobody has called it off.
    /// - Throws: ``MartError`` of the folder.
    public func note(_ stage: RunStage, of id: String) throws -> Bool {
        try queue.locked {
            if try isCancelled(id) { return false }
            try queue.write(QueueText(stage), id, .stage)
            return true
        }
    }

    /// Says that a run writes from now on, which is not called off.
    ///
    /// - Returns: Whether it may: nobody has called it off before.
    /// - Throws: ``MartError`` of the folder.
    public func beginWriting(_ id: String) throws -> Bool {
        try queue.locked {
            if try isCancelled(id) { return false }
            try queue.change(id, .running) { $0["writing"] = "yes" }
            // For whoever looks.
            let stage = RunStage(name: "writing", done: 0, total: 0)
            try queue.write(QueueText(stage), id, .stage)
            return true
        }
    }

    private func isCancelled(_ id: String) throws(MartError) -> Bool {
        try queue.find(id)?.isToBeCancelled ?? false
    }

    /// Writes down what came of a run.
    ///
    /// - Throws: ``MartError`` of the folder.
    public func end(_ id: String, _ ending: RunEnding) throws {
        try queue.locked {
            try queue.finish(id, from: .running, ending)
        }
    }

    /// Lets what a dead process was at wait again, where it did not publish: then it did nothing.
    fileprivate func takeUpAgain(now: Int64) throws {
        try queue.locked {
            for id in try queue.names(.running) {
                guard let run = try queue.readOrRefuse(id, .running) else { continue }
                // Where the list of runs cannot be read, it begins again, as if it were not there.
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

    /// How a run ended whose process died after the link to its generation had moved, by the list of runs.
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
                ? "called off" : "the process that carried it out died \(run.attempts) times"
        )
    }
}
