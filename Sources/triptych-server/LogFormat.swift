import ArgumentParser
import Glibc
import Logging
import TripServer
import TripText

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

    /// Says what a server begins with: plainly to a person, who reads standard output, and in this
    /// form to the log.
    ///
    /// Text has warnings in the log and the rest on standard output, so that a terminal shows each
    /// once. JSON has all of it in the log, and a terminal has it in plain lines as well.
    ///
    /// - Parameters:
    ///   - lines: What is to be said.
    ///   - logger: The log.
    func say(_ lines: [StartLine], _ logger: Logger) {
        let isPlain = self == .text
        let shown = lines.filter { !isPlain || !$0.isWarning }.map(\.text)
        if isPlain || Output.isTerminal(.standardOutput) {
            Output.line(shown.joined(separator: "\n"))
        }
        for line in lines {
            if line.isWarning {
                logger.warning("\(line.text)")
            } else if !isPlain {
                logger.info("\(line.text)")
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
