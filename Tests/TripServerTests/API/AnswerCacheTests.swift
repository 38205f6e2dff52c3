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
            let body = cache.body(Self.tag(1), from: 1, isCompressed: false) {
                madeCount += 1
                return Array("text".utf8)
            }
            #expect(String(buffer: body.bytes) == "text")
        }
        #expect(madeCount == 1)
    }

    /// A repaired file gives the answers of its own under the same tag.
    @Test func anAnswerOfAnotherObjectIsNotGiven() {
        let cache = AnswerCache()
        for (instance, text) in [(1, "damaged"), (2, "whole"), (2, "later"), (1, "later")] {
            let body = cache.body(Self.tag(1), from: instance, isCompressed: false) {
                Array(text.utf8)
            }
            #expect(String(buffer: body.bytes) == (instance == 1 ? "damaged" : "whole"))
        }
    }

    @Test func itHoldsNoMoreThanItMay() {
        let cache = AnswerCache(capacity: 10_000)
        for number in 0..<500 {
            let text = [UInt8](repeating: UInt8(number % 200), count: number * 7 % 900)
            let body = cache.body(Self.tag(number), from: 1, isCompressed: false) { text }
            #expect(Array(buffer: body.bytes) == text)
            #expect(cache.size <= 10_000)
        }
        let large = [UInt8](repeating: 1, count: 20_000)
        let body = cache.body(Self.tag(-1), from: 1, isCompressed: false) { large }
        #expect(body.bytes.readableBytes == 20_000 && cache.size <= 10_000)
    }

    /// However short answers are, their keys take space.
    @Test func keysTakeRoomAsWell() {
        let cache = AnswerCache(capacity: 64 * 1024)
        var madeCount = 0
        for number in (0..<1_000).map({ $0 % 500 }) {
            _ = cache.body(Self.tag(number), from: 1, isCompressed: false) {
                madeCount += 1
                return []
            }
        }
        #expect(madeCount == 1_000)
    }

    @Test func anAnswerThatIsAskedForAgainStaysWhenTheCacheIsFull() {
        let cache = AnswerCache(capacity: 64 * 1024)
        let text = [UInt8](repeating: 0x61, count: 1024)
        var made: [Int: Int] = [:]
        func ask(_ number: Int) {
            _ = cache.body(Self.tag(number), from: 1, isCompressed: false) {
                made[number, default: 0] += 1
                return text
            }
        }
        for number in 2..<1_000 {
            ask(number)
            if number.isMultiple(of: 20) { ask(0) }
        }
        // Asked for once more after more than fits has been asked: gone meanwhile.
        ask(2)
        #expect(made[0] == 1 && made[2] == 2)
    }

    @Test func eachIsKeptAsItsReadersTakeIt() {
        let (cache, text) = (AnswerCache(), [UInt8](repeating: 0x61, count: GzipText.leastSize))
        for isCompressed in [false, true, false] {
            let body = cache.body(Self.tag(1), from: 1, isCompressed: isCompressed) { text }
            #expect(body.isGzip == isCompressed)
            #expect((Array(buffer: body.bytes) == text) != isCompressed)
        }
    }
}
