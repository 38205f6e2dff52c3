import TestSupport
import Testing

@testable import TripMart

/// Compares orders of integer keys with a stable sort by comparison.
@Suite struct RadixOrderTests {
    /// Widths around those at which the algorithm changes: one digit, whole bytes, the upper half.
    @Test(arguments: [1, 11, 12, 13, 16, 17, 24, 25, 32, 33, 39, 40, 41, 48, 56, 57, 63, 64])
    func widths(_ bits: Int) {
        masks(.max >> UInt64(64 - bits))
    }

    /// Keys of every width, with constant bits between differing ones.
    @Test(
        arguments: [0, 1, 0xFF, 0x0F0F, 0xFFFF_0000_0001, 0x8000_0000_0000_0001, .max] as [UInt64]
    )
    func masks(_ mask: UInt64) {
        var dice = SeededDice(seed: mask &+ 1)
        for count in [0, 1, 2, 3, 1000] {
            let keys = (0..<count).map { _ in dice.next() & mask }
            let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
            let bits = UInt64.bitWidth - mask.leadingZeroBitCount
            for threads in [1, 2, 3, 8] {
                let rows = RadixOrder.rows(count, bits: bits, threads: threads) { keys[$0] }
                #expect(rows.map { Int($0) } == expected, "\(threads) threads")
            }
        }
    }

    @Test func rowsOfEqualKeysStayInOrder() {
        let rows = RadixOrder.rows(10_000, bits: 3, threads: 3) { UInt64($0 % 7) }
        let expected = (0..<7).flatMap { key in (0..<10_000).filter { $0 % 7 == key } }
        #expect(rows.map { Int($0) } == expected)
    }
}
