import NIOCore
import NIOEmbedded
import Testing

@testable import TripServer

@Suite struct CompactingHandlerTests {
    /// What comes through of some bytes at the beginning of a buffer that has more space.
    private static func handedOn(count: Int) throws -> (read: ByteBuffer, handedOn: ByteBuffer) {
        let channel = EmbeddedChannel(handler: CompactingHandler())
        var read = channel.allocator.buffer(capacity: 64 << 10)
        read.writeBytes((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        try channel.writeInbound(read)
        let handedOn = try #require(try channel.readInbound(as: ByteBuffer.self))
        _ = try channel.finish()
        return (read, handedOn)
    }

    @Test(arguments: [1, 100, CompactingHandler.lengthMax])
    func shortReadsHaveABufferOfTheirLength(count: Int) throws {
        let (read, handedOn) = try Self.handedOn(count: count)
        #expect(handedOn == read)
        #expect(handedOn.storageCapacity < 2 * count + 16)
    }

    @Test func longReadsAreNotCopied() throws {
        let (read, handedOn) = try Self.handedOn(count: CompactingHandler.lengthMax + 1)
        #expect(handedOn == read)
        #expect(handedOn.storageCapacity == read.storageCapacity)
    }
}
