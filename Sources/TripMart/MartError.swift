internal import Glibc
public import TripDomain

/// A failure of the mart: what stopped, where, and what the operator should do next.
///
/// The texts never carry what a driver said: drivers put row values in their messages.
public struct MartError: Error, Sendable, CustomStringConvertible {
    /// What went wrong; stable, what tests and callers switch on.
    public enum Code: String, Sendable, CaseIterable {
        /// Another run holds the mart. Exit 75.
        case locked
        /// The mart has generations and the key file is not there. Exit 78.
        case keyMissing = "key_missing"
        /// The key file is not the one the mart was made with. Exit 78.
        case keyWrong = "key_wrong"
        /// The key file can be read by others than its owner. Exit 78.
        case keyPermissions = "key_permissions"
        /// The key file is not a key file. Exit 78.
        case keyMalformed = "key_malformed"
        /// A key file is already there where one was to be made. Exit 78.
        case keyExists = "key_exists"
        /// The file is not one of ours. Exit 78.
        case foreignFile = "foreign_file"
        /// The file was written by a newer version of Triptych. Exit 78.
        case newerFile = "newer_file"
        /// The file was written by an older version that this one cannot read. Exit 78.
        case olderFile = "older_file"
        /// The mart belongs to another pipeline. Exit 78.
        case otherPipeline = "other_pipeline"
        /// Generated and real data would meet in one mart. Exit 78.
        case syntheticMismatch = "synthetic_mismatch"
        /// Names of the pipeline clash with names the tables need. Exit 78.
        case nameClash = "name_clash"
        /// Two patient identifiers lead to the same reference. Exit 78.
        case patientClash = "patient_clash"
        /// The recount of the finished file does not agree with the ledger or the cube. Exit 12.
        case imbalance
        /// A file does not hold what was written to it. Exit 74.
        case damaged
        /// The operating system refused to read or write. Exit 74.
        case ioFailed = "io_failed"
        /// There is no room left. Exit 73.
        case diskFull = "disk_full"
        /// A folder or file cannot be made. Exit 73.
        case cannotCreate = "cannot_create"
        /// A number that was to be new is taken. Exit 74.
        case numberTaken = "number_taken"
        /// Nothing is published yet. Exit 66.
        case nothingServed = "nothing_served"
        /// What was asked for is not there. Exit 66.
        case notFound = "not_found"
        /// A sealed value or a trip reference does not open with this key. Exit 74.
        case sealBroken = "seal_broken"
    }

    /// What went wrong.
    public let code: Code
    /// The file it went wrong with, where there is one; never content.
    public let place: SourcePlace?
    /// What the operator should do next.
    public let remedy: String
    /// For the debugger, not for the log.
    public let cause: (any Error)?
    /// Who holds the lock; present for `locked` where the owner could be read.
    public let lockOwner: LockOwner?
    /// What the check before publication found; present for `imbalance` and `damaged`.
    public let findings: [Finding]

    /// Describes one failure.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - file: The file it went wrong with.
    ///   - remedy: What the operator should do next.
    ///   - cause: The error behind it, for the debugger.
    ///   - lockOwner: Who holds the lock.
    ///   - findings: What a check found.
    public init(
        _ code: Code,
        file: String? = nil,
        remedy: String,
        cause: (any Error)? = nil,
        lockOwner: LockOwner? = nil,
        findings: [Finding] = []
    ) {
        self.code = code
        place = file.map { SourcePlace(file: $0) }
        self.remedy = remedy
        self.cause = cause
        self.lockOwner = lockOwner
        self.findings = findings
    }

    /// Does what pages are written or read by, and says of its error what readers of a mart know.
    static func converting<Value>(
        _ work: () throws(PageError) -> Value
    ) throws(MartError) -> Value {
        do throws(PageError) { return try work() } catch { throw MartError(error) }
    }

    /// What writing or reading pages came upon.
    init(_ error: PageError) {
        if FileSystem.meansFull(error.errorNumber) {
            self = FileSystem.full(error.path)
            return
        }
        let code: Code = error.code == .damaged ? .damaged : .ioFailed
        self.init(code, file: error.path, remedy: error.remedy, cause: error)
    }

    /// The code, the file and the remedy; never the cause.
    public var description: String {
        [code.rawValue, place?.text, remedy].compactMap { $0 }.joined(separator: ": ")
    }
}
