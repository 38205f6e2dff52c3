import CZlib
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import TripServer

@Suite struct GzipTextTests {
    /// Expanded by the library, given no more space than the bytes need.
    private static func expanded(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, 15 + 16, zlibVersion(), size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: count + 1))
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                return inflate(&stream, Z_FINISH)
            }
        }
        return status == Z_STREAM_END ? Array(output.prefix(Int(stream.total_out))) : nil
    }

    @Test(arguments: [0, 1, 1023, 65_536, 1_000_000])
    func compressedBytesExpandToTheSame(count: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let texts = [
            [UInt8](repeating: 0x61, count: count),
            (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) },
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) },
        ]
        for text in texts {
            let bytes = try #require(GzipText.bytes(text))
            #expect(Self.expanded(bytes, count: count) == text)
            #expect(GzipText.bytes(text) == bytes)
        }
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("deflate, gzip;q=0.5", true), ("*", true), ("", false),
        ("br", false), ("gzip;q=0", false), ("gzip; q=0.0", false), ("*;q=0", false),
        ("*, gzip;q=0", false), ("gzip;q=0, *", false), ("gzip;q=x", false), ("gzipped", false),
        ("*;q=0, gzip", true), ("identity", false), ("gzip ; q = 1", true),
    ])
    func aReaderSaysWhetherGzipIsWelcome(value: String, isWelcome: Bool) {
        let request = Request(
            head: HTTPRequest(
                method: .get,
                scheme: nil,
                authority: nil,
                path: "/",
                headerFields: [.acceptEncoding: value]
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
        #expect(GzipText.isWelcome(to: request) == isWelcome)
    }
}
