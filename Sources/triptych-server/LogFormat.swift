import Glibc
import Logging
import TripServer

/// The form of the log on standard error.
enum LogFormat: String, CaseIterable {
    /// A line for people.
    case text
    /// An object for programs.
    case json

    /// Reads a setting.
    ///
    /// - Parameter setting: What was written; nil for what is usual.
    /// - Throws: ``ConfigurationFile/Fault`` where it is neither.
    init(setting: String?) throws(ConfigurationFile.Fault) {
        guard let format = LogFormat(rawValue: setting ?? Self.text.rawValue) else {
            throw .init(
                description: "the log format must be text or json; it is '\(setting ?? "")'."
            )
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
}
