import NIOCore
import NIOEmbedded
import Testing

@testable import TripServer

@Suite struct ConnectionBookTests {
    /// A connection from an address; it exists in memory alone.
    private static func channel(_ address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return channel
    }

    @Test func anAddressHasSomeAndNoMore() throws {
        let book = ConnectionBook(countMax: 100, addressCountMax: 2)
        let first = try Self.channel("192.0.2.1")
        #expect(book.enter(first) != nil)
        #expect(book.enter(try Self.channel("192.0.2.1")) != nil)
        let third = try Self.channel("192.0.2.1")
        #expect(book.enter(third) == nil)
        #expect(!third.isActive)
        #expect(book.enter(try Self.channel("192.0.2.2")) != nil)
        #expect(book.count == 3)
        _ = try first.finish()
        #expect(book.count == 2)
        #expect(book.enter(try Self.channel("192.0.2.1")) != nil)
    }

    @Test func theOneThatIsSilentLongestMakesRoom() throws {
        let book = ConnectionBook(countMax: 3, addressCountMax: 0)
        let channels = try (1...3).map { try Self.channel("192.0.2.\($0)") }
        let entries = try channels.map { channel in
            let entry = try #require(book.enter(channel))
            try channel.pipeline.syncOperations.addHandler(HearingHandler(entry))
            return entry
        }
        entries[0].hear()
        #expect(book.enter(try Self.channel("192.0.2.4")) != nil)
        #expect(channels.map(\.isActive) == [true, false, true])
        #expect(book.count == 3)
        entries[2].hear()
        #expect(book.enter(try Self.channel("192.0.2.5")) != nil)
        #expect(channels.map(\.isActive) == [false, false, true])
        #expect(book.count == 3)
    }

    @Test func whatComesIsHeardAndHandedOn() throws {
        let book = ConnectionBook(countMax: 1, addressCountMax: 0)
        let channel = try Self.channel("192.0.2.1")
        let entry = try #require(book.enter(channel))
        try channel.pipeline.syncOperations.addHandler(HearingHandler(entry))
        let before = entry.heardAt
        try channel.writeInbound(ByteBuffer(string: "GET"))
        #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "GET"))
        #expect(entry.heardAt > before)
    }

    @Test func placesAreGivenBackHoweverTheyEnd() throws {
        let book = ConnectionBook(countMax: 8, addressCountMax: 4)
        for round in 0..<200 {
            let channel = try Self.channel("192.0.2.\(round % 5)")
            if book.enter(channel) != nil, round % 3 > 0 { _ = try channel.finish() }
            #expect(book.count <= 8)
        }
    }
}
