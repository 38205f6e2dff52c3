import TestSupport
import Testing

@testable import TripMart

/// Compares orders of texts with a sort by comparison.
@Suite struct TextOrderTests {
    @Test(arguments: [0, 1, 2, 511, 512, 513, 3000])
    func idsOfOneForm(_ count: Int) {
        var dice = SeededDice(seed: UInt64(count))
        expectOrder(
            (0..<count).map { _ in
                Array("TRIP-2026-0000\(Int.random(in: 100_000...999_999, using: &dice))".utf8)
            }
        )
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func randomTexts(_ seed: UInt64) {
        var dice = SeededDice(seed: seed)
        let letters: [UInt8] = seed % 2 == 0 ? [0, 1] : [0x00, 0x20, 0x41, 0x7F, 0x80, 0xFF]
        expectOrder(
            (0..<4000).map { _ in
                if dice.oneIn(20) { return nil }
                let count = Int.random(in: 0...Int(seed) * 6, using: &dice)
                return (0..<count).map { _ in dice.pick(letters) }
            }
        )
    }

    /// Texts with a common prefix longer than any window, and one without it.
    @Test func longCommonBeginnings() {
        var dice = SeededDice(seed: 6)
        let start = Array(repeating: UInt8(0x41), count: 100)
        expectOrder(
            [[0x42]]
                + (0..<3000).map { _ in
                    start + (0..<20).map { _ in dice.pick([0x30, 0x31, 0x32]) }
                }
        )
    }

    /// Equal keys in groups of every size, and differences only after the window.
    @Test func manyEqualTexts() {
        var dice = SeededDice(seed: 7)
        expectOrder(
            (0..<5000).map { _ in
                Array("region \(Int.random(in: 0...3, using: &dice) * 7)".utf8)
            }
        )
        expectOrder((0..<2000).map { _ in Array("same".utf8) })
        expectOrder(
            (0..<5000).map { _ in
                (0..<40).map { $0 % 3 == 0 ? UInt8.random(in: 0...255, using: &dice) : 0x61 }
            }
        )
    }

    /// Most texts differ in bits that a few other texts turn into the lower bits of all keys.
    @Test func aFewOddTextsAmongMany() {
        var dice = SeededDice(seed: 9)
        func id() -> [UInt8] {
            Array("SYN-\(Int.random(in: 1_000_000...1_009_999, using: &dice))".utf8)
        }
        expectOrder(
            (0..<20_000).map { row in
                guard row % 4000 == 17 else { return id() }
                return (0..<11).map { _ in UInt8.random(in: 0...255, using: &dice) }
            }
        )
        // As many different texts, and as many equal ones.
        expectOrder((0..<20_000).map { $0 % 2 == 0 ? id() : Array("SYN-7".utf8) })
    }

    /// Buckets of a quarter of the rows, which are sorted on all threads, after rows that were
    /// moved to the front.
    @Test func fewFamiliesOfManyTexts() {
        var dice = SeededDice(seed: 10)
        expectOrder(
            (0..<40_000).map { row in
                if row % 5000 == 4999 { return nil }
                let family = dice.pick(["ALFA-", "BETA-", "GOLF-", "TWIN-"])
                return Array("\(family)\(Int.random(in: 1_000_000...1_029_999, using: &dice))".utf8)
            }
        )
    }

    /// Zero bytes at the end make a text longer.
    @Test func zeroBytesAtTheEnd() {
        var dice = SeededDice(seed: 8)
        expectOrder(
            (0..<3000).map { _ in
                [0x61] + Array(repeating: 0, count: Int.random(in: 0...30, using: &dice))
            }
        )
    }

    @Test func nullsComeFirstAndAreNotEqual() {
        let texts: [[UInt8]?] = [[0x62], nil, [], nil, [0x61]]
        let order = TextOrder(MadeTexts(texts), threads: 2)
        #expect(order.rows == [1, 3, 2, 4, 0])
        #expect(order.firstEqual == nil)
    }

    @Test func firstEqualTextsAreReturned() throws {
        var texts: [[UInt8]?] = (0..<2000).map { Array("id \(10_000 + $0)".utf8) }
        texts[1700] = texts[1200]
        texts[900] = texts[300]
        let equal = try #require(TextOrder(MadeTexts(texts), threads: 3).firstEqual)
        #expect(equal == (first: 300, second: 900))
    }

    private func expectOrder(
        _ texts: [[UInt8]?],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let source = MadeTexts(texts)
        // Sorted by comparison: NULL, then bytes, then rows.
        let expected = texts.indices.sorted { left, right in
            guard let one = texts[left] else { return texts[right] != nil || left < right }
            guard let other = texts[right] else { return false }
            return one == other ? left < right : one.lexicographicallyPrecedes(other)
        }
        let equal = zip(expected, expected.dropFirst()).first {
            texts[$0] != nil && texts[$0] == texts[$1]
        }
        for threads in [1, 2, 3, 8] {
            let order = TextOrder(source, threads: threads)
            let areSame = order.rows.map { Int($0) } == expected
            #expect(areSame, "\(threads) threads", sourceLocation: sourceLocation)
            #expect(order.firstEqual?.first == equal?.0, sourceLocation: sourceLocation)
            #expect(order.firstEqual?.second == equal?.1, sourceLocation: sourceLocation)
        }
    }
}

/// Texts whose memory does not move while they are sorted.
final class MadeTexts: TextSource {
    let count: Int
    // Read by many threads and changed by none.
    nonisolated(unsafe) private let buffers: [UnsafeRawBufferPointer?]

    init(_ texts: [[UInt8]?]) {
        count = texts.count
        buffers = texts.map { text in
            text.map { text -> UnsafeRawBufferPointer in
                let copy = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: text.count,
                    alignment: 1
                )
                copy.copyBytes(from: text)
                return UnsafeRawBufferPointer(copy)
            }
        }
    }

    deinit {
        for buffer in buffers { buffer?.deallocate() }
    }

    func text(_ row: Int) -> UnsafeRawBufferPointer? { buffers[row] }
}
