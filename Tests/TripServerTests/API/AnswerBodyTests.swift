import NIOCore
import Testing

@testable import TripServer

@Suite struct AnswerBodyTests {
    @Test func aLargeAnswerIsCompressedForThoseWhoTakeIt() {
        let text = [UInt8](repeating: 0x61, count: GzipText.leastSize)
        let gzip = AnswerBody(text, isCompressed: true)
        #expect(gzip.isGzip && gzip.bytes.readableBytes < GzipText.leastSize / 10)
        #expect(Array(buffer: gzip.bytes) == GzipText.bytes(text))
        let plain = AnswerBody(text, isCompressed: false)
        #expect(!plain.isGzip && Array(buffer: plain.bytes) == text)
    }

    @Test func aSmallOneIsNot() {
        let text = [UInt8](repeating: 0x61, count: GzipText.leastSize - 1)
        let body = AnswerBody(text, isCompressed: true)
        #expect(!body.isGzip && Array(buffer: body.bytes) == text)
    }

    @Test(arguments: [0, 1, 900, 5_000]) func itTakesAsMuchMemoryAsItsBytesOrMore(count: Int) {
        #expect(AnswerBody([UInt8](repeating: 1, count: count), isCompressed: false).size >= count)
    }
}
