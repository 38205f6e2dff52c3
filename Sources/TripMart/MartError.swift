internal import Glibc
public import TripDomain

/// A failure of the mart: what stopped, where, and what the operator should do next.
///
/// The texts never repeat a driver's message: drivers put row values in their messages.
public struct MartError: Error, Sendable, CustomStringConvertible {
    /// What went wrong; the codes are stable, and tests and callers switch on them.
    public enum Code: String, Sendable, CaseIterable {
        /// Another run holds the mart. Exit 75.
        case locked
        /// The mart has generations and the key file is missing. Exit 78.
        case keyMissing = "key_missing"
        /// The key file is not the one the mart was made with. Exit 78.
        case keyWrong = "key_wrong"
        /// Users other than its owner can read the key file. Exit 78.
        case keyPermissions = "key_permissions"
        /// The key file cannot be read. Exit 78.
        case keyUnreadable = "key_unreadable"
        /// The key file is not a key file. Exit 78.
        case keyMalformed = "key_malformed"
        /// A key file already exists where one was to be created. Exit 78.
        case keyExists = "key_exists"
        /// Triptych did not write the file. Exit 78.
        case foreignFile = "foreign_file"
        /// The file was written by a newer version of Triptych. Exit 78.
        case newerFile = "newer_file"
        /// The file was written by an older version that this one cannot read. Exit 78.
        case olderFile = "older_file"
        /// The mart belongs to another pipeline. Exit 78.
        case otherPipeline = "other_pipeline"
        /// Generated and real data would meet in one mart. Exit 78.
        case syntheticMismatch = "synthetic_mismatch"
        /// Names in the pipeline clash with names that the tables need. Exit 78.
        case nameClash = "name_clash"
        /// Two patient identifiers have the same reference. Exit 78.
        case patientClash = "patient_clash"
        /// The recount of the finished file does not agree with the ledger or the cube. Exit 12.
        case imbalance
        /// A file does not hold what was written to it. Exit 74.
        case damaged
        /// The link to the published generation is missing, names an older one or leads to none of
        /// the mart, or all generations are missing. Exit 65.
        case incomplete
        /// The operating system refused to read or write. Exit 74.
        case ioFailed = "io_failed"
        /// The account may not read or write a file of another account. Exit 74.
        case notPermitted = "not_permitted"
        /// The disk is full. Exit 73.
        case diskFull = "disk_full"
        /// A folder or file cannot be created. Exit 73.
        case cannotCreate = "cannot_create"
        /// A file lies where a folder is needed, such as that of the mart. Exit 66.
        case notAFolder = "not_a_folder"
        /// The number of a new generation is already in use. Exit 74.
        case numberTaken = "number_taken"
        /// Nothing is published yet. Exit 66.
        case nothingServed = "nothing_served"
        /// The mart does not have the requested item. Exit 66.
        case notFound = "not_found"
        /// The trips of the generation lie elsewhere, and the answer needs them. Exit 66.
        case tripsElsewhere = "trips_elsewhere"
        /// A sealed value or a trip reference does not open with this key. Exit 74.
        case sealBroken = "seal_broken"
    }

    /// What went wrong.
    public let code: Code
    /// The file concerned, where there is one; never content.
    public let position: SourcePosition?
    /// What the operator should do next.
    public let remedy: String
    /// The underlying error, for the debugger, not for the log.
    public let cause: (any Error)?
    /// The process that holds the lock; present for `locked` where it could be read.
    public let lockOwner: LockOwner?
    /// The findings of the check before publication; present for `imbalance` and `damaged`.
    public let findings: [Finding]
    /// Where the trips lie; present for `tripsElsewhere`.
    public let tripLocation: TripLocation?
    /// The generation whose trips lie there; present for `tripsElsewhere`.
    public let generation: Int?

    /// Describes one failure.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - file: The file concerned.
    ///   - remedy: What the operator should do next.
    ///   - cause: The error behind it, for the debugger.
    ///   - lockOwner: The process that holds the lock.
    ///   - findings: The findings of a check.
    ///   - tripLocation: Where the trips lie.
    ///   - generation: The generation they belong to.
    public init(
        _ code: Code,
        file: String? = nil,
        remedy: String,
        cause: (any Error)? = nil,
        lockOwner: LockOwner? = nil,
        findings: [Finding] = [],
        tripLocation: TripLocation? = nil,
        generation: Int? = nil
    ) {
        self.code = code
        position = file.map { SourcePosition(file: $0) }
        self.remedy = remedy
        self.cause = cause
        self.lockOwner = lockOwner
        self.findings = findings
        (self.tripLocation, self.generation) = (tripLocation, generation)
    }

    /// The code, the file and the remedy; never the cause.
    public var description: String {
        // The steps of a remedy stand on lines of their own; a log has one line for all.
        let steps = remedy.split(separator: "\n").joined(separator: " ")
        return [code.rawValue, position?.text, UnseenCharacters.named(in: steps)]
            .compactMap(\.self).joined(separator: ": ")
    }
}
