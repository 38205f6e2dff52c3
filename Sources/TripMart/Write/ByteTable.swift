import Glibc
import TripDomain

/// Numbers distinct byte strings from 0, in order of first occurrence.
///
///     slots  | 0 | 3 | 0 | 1 | …     number + 1 of the entry that hashed here, 0 is free; above it
///                                    half of its hash, so that most misses need no comparison
///     hashes | entry 0 | entry 1 | … the full hash, for when the table grows
///
/// Equality is decided on the bytes, never on the hash alone. No number that leaves this table may
/// depend on the hash: callers sort by bytes before they store anything.
struct ByteTable {
    private(set) var pool = TextPool()
    private var slots: [UInt64]
    private var hashes: [UInt64] = []

    init(capacity: Int = 64) {
        var size = 128
        while size < 2 * capacity { size *= 2 }
        slots = [UInt64](repeating: 0, count: size)
    }

    /// The number of distinct byte strings.
    var count: Int { hashes.count }

    /// The bytes of one entry.
    func bytes(_ number: Int) -> ArraySlice<UInt8> {
        pool.slice(UInt32(number + 1))
    }

    /// The number of a byte string; nil where it is not in the table.
    func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        search(bytes, Self.hash(bytes)).number
    }

    /// The number of a byte string, which is added where it is new.
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        number(of: bytes, hash: Self.hash(bytes))
    }

    /// The number of a byte string with a known hash, which is added where it is new.
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
        let (number, slot) = search(bytes, hash)
        if let number { return number }
        pool.append(bytes)
        hashes.append(hash)
        slots[slot] = Self.slot(hash, hashes.count)
        if hashes.count * 2 > slots.count { grow() }
        return hashes.count - 1
    }

    /// Loads the memory that finding some byte strings will read.
    ///
    /// In a large table each access waits for memory. Independent accesses, one after the other,
    /// let the processor wait for many at a time.
    ///
    /// - Parameter hashes: The hashes of the byte strings.
    func warm(_ hashes: [UInt64]) {
        let mask = slots.count - 1
        var touched: UInt64 = 0
        for hash in hashes { touched ^= slots[Int(truncatingIfNeeded: hash) & mask] }
        for hash in hashes {
            let slot = slots[Int(truncatingIfNeeded: hash) & mask]
            guard slot >> 32 == hash >> 32, slot & 0xFFFF_FFFF != 0 else { continue }
            let start = pool.range(UInt32(truncatingIfNeeded: slot)).lowerBound
            if start < pool.bytes.count { touched ^= UInt64(pool.bytes[start]) }
        }
        withExtendedLifetime(touched) {}
    }

    private static func slot(_ hash: UInt64, _ number: Int) -> UInt64 {
        hash & 0xFFFF_FFFF_0000_0000 | UInt64(number)
    }

    /// The number of a byte string, and its slot or the free slot for it.
    private func search(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ hash: UInt64
    ) -> (number: Int?, slot: Int) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] >> 32 == hash >> 32 {
                let number = Int(slots[slot] & 0xFFFF_FFFF) - 1
                if isEqual(number, bytes) { return (number, slot) }
            }
            slot = (slot + 1) & mask
        }
        return (nil, slot)
    }

    private func isEqual(_ number: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = pool.range(UInt32(number + 1))
        guard range.count == bytes.count else { return false }
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return true }
        return pool.bytes.withUnsafeBytes { all in
            all.baseAddress.map { memcmp($0 + range.lowerBound, start, bytes.count) == 0 } ?? false
        }
    }

    private mutating func grow() {
        let mask = slots.count * 2 - 1
        var larger = [UInt64](repeating: 0, count: mask + 1)
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = Self.slot(hash, number + 1)
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
