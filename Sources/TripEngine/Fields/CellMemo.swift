internal import Glibc
import TripDomain

/// Numbers the distinct cells of a column, in order of first appearance, from 1.
///
///     slots  | first eight bytes | next eight | size | number | …      number 0: free
///     rests  the bytes of longer cells after the first sixteen
///
/// Most cells of an export are at most sixteen bytes long, so that one slot decides whether a cell
/// is known or new. Every match is exact; the hash only gives the first slot to compare.
///
/// BE ADVISED: cells are read as whole words, up to sixteen bytes beyond their end.
struct CellMemo: ~Copyable {
    /// The number of bytes that must be readable after every cell.
    static let paddingSize = ScanText.paddingSize

    private struct Slot {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var size: UInt32 = 0
        var number: UInt32 = 0
    }

    private static let firstCapacity = 256

    private var slots: UnsafeMutablePointer<Slot>
    private var capacity: Int
    private var rests: [UInt8] = []
    /// The start of each cell's rest in `rests`, by number; entry 0 is unused.
    private var restStarts: [Int] = [0]
    /// The hash of each cell, by number.
    private var hashes: [UInt32] = [0]
    /// The number of distinct cells.
    private(set) var count = 0

    init() {
        capacity = Self.firstCapacity
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Slot(), count: capacity)
    }

    deinit {
        slots.deallocate()
    }

    /// The number of a cell; a new cell gets the next number.
    ///
    /// - Complexity: O(*n*) in the cell's bytes; amortised over growth.
    @inline(__always)
    mutating func number(of cell: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let key = Self.key(of: cell)
        let hash = Self.hash(key, cell)
        var index = Int(hash) & (capacity - 1)
        while true {
            let slot = slots[index]
            if slot.low == key.low, slot.high == key.high, slot.size == key.size, slot.number != 0,
                key.size <= 16 || hasRest(of: cell, slot.number)
            {
                return slot.number
            }
            if slot.number == 0 { return insert(key, cell, hash, at: index) }
            index = (index + 1) & (capacity - 1)
        }
    }

    @inline(never)
    private mutating func insert(
        _ key: Slot,
        _ cell: UnsafeBufferPointer<UInt8>,
        _ hash: UInt32,
        at index: Int
    ) -> UInt32 {
        count += 1
        hashes.append(hash)
        var key = key
        key.number = UInt32(count)
        slots[index] = key
        restStarts.append(rests.count)
        if cell.count > 16 { rests.append(contentsOf: cell[16...]) }
        if count * 2 > capacity { grow() }
        return key.number
    }

    private func hasRest(of cell: UnsafeBufferPointer<UInt8>, _ number: UInt32) -> Bool {
        guard let base = cell.baseAddress else { return false }
        return rests.withUnsafeBytes { rests in
            guard let start = rests.baseAddress else { return false }
            return memcmp(start + restStarts[Int(number)], base + 16, cell.count - 16) == 0
        }
    }

    private mutating func grow() {
        let (old, oldCapacity) = (slots, capacity)
        defer { old.deallocate() }
        capacity *= 4
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Slot(), count: capacity)
        for index in 0..<oldCapacity where old[index].number != 0 {
            let slot = old[index]
            var index = Int(hashes[Int(slot.number)]) & (capacity - 1)
            while slots[index].number != 0 { index = (index + 1) & (capacity - 1) }
            slots[index] = slot
        }
    }

    // MARK: - Words

    @inline(__always)
    private static func key(of cell: UnsafeBufferPointer<UInt8>) -> Slot {
        var key = Slot()
        guard let base = cell.baseAddress else { return key }
        let bytes = UnsafeRawPointer(base)
        key.size = UInt32(truncatingIfNeeded: cell.count)
        // Both words are read for every cell size: sizes change from cell to cell, and the
        // processor would mispredict a branch on them about half the time.
        key.low = bytes.loadUnaligned(as: UInt64.self) & mask(cell.count)
        key.high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self) & mask(cell.count &- 8)
        return key
    }

    /// A mask for the first bytes of a word: none for a negative size, all for eight or more.
    @inline(__always)
    private static func mask(_ size: Int) -> UInt64 {
        let kept = min(max(size, 0), 8)
        // In two steps, since a word cannot be shifted by all its bits at once.
        let half = UInt64(truncatingIfNeeded: 4 &* (8 &- kept))
        return (UInt64.max &>> half) &>> half
    }

    @inline(__always)
    private static func hash(_ key: Slot, _ cell: UnsafeBufferPointer<UInt8>) -> UInt32 {
        // Long cells often differ only in the middle.
        guard key.size <= 16 else { return UInt32(truncatingIfNeeded: textHash(cell)) }
        let mixed =
            (key.low &* 0x9E37_79B9_7F4A_7C15) ^ (key.high &* 0xC2B2_AE3D_27D4_EB4F)
            ^ UInt64(key.size)
        let spread = (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return UInt32(truncatingIfNeeded: spread >> 32)
    }
}
