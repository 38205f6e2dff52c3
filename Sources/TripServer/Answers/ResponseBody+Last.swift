import Hummingbird

extension ResponseBody {
    /// A text after which the connection is closed: what follows on it is not read, nor waited for.
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
