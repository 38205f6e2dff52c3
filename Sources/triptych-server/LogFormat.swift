import ArgumentParser
import Glibc
import Logging
import TripServer

/// The form of the log on standard error.
enum LogFormat: String, CaseIterable {
    /// Lines of text.
    case text
    /// JSON objects.
    case json

    /// Reads a setting.
    ///
    /// - Parameter setting: The setting; nil for the default.
    /// - Throws: ``ConfigurationFile/Fault`` where it is neither.
    init(_ setting: Setting?) throws(ConfigurationFile.Fault) {
        guard let setting else {
            self = .text
            return
        }
        guard let format = LogFormat(rawValue: setting.text) else {
            throw .init(setting, "the log format must be text or json; it is '\(setting.text)'.")
        }
        self = format
    }

    /// What logs in this form.
    func logger(_ label: String) -> Logger {
        Logger(label: label) { label in
            switch self {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(now: { Int64(time(nil)) })
            }
        }
    }

    /// Ends a command with the error as the last line of its log.
    func end(_ text: String, status: Int32) throws -> Never {
        switch self {
        case .text: try CommandFailure.end(text, status: status)
        case .json:
            logger("triptych-server").critical("\(text)", metadata: ["status": "\(status)"])
            throw ExitCode(status)
        }
    }
}
