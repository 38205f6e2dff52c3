/// Gives equal texts equal codes, in order of first appearance, through an open-addressed table.
///
///     slots  | 0 | 3 | 0 | 1 | …      a code, or 0 where the slot is free
///     hashes   hash of each code's text, so that most mismatches are found without the bytes
///
/// Texts are compared byte by byte on every match of hashes.
///
/// Inlinable as a whole: the reader of exports enters a text per cell that is not remembered.
public struct TextInterner: Sendable {
    /// The texts by code; entry 0 is NULL.
    @inlinable public var pool: TextPool { texts }
    @usableFromInline var texts = TextPool()
    @usableFromInline var slots: [UInt32]
    @usableFromInline var hashes: [UInt64] = [0]
    @usableFromInline var mask: Int

    /// Begins without texts.
    public init() {
        slots = [UInt32](repeating: 0, count: 64)
        mask = 63
    }

    /// The number of distinct texts.
    @inlinable public var count: Int { texts.count - 1 }

    /// The code of a text; a new text is added.
    ///
    /// - Complexity: O(*n*) in the text's bytes; amortised over growth.
    @inlinable public mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let hash = textHash(text)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let code = slots[slot]
            if code == 0 { break }
            if hashes[Int(code)] == hash, isEqual(code, text) { return code }
            slot = (slot + 1) & mask
        }
        let code = texts.append(text)
        hashes.append(hash)
        slots[slot] = code
        if texts.count * 2 > slots.count { grow() }
        return code
    }

    // Inlinable, because `intern` is.
    @inlinable func isEqual(_ code: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = texts.range(code)
        guard range.count == text.count else { return false }
        return texts.bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<text.count where bytes[range.lowerBound + index] != text[index] {
                return false
            }
            return true
        }
    }

    // Inlinable, because `intern` is.
    @inlinable mutating func grow() {
        mask = slots.count * 2 - 1
        slots = [UInt32](repeating: 0, count: mask + 1)
        for code in 1..<hashes.count {
            var slot = Int(truncatingIfNeeded: hashes[code]) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(code)
        }
    }
}

/// A 64-bit hash of a text, the same in every process: eight bytes per step, multiplied and folded.
///
/// It need not resist an adversary, because every match is confirmed on the bytes; the worst a
/// crafted export can do is to make its own file slower.
@inlinable @inline(__always)
public func textHash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
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
@inlinable @inline(__always)
func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(by: 0x8BB8_4B93_962E_ACC9)
    return product.high ^ product.low
}
