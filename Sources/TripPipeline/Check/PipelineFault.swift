import TripDomain
import TripEngine

/// A fault in a pipeline folder: its position, what was found, what was expected, what to do.
public struct PipelineFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's path, as messages show it.
    public let file: String
    /// The line, from 1; 0 where the fault concerns the whole file.
    public let line: Int
    /// The column, from 1; 0 where the fault concerns the whole line.
    public let column: Int
    /// What was found and what was expected.
    public let message: String
    /// What to do about it; empty where the message is enough.
    public let suggestion: String
    /// Whether the system keeps the file from being read, such as for want of a permission; nothing
    /// is said about its content then.
    public let isOfSystem: Bool

    /// Describes one fault.
    ///
    /// - Parameters:
    ///   - file: The file's path.
    ///   - line: The line, from 1.
    ///   - column: The column, from 1.
    ///   - message: What was found and what was expected.
    ///   - suggestion: What to do about it.
    ///   - isOfSystem: Whether the system keeps the file from being read.
    public init(
        file: String,
        line: Int = 0,
        column: Int = 0,
        message: String,
        suggestion: String = "",
        isOfSystem: Bool = false
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.suggestion = suggestion
        self.isOfSystem = isOfSystem
    }

    /// `file:line:column: message` and the suggestion on a line of its own.
    public var description: String {
        var position = UnseenCharacters.named(in: file)
        if line > 0 { position += ":\(line)" }
        if line > 0, column > 0 { position += ":\(column)" }
        let fault = "\(position): \(message)"
        return suggestion.isEmpty ? fault : "\(fault)\n  \(suggestion)"
    }
}

/// All faults found in one pipeline, so that they can be corrected together.
public struct PipelineFaults: Error, Sendable {
    /// The faults, in the order of the files.
    public let faults: [PipelineFault]

    /// Gathers faults.
    public init(faults: [PipelineFault]) {
        self.faults = faults
    }

    /// Whether the system keeps every file with a fault from being read: none of them is a fault of
    /// what a file says.
    public var isOfSystem: Bool { faults.allSatisfy(\.isOfSystem) }

    /// The faults that an error of reading or compiling a pipeline holds; nil for any other error.
    public init?(_ error: any Error) {
        switch error {
        case let fault as PipelineFault: faults = [fault]
        case let error as PipelineFaults: faults = error.faults
        case let error as ReferenceFaults:
            faults = error.faults.map { fault in
                PipelineFault(
                    file: fault.position?.file ?? "reference",
                    line: fault.position?.lineNumber ?? 0,
                    message: fault.remedy
                )
            }
        default: return nil
        }
    }
}
