/// A request to classify the stored trips again and to publish the result.
public struct RunRequest: Sendable, Hashable {
    /// The time, in seconds of UTC.
    public let at: Int64
    /// The name of the account that requests the run.
    public let by: String
    /// The saved plan to publish; nil for the pipeline's folder as it is when the run starts.
    public let plan: String?

    /// Describes a request.
    public init(at: Int64, by: String, plan: String?) {
        self.at = at
        self.by = by
        self.plan = plan
    }

    /// Whether a text can be the id of a saved plan.
    ///
    /// - Parameter text: The text.
    /// - Returns: Whether it has eight hexadecimal digits.
    public static func isPlan(_ text: String) -> Bool { Hex.isText(text, digitCount: 8) }
}

/// The progress of a run.
public struct RunStage: Sendable, Hashable {
    /// The name of the stage, one word.
    public let name: String
    /// The number of units done.
    public let done: Int64
    /// The number of units in all; 0 where it is not known.
    public let total: Int64

    /// Describes the progress.
    public init(name: String, done: Int64, total: Int64) {
        self.name = name
        self.done = done
        self.total = total
    }
}

/// The ending of a request.
public struct RunEnding: Sendable, Hashable {
    /// The outcome, one word.
    public enum Outcome: String, Sendable, CaseIterable {
        /// A generation was published.
        case published
        /// There was nothing to do.
        case unchanged
        /// Nothing was published, for a reason.
        case failed
        /// The run was cancelled.
        case cancelled
    }

    /// The time, in seconds of UTC.
    public let at: Int64
    /// The outcome.
    public let outcome: Outcome
    /// The exit code of the run; nil where none started.
    public let exitCode: Int?
    /// Its number in the list of runs; nil where none started.
    public let run: Int?
    /// The generation that it published; nil where it published none.
    public let generation: Int?
    /// What happened, in a line.
    public let summary: String

    /// Describes an ending.
    public init(
        at: Int64,
        outcome: Outcome,
        exitCode: Int? = nil,
        run: Int? = nil,
        generation: Int? = nil,
        summary: String
    ) {
        self.at = at
        self.outcome = outcome
        self.exitCode = exitCode
        self.run = run
        self.generation = generation
        self.summary = summary
    }
}

/// A request and its state.
public struct QueuedRun: Sendable, Hashable {
    /// Its state.
    public enum State: Sendable, Hashable {
        /// No process has started it.
        case waiting
        /// A process has worked on it since that time; the stage is nil where its progress is not
        /// known.
        case running(since: Int64, stage: RunStage?)
        /// It has ended.
        case ended(RunEnding)
    }

    /// 32 hexadecimal digits.
    public let id: String
    /// Its command in the list of runs.
    public var command: String { "runs work \(id.prefix(8))" }
    /// The request.
    public let request: RunRequest
    /// Its state.
    public let state: State
    /// How often a process has started it.
    let attempts: Int
    /// Whether it writes a generation and can no longer be cancelled.
    public let isWriting: Bool
    /// Whether it has been asked to stop.
    public let isToBeCancelled: Bool
}
