import NIOCore
import Testing

@testable import TripServer

@Suite struct AnswerCacheTests {
    private static func tag(_ number: Int) -> EntityTag {
        EntityTag(number: 1, parts: ["\(number)"])
    }

    @Test func anAnswerIsMadeOnce() {
        let cache = AnswerCache()
        var madeCount = 0
        for _ in 0..<3 {
            let entry = cache.entry(Self.tag(1), from: 1) {
                madeCount += 1
                return Array("text".utf8)
            }
            #expect(String(buffer: entry.plain) == "text" && entry.gzip == nil)
        }
        #expect(madeCount == 1)
    }

    /// A repaired file gives the answers of its own under the same tag.
    @Test func whatCameFromAnotherObjectIsNotAnswered() {
        let cache = AnswerCache()
        for (instance, text) in [(1, "damaged"), (2, "whole"), (2, "later"), (1, "later")] {
            let entry = cache.entry(Self.tag(1), from: instance) { Array(text.utf8) }
            #expect(String(buffer: entry.plain) == (instance == 1 ? "damaged" : "whole"))
        }
    }

    @Test func itHoldsNoMoreThanItMay() {
        let cache = AnswerCache(capacity: 10_000)
        for number in 0..<500 {
            let text = [UInt8](repeating: UInt8(number % 200), count: number * 7 % 900)
            #expect(Array(buffer: cache.entry(Self.tag(number), from: 1) { text }.plain) == text)
            #expect(cache.size <= 10_000)
        }
        let large = [UInt8](repeating: 1, count: 20_000)
        #expect(cache.entry(Self.tag(-1), from: 1) { large }.plain.readableBytes == 20_000)
        #expect(cache.size <= 10_000)
    }

    @Test func whoTakesItAsItIsWaitsForNoCompression() {
        let (cache, text) = (AnswerCache(), [UInt8](repeating: 0x61, count: GzipText.leastSize))
        for isCompressed in [false, true, false] {
            let entry = cache.entry(Self.tag(1), from: 1, isCompressed: isCompressed) { text }
            #expect((entry.gzip != nil) == isCompressed && Array(buffer: entry.plain) == text)
        }
    }

    @Test func largeAnswersAreKeptCompressedAsWell() throws {
        let entry = AnswerCache.Entry([UInt8](repeating: 0x61, count: GzipText.leastSize))
        #expect(try #require(entry.gzip).readableBytes < GzipText.leastSize / 10)
        #expect(
            AnswerCache.Entry([UInt8](repeating: 0x61, count: GzipText.leastSize - 1)).gzip == nil
        )
    }
}
