import Foundation
import Logging
import Synchronization
import Testing

@testable import TripServer

@Suite struct JSONLogHandlerTests {
    /// What a logger says, line by line.
    private final class Lines: Sendable {
        private let state = Mutex<[[UInt8]]>([])

        func add(_ line: [UInt8]) { state.withLock { $0.append(line) } }

        var all: [[UInt8]] { state.withLock { $0 } }
    }

    private static func lines(_ say: (inout Logger) -> Void) -> [[UInt8]] {
        let lines = Lines()
        var logger = Logger(label: "test") { _ in
            JSONLogHandler(now: { 1_793_513_640 }, write: lines.add)
        }
        say(&logger)
        return lines.all
    }

    @Test func everyEventIsAnObjectOnALineOfItsOwn() throws {
        let lines = Self.lines { logger in
            logger[metadataKey: "port"] = "8080"
            logger.info("serving", metadata: ["generation": "7"])
            logger.error("a request failed", metadata: ["code": "damaged", "port": "1"])
            logger.debug("too low a level")
        }
        #expect(
            lines.map { String(decoding: $0, as: UTF8.self) } == [
                #"{"time": "2026-11-01T06:14:00Z", "level": "info", "message": "serving", "#
                    + #""generation": "7", "port": "8080"}"# + "\n",
                #"{"time": "2026-11-01T06:14:00Z", "level": "error", "message": "a request failed", "#
                    + #""code": "damaged", "port": "1"}"# + "\n",
            ]
        )
    }

    @Test func aMessageForgesNoLine() throws {
        let text = "a\r\nb\"c\\d\u{1}\u{2028}"
        let lines = Self.lines { $0.warning("\(text)", metadata: ["x": "\(text)"]) }
        #expect(lines.count == 1)
        #expect(lines[0].count { $0 == 0x0A } == 1)
        let object = try JSONSerialization.jsonObject(with: Data(lines[0]))
        #expect((object as? [String: String])?["message"] == text)
        #expect((object as? [String: String])?["x"] == text)
    }
}
