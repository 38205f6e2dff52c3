import Glibc
public import Logging
import TripDomain
import TripIdentity
import TripText

/// A log of one JSON object a line on standard error: time, level, message and metadata.
public struct JSONLogHandler: LogHandler {
    /// Lines below it are not logged.
    public var logLevel = Logger.Level.info
    /// The metadata of every line.
    public var metadata: Logger.Metadata = [:]
    private let now: @Sendable () -> Int64
    private let write: @Sendable ([UInt8]) -> Void

    /// A handler.
    ///
    /// - Parameter now: The time, in seconds of UTC.
    public init(now: @escaping @Sendable () -> Int64) {
        self.init(now: now) { line in
            // A log that cannot be written has nowhere to report that.
            _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }

    init(
        now: @escaping @Sendable () -> Int64,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.now, self.write) = (now, write)
    }

    /// One value that goes with every line.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line.
    public func log(event: LogEvent) {
        var json = JSONText()
        json.object(isLine: true) { json in
            json.value("time", UTCText.text(now()))
            json.value("level", event.level.rawValue)
            json.value("message", "\(event.message)")
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            for (name, value) in all.sorted(by: { $0.key < $1.key }) {
                json.value(.made(name), "\(value)")
            }
        }
        write(json.text)
    }
}
