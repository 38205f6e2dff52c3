public import TripDomain

/// A failure that stops the engine's work on a file or on the run.
public struct EngineError: Error, Sendable {
    /// What went wrong, in a form callers and tests can switch on.
    public enum Code: String, Sendable {
        /// A file cannot be opened or read.
        case unreadableFile = "unreadable_file"
        /// A file's gzip frame is damaged or cut.
        case damagedGzip = "damaged_gzip"
        /// A file is larger than the limits allow.
        case limitExceeded = "limit_exceeded"
        /// A file changed while it was read.
        case changedWhileRead = "changed_while_read"
        /// A file's header or dialect is not the declared one.
        case wrongHeader = "wrong_header"
        /// No layout, or more than one, fits the header.
        case layoutMismatch = "layout_mismatch"
        /// A reference file cannot be used.
        case badReference = "bad_reference"
        /// The amounts of a run cannot be added up: see `SumLimit`.
        case overflow
        /// A file cannot be written.
        case unwritableFile = "unwritable_file"
    }

    /// What went wrong.
    public let code: Code
    /// Where; never what stood there.
    public let place: SourcePlace?
    /// What was found and what was expected, then what to do next.
    public let remedy: String
    /// What caused it, for the debugger alone.
    public let cause: (any Error)?

    /// Describes a failure.
    public init(code: Code, place: SourcePlace?, remedy: String, cause: (any Error)? = nil) {
        self.code = code
        self.place = place
        self.remedy = remedy
        self.cause = cause
    }
}
