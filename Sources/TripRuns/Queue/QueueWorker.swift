import Synchronization
import TripDomain
public import TripMart

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

    /// Carries out requests until none waits, each as soon as no other process has locked the mart.
    ///
    /// - Returns: The number of runs; nil where another process carries requests out.
    /// - Throws: `MartError` of the queue or of the mart's lock.
    public func perform() throws -> Int? {
        let folder = MartFolder(path: options.martPath)
        let queue = RunQueue(folder)
        guard try queue.hasWork() else { return 0 }
        guard let worker = try queue.worker(now: now()) else { return nil }
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
                ending.status == .published ? .unchanged : .failed
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
