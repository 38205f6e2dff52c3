import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import TripServer

@Suite struct ConnectionBookTests {
    /// A connection from an address; it exists in memory alone.
    private static func channel(_ address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: EndingHandler())
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return channel
    }

    @Test func anAddressHasSomeAndItsMostSilentOneMakesRoom() throws {
        let book = ConnectionBook(countMax: 100, addressCountMax: 2)
        let other = try Self.channel("192.0.2.2")
        book.enter(other)
        let channels = try (0..<3).map { _ in try Self.channel("192.0.2.1") }
        let first = book.enter(channels[0])
        book.enter(channels[1])
        first.noteRequest()
        first.noteAnswer()
        book.enter(channels[2])
        #expect(channels.map(\.isActive) == [true, false, true])
        #expect(other.isActive)
        #expect(book.count == 3)
        _ = try channels[0].finish()
        #expect(book.count == 2)
        book.enter(try Self.channel("192.0.2.1"))
        #expect(channels[2].isActive)
    }

    @Test func theOneThatCameForwardLeastMakesRoom() throws {
        let book = ConnectionBook(countMax: 3, addressCountMax: 0)
        let channels = try (1...3).map { try Self.channel("192.0.2.\($0)") }
        let entries = channels.map { book.enter($0) }
        entries[0].noteRequest()
        entries[0].noteAnswer()
        book.enter(try Self.channel("192.0.2.4"))
        #expect(channels.map(\.isActive) == [true, false, true])
        // Whoever waits for an answer goes last, however long ago they asked.
        entries[2].noteRequest()
        entries[0].noteRequest()
        entries[0].noteAnswer()
        book.enter(try Self.channel("192.0.2.5"))
        #expect(channels.map(\.isActive) == [true, false, true])
        book.enter(try Self.channel("192.0.2.6"))
        #expect(channels.map(\.isActive) == [false, false, true])
        #expect(book.count == 3)
    }

    @Test func anAnswerThatNobodyWasThereForIsNone() throws {
        let book = ConnectionBook(countMax: 2, addressCountMax: 0)
        for (address, isHeard) in [("192.0.2.1", true), ("192.0.2.2", false)] {
            let channel = try Self.channel(address)
            let entry = book.enter(channel)
            entry.noteRequest()
            entry.noteAnswer(isHeard: isHeard)
            _ = try channel.finish()
        }
        #expect(book.leaverCount == 1)
        #expect(book.closedCount == 2)
    }

    @Test func thoseWhoLeaveWithoutAnAnswerAreCounted() throws {
        let book = ConnectionBook(countMax: 3, addressCountMax: 0)
        let channels = try (1...3).map { try Self.channel("192.0.2.\($0)") }
        let entries = channels.map { book.enter($0) }
        entries[1].noteRequest()
        entries[2].noteRequest()
        entries[2].noteAnswer()
        // Who makes room for others has not left.
        book.enter(try Self.channel("192.0.2.4"))
        #expect(!channels[0].isActive && book.leaverCount == 0)
        for channel in channels[1...] { _ = try channel.finish() }
        #expect(book.leaverCount == 1)
    }

    /// Whoever has asked is waited for longer than somebody who says nothing: that one may be a browser that thinks ahead.
    @Test(arguments: [(4, true, true), (6, true, false), (29, true, false), (31, false, false)])
    func whoLeavesLateHasAsked(seconds: Int64, isLeft: Bool, isLeftInSilence: Bool) throws {
        let book = ConnectionBook(countMax: 2, addressCountMax: 0)
        for (address, asks) in [("192.0.2.1", true), ("192.0.2.2", false)] {
            let channel = try Self.channel(address)
            let entry = book.enter(channel, at: .now() - .seconds(seconds))
            if asks { entry.noteRequest() }
            let before = book.leaverCount
            _ = try channel.finish()
            #expect(book.leaverCount - before == ((asks ? isLeft : isLeftInSilence) ? 1 : 0))
        }
    }

    @Test func requestsAndAnswersAreNotedWhole() throws {
        let book = ConnectionBook(countMax: 2, addressCountMax: 0)
        let (channel, other) = (try Self.channel("192.0.2.1"), try Self.channel("192.0.2.2"))
        // The one that asks came first: without what it asks it would go.
        for each in [other, channel] {
            book.enter(each)
            try each.pipeline.syncOperations.addHandler(
                ProgressHandler(book, fields: [])
            )
        }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
        try other.writeInbound(HTTPRequestPart.head(head))
        try other.writeInbound(HTTPRequestPart.end(nil))
        try other.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try other.writeOutbound(HTTPResponsePart.end(nil))
        // A head that never ends is nothing.
        try channel.writeInbound(HTTPRequestPart.head(head))
        book.enter(try Self.channel("192.0.2.3"))
        #expect([channel.isActive, other.isActive] == [false, true])
    }

    /// What is handed on has not gone out: who reads slowly is still being answered.
    @Test func anAnswerThatWaitsToBeSentIsUnderWay() throws {
        let book = ConnectionBook(countMax: 2, addressCountMax: 0)
        let (slow, swift) = (try Self.channel("192.0.2.1"), try Self.channel("192.0.2.2"))
        for each in [slow, swift] {
            book.enter(each)
            try each.pipeline.syncOperations.addHandler(
                ProgressHandler(book, fields: [])
            )
            try each.writeInbound(HTTPRequestPart.end(nil))
        }
        let end = NIOAny(HTTPResponsePart.end(nil))
        slow.pipeline.syncOperations.write(end, promise: nil)
        try swift.writeOutbound(HTTPResponsePart.end(nil))
        book.enter(try Self.channel("192.0.2.3"))
        #expect([slow.isActive, swift.isActive] == [true, false])
    }

    /// Whoever asks often and reads nothing keeps out nobody who came since.
    @Test func whoTakesNoAnswerGoesLikeTheSilent() throws {
        let book = ConnectionBook(countMax: 2, addressCountMax: 0)
        let (stuck, young) = (try Self.channel("192.0.2.1"), try Self.channel("192.0.2.2"))
        let entry = book.enter(stuck)
        for _ in 0..<400 { entry.noteRequest() }
        book.enter(young)
        book.enter(try Self.channel("192.0.2.3"), at: .now() + .seconds(6))
        #expect([stuck.isActive, young.isActive] == [false, true])
    }

    @Test func placesAreGivenBackHoweverTheyEnd() throws {
        let book = ConnectionBook(countMax: 8, addressCountMax: 4)
        var channels: [EmbeddedChannel] = []
        for round in 0..<200 {
            let channel = try Self.channel("192.0.2.\(round % 5)")
            book.enter(channel)
            channels.append(channel)
            if round % 3 > 0 { _ = try channel.finish() }
            let openCount = channels.count { $0.isActive }
            #expect(book.count == openCount)
            #expect(book.count <= 8)
        }
        book.endAtOnce()
        #expect(book.count == 0)
        let openCount = channels.count { $0.isActive }
        #expect(openCount == 0)
        // Each address has its share again.
        let again = try (0..<4).map { _ in try Self.channel("192.0.2.0") }
        for channel in again { book.enter(channel) }
        #expect(again.map(\.isActive) == [true, true, true, true])
    }

    @Test func whatIsNotTakenEndsTheConnection() throws {
        let channel = try Self.channel("192.0.2.1")
        channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.read)
        #expect(channel.isActive)
        channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.write)
        #expect(!channel.isActive)
    }

    @Test func answersThatNoRouteHasSeenHaveTheHeadersOfAll() throws {
        let book = ConnectionBook(countMax: 1, addressCountMax: 0)
        let channel = EmbeddedChannel()
        let fields = SecurityFields(isOverTLS: true).fields
        try channel.pipeline.syncOperations.addHandler(
            ProgressHandler(book, fields: fields)
        )
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .badRequest)))
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("an answer has a head")
            return
        }
        #expect(fields.allSatisfy { head.headerFields[$0.0] == $0.1 })
        #expect(fields.count == 6)
    }

    /// As many as there may be, or as there is room for beside those that come and go.
    @Test(arguments: [
        (10_000, 2_400), (2_900, 2_400), (2_899, 2_399), (924, 693), (100, 75), (0, 1),
    ])
    func thereAreNoMoreThanThereIsRoomFor(room: Int, count: Int) {
        #expect(Backend.connectionCount(room) == count)
    }
}
