import TripDomain

/// Gives equal texts equal codes, in order of first appearance, through an open-addressed table.
///
///     slots  | 0 | 3 | 0 | 1 | …      a code, or 0 where the slot is free
///     hashes   hash of each code's text, so that most mismatches need no look at the bytes
///
/// Texts are compared byte by byte on every match of hashes.
struct TextInterner {
    private(set) var pool = TextPool()
    private var slots: [UInt32]
    private var hashes: [UInt64] = [0]
    private var mask: Int

    init() {
        slots = [UInt32](repeating: 0, count: 64)
        mask = 63
    }

    /// The number of distinct texts.
    var count: Int { pool.count - 1 }

    /// The code of a text, entered if it is new.
    ///
    /// - Complexity: O(*n*) in the text's bytes; amortised over growth.
    mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let hash = textHash(text)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let code = slots[slot]
            if code == 0 { break }
            if hashes[Int(code)] == hash, isEqual(code, text) { return code }
            slot = (slot + 1) & mask
        }
        let code = pool.append(text)
        hashes.append(hash)
        slots[slot] = code
        if pool.count * 2 > slots.count { grow() }
        return code
    }

    private func isEqual(_ code: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = pool.range(code)
        guard range.count == text.count else { return false }
        return pool.bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<text.count where bytes[range.lowerBound + index] != text[index] {
                return false
            }
            return true
        }
    }

    private mutating func grow() {
        mask = slots.count * 2 - 1
        slots = [UInt32](repeating: 0, count: mask + 1)
        for code in 1..<hashes.count {
            var slot = Int(truncatingIfNeeded: hashes[code]) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(code)
        }
    }
}

/// A 64-bit hash of a text, the same in every process: eight bytes a step, multiplied and folded.
///
/// It need not resist an adversary, because every match is confirmed on the bytes; the worst a
/// crafted export can do is to make its own file slower.
@inline(__always)
func textHash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: text.count) &* 0x9E37_79B9_7F4A_7C15
    guard let base = text.baseAddress else { return hash }
    let raw = UnsafeRawPointer(base)
    var offset = 0
    while offset + 8 <= text.count {
        hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
    }
    if offset < text.count {
        var tail: UInt64 = 0
        var shift: UInt64 = 0
        while offset < text.count {
            tail |= UInt64(text[offset]) << shift
            shift += 8
            offset += 1
        }
        hash = mix(hash ^ tail)
    }
    return mix(hash)
}

/// Multiplies to 128 bits and folds the halves together.
@inline(__always)
private func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(by: 0x8BB8_4B93_962E_ACC9)
    return product.high ^ product.low
}
