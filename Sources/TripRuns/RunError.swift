public import TripDomain

/// A failure that ends a run: why, where, and what the operator should do next.
public struct RunError: Error, Sendable {
    /// What went wrong, in a form callers and tests can switch on.
    public enum Code: String, Sendable, CaseIterable {
        /// A flag or argument makes no sense.
        case usage
        /// There is nothing that can be read, or a required file cannot be.
        case noUsableInput = "no_usable_input"
        /// A file that was taken in before is no longer there.
        case knownFileMissing = "known_file_missing"
        /// A check or limit keeps the numbers from being published.
        case withheld
        /// The sums of what was read differ from the sums of what was accounted for.
        case imbalance
        /// The pipeline, its rules, its reference files or its key cannot be used.
        case badPipeline = "bad_pipeline"
        /// An input that a plan was bound to has changed.
        case planMismatch = "plan_mismatch"
        /// `check` found faults.
        case faultsFound = "faults_found"
        /// Another run has locked the mart.
        case locked
        /// Something cannot be written.
        case cannotWrite = "cannot_write"
        /// The system failed to read or write.
        case ioFailed = "io_failed"
        /// The mart does not hold what the caller asked for.
        case notFound = "not_found"
        /// A signal stopped the run.
        case stopped
        /// An assumption of the program did not hold.
        case internalError = "internal"
    }

    /// What went wrong.
    public let code: Code
    /// One short clause for the first line, such as `1 required file unreadable`.
    public let summary: String
    /// What was found, in one or two sentences; never content of an export.
    public let what: String
    /// Steps for the operator, in order.
    public let remedies: [String]
    /// The position in a file; nil where the failure is not about one.
    public let position: SourcePosition?
    /// What caused it, for the debugger alone.
    public let cause: (any Error)?

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - summary: One short clause for the first line.
    ///   - what: What was found.
    ///   - remedies: Steps for the operator.
    ///   - position: The position in a file.
    ///   - cause: What caused it.
    public init(
        _ code: Code,
        summary: String,
        what: String,
        remedies: [String],
        position: SourcePosition? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.summary = summary
        self.what = what
        self.remedies = remedies
        self.position = position
        self.cause = cause
    }
}
