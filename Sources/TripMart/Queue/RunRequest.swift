/// What somebody asks for: that the stored trips are decided anew and published.
public struct RunRequest: Sendable, Hashable {
    /// When, in seconds of UTC.
    public let at: Int64
    /// Who asks, by the name of their account.
    public let by: String
    /// The saved plan that is to be published; nil where it is the pipeline's folder as it will be.
    public let plan: String?

    /// Describes a request.
    public init(at: Int64, by: String, plan: String?) {
        self.at = at
        self.by = by
        self.plan = plan
    }

    /// Whether a text may name a saved plan.
    ///
    /// - Parameter text: The text.
    /// - Returns: Whether it has eight hexadecimal digits.
    public static func isPlan(_ text: String) -> Bool { Hex.isText(text, digitCount: 8) }
}

/// How far a run has come.
public struct RunStage: Sendable, Hashable {
    /// What it is at, in a word.
    public let name: String
    /// Units that are done.
    public let done: Int64
    /// Units in all; 0 where nobody knows.
    public let total: Int64

    /// Describes how far.
    public init(name: String, done: Int64, total: Int64) {
        self.name = name
        self.done = done
        self.total = total
    }
}

/// What came of a request.
public struct RunEnding: Sendable, Hashable {
    /// In a word.
    public enum Outcome: String, Sendable, CaseIterable {
        /// A generation was published.
        case published
        /// There was nothing to do.
        case unchanged
        /// Nothing was published, for a reason.
        case failed
        /// Somebody called it off.
        case cancelled
    }

    /// When, in seconds of UTC.
    public let at: Int64
    /// What came of it.
    public let outcome: Outcome
    /// How the run ended; nil where none began.
    public let exitCode: Int?
    /// Its number in the list of runs; nil where none began.
    public let run: Int?
    /// The generation that is served since; nil where none began.
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

/// A request and what has become of it.
public struct QueuedRun: Sendable, Hashable {
    /// Where it stands.
    public enum State: Sendable, Hashable {
        /// Nobody has begun.
        case waiting
        /// Somebody is at it, since that time; where nothing is known of how far, the stage is nil.
        case running(since: Int64, stage: RunStage?)
        /// It is over.
        case ended(RunEnding)
    }

    /// 32 hexadecimal digits.
    public let id: String
    /// What it is called in the list of runs.
    public var command: String { "runs work \(id.prefix(8))" }
    /// What was asked for.
    public let request: RunRequest
    /// Where it stands.
    public let state: State
    /// How often somebody began.
    let attempts: Int
    /// Whether it writes a generation, and is not called off any more.
    public let isWriting: Bool
    /// Whether somebody wants it called off.
    public let isToBeCancelled: Bool
}
