public import TripMart

/// The statuses a command ends with; the gravest wins.
///
/// `docs/OPERATIONS.md` has one paragraph for each.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Published, or nothing was due.
    case published = 0
    /// An assumption of the program did not hold.
    case internalError = 1
    /// A flag or argument makes no sense.
    case usage = 2
    /// Published, with something the operator should check.
    case publishedWithWarnings = 10
    /// Withheld by a check or limit.
    case withheld = 11
    /// The sums of what was read differ from the sums of what was accounted for.
    case imbalance = 12
    /// A generation cannot be rebuilt from what it was made of.
    case verifyMismatch = 13
    /// An input that a plan was bound to has changed.
    case planMismatch = 14
    /// `check` found faults.
    case faultsFound = 15
    /// No usable input, or a required file cannot be read.
    case noUsableInput = 65
    /// An expected file is overdue, or a known file is missing.
    case missingFile = 66
    /// The system has no memory left for the command.
    case outOfMemory = 71
    /// Something cannot be written.
    case cannotWrite = 73
    /// The system failed to read or write.
    case ioFailed = 74
    /// Another run has locked the mart.
    case locked = 75
    /// The pipeline, its rules or the key cannot be used.
    case badPipeline = 78
    /// Stopped by an interrupt.
    case interrupted = 130
    /// Stopped by a request to terminate.
    case terminated = 143

    /// Maps the failures of a run to statuses; no other table does.
    public init(_ code: RunError.Code) {
        self =
            switch code {
            case .usage: .usage
            case .noUsableInput: .noUsableInput
            case .knownFileMissing, .notFound: .missingFile
            case .withheld: .withheld
            case .imbalance: .imbalance
            case .badPipeline: .badPipeline
            case .planMismatch: .planMismatch
            case .faultsFound: .faultsFound
            case .locked: .locked
            case .cannotWrite: .cannotWrite
            case .ioFailed: .ioFailed
            case .stopped: .interrupted
            case .internalError: .internalError
            }
    }

    /// Maps the failures of the mart to statuses; no other table does.
    public init(_ code: MartError.Code) {
        self =
            switch code {
            case .locked: .locked
            case .keyMissing, .keyWrong, .keyPermissions, .keyUnreadable, .keyMalformed, .keyExists,
                .foreignFile, .newerFile, .olderFile, .otherPipeline, .syntheticMismatch,
                .nameClash,
                .patientClash:
                .badPipeline
            case .imbalance: .imbalance
            case .incomplete: .noUsableInput
            case .damaged, .ioFailed, .notPermitted, .numberTaken, .sealBroken: .ioFailed
            case .diskFull, .cannotCreate: .cannotWrite
            case .nothingServed, .notFound, .notAFolder, .tripsElsewhere: .missingFile
            }
    }
}
