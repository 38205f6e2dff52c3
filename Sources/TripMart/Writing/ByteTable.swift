import TripDomain

/// Gives every distinct run of bytes a number, from 0, in order of first sight.
///
///     slots  | 0 | 3 | 0 | 1 | …     number + 1 of the entry that hashed here, 0 is free
///     hashes | entry 0 | entry 1 | … the full hash, so that most misses need no comparison
///
/// Equality is decided on the bytes, never on the hash alone. No number that leaves this table may
/// depend on the hash: callers sort by bytes before they store anything.
struct ByteTable {
    private(set) var pool = TextPool()
    private var slots: [UInt32]
    private var hashes: [UInt64] = []

    init(capacity: Int = 64) {
        var size = 128
        while size < 2 * capacity { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
    }

    /// The number of distinct runs.
    var count: Int { hashes.count }

    /// The bytes of one entry.
    func bytes(_ number: Int) -> ArraySlice<UInt8> {
        pool.slice(UInt32(number + 1))
    }

    /// The number of a known run of bytes; nil where it is not known.
    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        search(bytes, Self.hash(bytes)).number
    }

    /// The number of a run of bytes, new or known.
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = Self.hash(bytes)
        let (number, slot) = search(bytes, hash)
        if let number { return number }
        pool.append(bytes)
        hashes.append(hash)
        slots[slot] = UInt32(hashes.count)
        if hashes.count * 2 > slots.count { grow() }
        return hashes.count - 1
    }

    /// The number of a run of bytes, and the slot where it is or would be.
    private func search(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ hash: UInt64
    ) -> (number: Int?, slot: Int) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if hashes[number] == hash, isEqual(number, bytes) { return (number, slot) }
            slot = (slot + 1) & mask
        }
        return (nil, slot)
    }

    private func isEqual(_ number: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = pool.range(UInt32(number + 1))
        guard range.count == bytes.count else { return false }
        var offset = range.lowerBound
        for byte in bytes {
            if pool.bytes[offset] != byte { return false }
            offset += 1
        }
        return true
    }

    private mutating func grow() {
        let mask = slots.count * 2 - 1
        var larger = [UInt32](repeating: 0, count: mask + 1)
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = UInt32(number + 1)
        }
        slots = larger
    }

    /// Mixes eight bytes at a time by multiplication, as FxHash does, and folds the high half down.
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset + 8 <= raw.count {
            hash = mix(hash, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(raw[offset])
            offset += 1
        }
        return mix(hash, rest)
    }

    /// One step of the hash: the full product, its halves folded together.
    static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word ^ 0x2545_F491_4F6C_DD1D)
            .multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
        return product.high ^ product.low
    }
}
