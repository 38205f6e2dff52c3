import Glibc
import Testing
import TripDomain

@testable import TripEngine

/// Exports that come through a pipe, compared with the same bytes in a file.
@Suite struct ExportStreamTests {
    /// A pipe whose writer is a thread of its own.
    private static func piped<Value>(
        _ bytes: [UInt8],
        _ body: (Int32) throws -> Value
    ) rethrows -> Value {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0, "the system has pipes")
        // The bytes of these tests fit the pipe's buffer.
        precondition(bytes.count < 60_000, "a pipe holds them")
        precondition(write(ends[1], bytes, bytes.count) == bytes.count, "a pipe takes them")
        close(ends[1])
        defer { close(ends[0]) }
        return try body(ends[0])
    }

    private static func content(_ source: ByteSource, step: Int) throws -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: step)
        while true {
            let count = try buffer.withUnsafeMutableBufferPointer { try source.read(into: $0) }
            content += buffer[..<count]
            if count < step { return content }
        }
    }

    private static let text = Array((0..<900).map { "line \($0),of a file\n" }.joined().utf8)

    @Test(arguments: [false, true], [1, 7, 4096, 100_000])
    func aPipeIsReadAsAFileIs(isCompressed: Bool, step: Int) throws {
        let bytes = isCompressed ? GzipFile.members(Self.text, cutAt: [5000], level: 6) : Self.text
        let whole = try ByteSource(bytes: bytes, name: "a.csv")
        let expected = try Self.content(whole, step: step)
        let digest = try whole.finish()
        try Self.piped(bytes) { descriptor in
            let source = try ByteSource(
                stream: ExportStream(descriptor: descriptor, size: bytes.count),
                name: "a.csv"
            )
            #expect(try Self.content(source, step: step) == expected)
            #expect(try source.finish() == digest)
        }
        #expect(expected == Self.text)
    }

    @Test(arguments: [-1, 1, 5000]) func anotherSizeThanTheListedOneIsAChangedFile(by: Int) throws {
        try Self.piped(Self.text) { descriptor in
            let source = try ByteSource(
                stream: ExportStream(descriptor: descriptor, size: Self.text.count + by),
                name: "a.csv"
            )
            _ = try Self.content(source, step: 512)
            let code = ByteSourceTests.code { _ = try source.finish() }
            #expect(code == .changedWhileRead)
        }
    }

    @Test func whatIsLeftOfAFaultyStreamIsReadToItsEnd() throws {
        try Self.piped(Self.text) { descriptor in
            let stream = ExportStream(descriptor: descriptor, size: Self.text.count)
            try stream.drain(name: "a.csv", after: 0)
            var byte: UInt8 = 0
            #expect(read(descriptor, &byte, 1) == 0)
        }
        Self.piped(Self.text) { descriptor in
            let stream = ExportStream(descriptor: descriptor, size: Self.text.count + 9)
            let code = ByteSourceTests.code { try stream.drain(name: "a.csv", after: 0) }
            #expect(code == .changedWhileRead)
        }
    }
}
