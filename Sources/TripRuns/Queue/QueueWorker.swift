import Synchronization
import TripDomain
public import TripMart
import TripPipeline

/// Carries out queued requests for runs, one after the other, as the command would.
public struct QueueWorker {
    private let options: RunOptions
    private let output: any RunOutput
    private let watch: (@Sendable (WorkProgress) -> Void)?
    private let now: () -> Int64
    private let pause: () -> Bool
    private let report: (QueuedRun, RunSession.Ending) -> Void

    /// The shortest time between two progress notes of a run.
    private static let noteMilliseconds: Int64 = 500

    /// Prepares to work.
    ///
    /// - Parameters:
    ///   - options: The pipeline, mart and reference files of every run.
    ///   - output: What puts the results of runs into words.
    ///   - watch: Called with the progress of every run, beside the queue; nil where none is shown.
    ///   - now: The time, in seconds of UTC.
    ///   - pause: Called while another run, such as the nightly run, has locked the mart. It lets
    ///     time pass and returns whether to wait on.
    ///   - report: Called after every run with its request and its ending.
    public init(
        options: RunOptions,
        output: any RunOutput,
        watch: (@Sendable (WorkProgress) -> Void)? = nil,
        now: @escaping () -> Int64,
        pause: @escaping () -> Bool,
        report: @escaping (QueuedRun, RunSession.Ending) -> Void
    ) {
        self.options = options
        self.output = output
        self.watch = watch
        self.now = now
        self.pause = pause
        self.report = report
    }

    /// Takes the right to carry requests out, for a process that waits for more of them: while it
    /// holds the right, the server can say that requests are taken up.
    ///
    /// - Returns: The right; nil where another process has it.
    /// - Throws: `MartError` of the queue; with code `nothingServed` where there is no mart.
    public func standReady() throws -> RunQueue.Worker? {
        try queue().worker(now: now())
    }

    /// Carries out requests until none waits, each as soon as no other process has locked the mart.
    ///
    /// - Parameter ready: The right to do so, where the caller holds it; else it is taken.
    /// - Returns: The number of runs; nil where another process carries requests out.
    /// - Throws: `MartError` of the queue or of the mart's lock; with code `nothingServed` where
    ///   there is no mart.
    public func perform(_ ready: RunQueue.Worker? = nil) throws -> Int? {
        let (queue, folder) = (try queue(), MartFolder(path: options.martPath))
        guard try queue.hasWork() else { return 0 }
        guard let worker = try ready ?? queue.worker(now: now()) else { return nil }
        var count = 0
        while try queue.hasWork() {
            while try MartLock.owner(folder) != nil {
                guard pause() else { return count }
            }
            guard let run = try worker.next(now: now()) else { break }
            let ending = carryOut(run, worker)
            try worker.end(run.id, self.ending(ending))
            report(run, ending)
            count += 1
        }
        return count
    }

    /// The queue of the mart; a folder that does not exist has none, and never gets a request.
    private func queue() throws(MartError) -> RunQueue {
        guard FileText.exists(options.martPath) else {
            throw MartError(
                .nothingServed,
                file: options.martPath,
                remedy: "There is no such folder, so no request can wait in it. Give the mart that "
                    + "is served: --mart DIR."
            )
        }
        return RunQueue(MartFolder(path: options.martPath))
    }

    private func carryOut(_ run: QueuedRun, _ worker: RunQueue.Worker) -> RunSession.Ending {
        var options = options
        options.now = now()
        options.madeBy = run.request.by
        let plan: ApprovedPlan?
        do {
            plan = try run.request.plan.map {
                try ApprovedPlan.open($0, martPath: options.martPath)
            }
        } catch {
            return RunSession.ending(Failure(error), options, output)
        }
        if plan != nil { options.approvedBy = run.request.by }
        let notes = StageRecorder(run.id, worker, everyMilliseconds: Self.noteMilliseconds)
        return RunSession(
            reclassifying: options,
            command: run.command,
            plan: plan,
            output: output,
            progress: Progress { [watch] progress in
                watch?(progress)
                notes.take(progress)
            }
        ) {
            guard try worker.beginWriting(run.id) else {
                throw RunError(
                    .stopped,
                    summary: "cancelled",
                    what: "Request \(run.id.prefix(8)) was cancelled before anything was written.",
                    remedies: ["Request it again if it is still wanted."]
                )
            }
        }.perform()
    }

    private func ending(_ ending: RunSession.Ending) -> RunEnding {
        let outcome: RunEnding.Outcome =
            if ending.status == .interrupted {
                .cancelled
            } else if ending.isPublished {
                .published
            } else {
                [.published, .publishedWithWarnings].contains(ending.status)
                    ? .unchanged : .failed
            }
        return RunEnding(
            at: now(),
            outcome: outcome,
            exitCode: Int(ending.status.rawValue),
            run: ending.runNumber,
            generation: ending.generation,
            summary: ending.text.summary
        )
    }
}

/// Writes the progress of a run into the queue from time to time.
private final class StageRecorder: Sendable {
    private let id: String
    private let worker: RunQueue.Worker
    private let interval: Int64
    private let notedAt = Mutex<(at: Int64, stage: String)>((0, ""))

    init(_ id: String, _ worker: RunQueue.Worker, everyMilliseconds: Int64) {
        self.id = id
        self.worker = worker
        interval = everyMilliseconds
    }

    func take(_ progress: WorkProgress) {
        let stage = RunStage(
            name: progress.stage,
            done: progress.done,
            total: progress.total
        )
        let isDue = notedAt.withLock { last in
            let now = Progress.milliseconds()
            guard stage.name != last.stage || now - last.at >= interval else { return false }
            last = (now, stage.name)
            return true
        }
        // A lost progress note does not matter: the run goes on all the same.
        if isDue { _ = try? worker.note(stage, of: id) }
    }
}
