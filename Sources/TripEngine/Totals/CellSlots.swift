/// Gives each cell a slot, in order of first appearance, through an open-addressed table.
struct CellSlots {
    /// The cell of each slot.
    private(set) var keys: [CellSums.Key] = []
    /// A slot plus one; 0 is free.
    private var table = [UInt32](repeating: 0, count: 1024)

    /// The slot of a cell; a new cell gets the next slot.
    @inline(__always)
    mutating func slot(of key: CellSums.Key) -> Int {
        var index = Self.firstIndex(key, table.count)
        while table[index] != 0 {
            let slot = Int(table[index]) - 1
            if keys[slot] == key { return slot }
            index = (index + 1) & (table.count - 1)
        }
        return insert(key, at: index)
    }

    @inline(never)
    private mutating func insert(_ key: CellSums.Key, at index: Int) -> Int {
        keys.append(key)
        table[index] = UInt32(keys.count)
        if keys.count * 2 > table.count { grow() }
        return keys.count - 1
    }

    private mutating func grow() {
        let size = table.count * 4
        table = [UInt32](repeating: 0, count: size)
        for (slot, key) in keys.enumerated() {
            var index = Self.firstIndex(key, size)
            while table[index] != 0 { index = (index + 1) & (size - 1) }
            table[index] = UInt32(slot + 1)
        }
    }

    @inline(__always)
    private static func firstIndex(_ key: CellSums.Key, _ size: Int) -> Int {
        let pair = UInt64(key.tripType) << 32 | UInt64(key.region)
        let mixed =
            (pair &* 0x9E37_79B9_7F4A_7C15)
            ^ (UInt64(bitPattern: Int64(key.month)) &* 0xC2B2_AE3D_27D4_EB4F)
        let spread = (mixed ^ (mixed >> 32)) &* 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: spread >> 32) & (size - 1)
    }
}
