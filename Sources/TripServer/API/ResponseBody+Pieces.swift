import Hummingbird
import NIOCore

extension ResponseBody {
    /// What fits into one record of TLS, with what that adds to it, and so into a buffer of 16 KB.
    static let pieceSize = 15 << 10

    /// Bytes that go out a piece at a time, each once there is space for it: a slow client has a
    /// few pieces waiting for it, encrypted, and not all of a long answer.
    ///
    /// - Parameter bytes: The answer; all readers share its memory.
    /// - Returns: The body.
    static func inPieces(_ bytes: ByteBuffer) -> ResponseBody {
        // With its head in one go, as nearly all answers are.
        guard bytes.readableBytes > pieceSize else { return ResponseBody(byteBuffer: bytes) }
        return ResponseBody(contentLength: bytes.readableBytes) { writer in
            var rest = bytes
            while let piece = rest.readSlice(length: min(pieceSize, rest.readableBytes)),
                piece.readableBytes > 0
            {
                try await writer.write(piece)
            }
            try await writer.finish(nil)
        }
    }
}

extension ResponseBody {
    /// A text after which the connection is closed: bytes that follow on it are not read, nor
    /// waited for.
    ///
    /// - Parameter text: The text, as bytes of UTF-8.
    /// - Returns: The body.
    static func last(_ text: [UInt8]) -> ResponseBody {
        ResponseBody(contentLength: text.count) { writer in
            try await writer.write(ByteBuffer(bytes: text))
            try await writer.finish(nil)
            // The one way to tell the server that the connection has ended.
            throw ConnectionEnded()
        }
    }

    private struct ConnectionEnded: Error {}
}
