import TestSupport
import Testing

@testable import TripEngine

/// Compares the numbers of cells with a dictionary of their bytes.
@Suite struct CellMemoTests {
    private func expectTwin(_ cells: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation) {
        var memo = CellMemo()
        var twin: [[UInt8]: UInt32] = [:]
        var mistakes = 0
        for cell in cells {
            let expected = twin[cell] ?? UInt32(twin.count + 1)
            twin[cell] = expected
            // The bytes after a cell must make no difference.
            let padding = [UInt8](
                repeating: UInt8(truncatingIfNeeded: mistakes + twin.count),
                count: 16
            )
            let number = (cell + padding).withUnsafeBufferPointer { bytes in
                memo.number(of: UnsafeBufferPointer(rebasing: bytes[..<cell.count]))
            }
            if number != expected { mistakes += 1 }
        }
        #expect(mistakes == 0, sourceLocation: sourceLocation)
        let count = memo.count
        #expect(count == twin.count, sourceLocation: sourceLocation)
    }

    /// Cells of every size that differ in one byte, some with zero bytes at their ends.
    @Test func cellsThatDifferInOneByte() {
        var cells: [[UInt8]] = []
        for size in 0...40 {
            cells.append([UInt8](repeating: 0, count: size))
            for index in 0..<size {
                var cell = [UInt8](repeating: 0x61, count: size)
                cell[index] = 0x62
                cells.append(cell)
            }
        }
        expectTwin(cells + cells.reversed() + cells)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func randomCells(seed: UInt64) {
        var dice = SeededDice(seed: seed)
        expectTwin(
            (0..<20_000).map { _ in
                let size = dice.below(dice.below(4) == 0 ? 36 : 6)
                return (0..<size).map { _ in UInt8(0x30 + dice.below(4)) }
            }
        )
    }
}
