import NIOCore

/// The bytes of an answer as its reader takes them: as they are, or compressed where that is worth it.
struct AnswerBody: Sendable {
    let bytes: ByteBuffer
    /// Whether they are compressed.
    let isGzip: Bool

    /// - Parameters:
    ///   - text: The answer.
    ///   - isCompressed: Whether its reader takes it compressed.
    init(_ text: [UInt8], isCompressed: Bool) {
        let gzip = isCompressed && text.count >= GzipText.leastSize ? GzipText.bytes(text) : nil
        bytes = ByteBuffer(bytes: gzip ?? text)
        isGzip = gzip != nil
    }

    /// The memory it takes, in bytes: more than those it has.
    var size: Int { bytes.storageCapacity }
}
