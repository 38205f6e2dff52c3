import TripDomain
import TripEngine

/// Something wrong in a pipeline folder: where, what was found, what was expected, what to do.
public struct PipelineFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's path, as people know it.
    public let file: String
    /// The line, from 1; 0 where the file as a whole is meant.
    public let line: Int
    /// The column, from 1; 0 where the line as a whole is meant.
    public let column: Int
    /// What was found and what was expected.
    public let message: String
    /// What to do about it; empty where the message says enough.
    public let suggestion: String

    /// Describes one fault.
    ///
    /// - Parameters:
    ///   - file: The file's path.
    ///   - line: The line, from 1.
    ///   - column: The column, from 1.
    ///   - message: What was found and what was expected.
    ///   - suggestion: What to do about it.
    public init(
        file: String,
        line: Int = 0,
        column: Int = 0,
        message: String,
        suggestion: String = ""
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.suggestion = suggestion
    }

    /// `file:line:column: message` and the suggestion on a line of its own.
    public var description: String {
        var place = file
        if line > 0 { place += ":\(line)" }
        if line > 0, column > 0 { place += ":\(column)" }
        return suggestion.isEmpty ? "\(place): \(message)" : "\(place): \(message)\n  \(suggestion)"
    }
}

/// All faults found in one pipeline, so that they can be mended in one go.
public struct PipelineFaults: Error, Sendable {
    /// The faults, in the order of the files.
    public let faults: [PipelineFault]

    init(faults: [PipelineFault]) {
        self.faults = faults
    }

    /// The faults behind an error of reading or compiling a pipeline; nil for any other error.
    init?(_ error: any Error) {
        switch error {
        case let fault as PipelineFault: faults = [fault]
        case let error as PipelineFaults: faults = error.faults
        case let error as EngineError:
            faults = [
                PipelineFault(
                    file: error.place?.file ?? "reference",
                    line: error.place?.lineNumber ?? 0,
                    message: error.remedy
                )
            ]
        default: return nil
        }
    }
}
