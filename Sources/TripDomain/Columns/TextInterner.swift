internal import Glibc

/// Gives equal texts equal codes, in order of first appearance, through an open-addressed table.
///
///     slots  | 0 | 3 | 0 | 1 | …      the code of the text that hashed here, 0 where the slot is
///                                     free; above it half of its hash, so that most mismatches
///                                     are found without the bytes
///     hashes   the whole hash of each code's text, for when the table grows
///
/// Texts are compared byte by byte wherever hashes agree. Texts with different bytes differ, as in
/// SQL, even if Unicode treats them as equal. No code depends on the hash.
///
/// Its search is inlinable: the reader of exports, the totals and the writer of pages enter a text
/// per distinct value of a batch, and one per patient. A column that repeats cells may put a
/// smaller memo of its own in front of it, as the engine's blocks of records do.
public struct TextInterner: Sendable {
    /// The texts by code; entry 0 is NULL.
    @inlinable public var pool: TextPool { entries }
    @usableFromInline var entries = TextPool()
    @usableFromInline var slots: [UInt64]
    @usableFromInline var hashes: [UInt64] = [0]

    /// Begins without texts.
    public init() {
        slots = [UInt64](repeating: 0, count: 128)
    }

    /// The number of distinct texts.
    @inlinable public var count: Int { entries.count - 1 }

    /// The codes of all texts, in order of first appearance.
    @inlinable public var codes: Range<UInt32> { 1..<UInt32(entries.count) }

    /// The code of a text; a new text is added.
    ///
    /// - Complexity: O(*n*) in the text's bytes; amortised over growth.
    @inlinable public mutating func code(of text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        code(of: text, hash: textHash(text))
    }

    /// The code of a text; a new text is added.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - hash: Its ``textHash(_:)``.
    /// - Returns: The code.
    /// - Complexity: O(*n*) in the text's bytes; amortised over growth.
    @inlinable
    public mutating func code(of text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> UInt32 {
        let (code, slot) = search(text, hash)
        return code == 0 ? append(text, hash, at: slot) : code
    }

    /// The code of a text; 0 where it was not added.
    ///
    /// - Complexity: O(*n*) in the text's bytes.
    @inlinable public func find(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        search(text, textHash(text)).code
    }

    /// Loads the memory that finding some texts will read.
    ///
    /// In a large table each access waits for memory. Independent accesses, one after the other,
    /// let the processor wait for many at a time.
    ///
    /// - Parameter hashes: The hashes of the texts.
    public func prefetch(_ hashes: [UInt64]) {
        let mask = slots.count - 1
        var touched: UInt64 = 0
        for hash in hashes { touched ^= slots[Int(truncatingIfNeeded: hash) & mask] }
        for hash in hashes {
            let slot = slots[Int(truncatingIfNeeded: hash) & mask]
            guard slot >> 32 == hash >> 32, slot & 0xFFFF_FFFF != 0 else { continue }
            let start = entries.range(UInt32(truncatingIfNeeded: slot)).lowerBound
            if start < entries.bytes.count { touched ^= UInt64(entries.bytes[start]) }
        }
        withExtendedLifetime(touched) {}
    }

    // Inlinable, because `code` and `find` are.
    /// The code of a text, 0 where it is new, and its slot or the free slot for it.
    @inlinable
    func search(
        _ text: UnsafeBufferPointer<UInt8>,
        _ hash: UInt64
    ) -> (code: UInt32, slot: Int) {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] >> 32 == hash >> 32 {
                let code = UInt32(truncatingIfNeeded: slots[slot])
                if isEqual(code, text) { return (code, slot) }
            }
            slot = (slot + 1) & mask
        }
        return (0, slot)
    }

    @usableFromInline
    func isEqual(_ code: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = entries.range(code)
        guard range.count == text.count else { return false }
        guard let start = text.baseAddress, !text.isEmpty else { return true }
        return entries.bytes.withUnsafeBytes { all in
            all.baseAddress.map { memcmp($0 + range.lowerBound, start, text.count) == 0 } ?? false
        }
    }

    @usableFromInline
    mutating func append(
        _ text: UnsafeBufferPointer<UInt8>,
        _ hash: UInt64,
        at slot: Int
    ) -> UInt32 {
        let code = entries.append(text)
        hashes.append(hash)
        slots[slot] = Self.slot(hash, code)
        if hashes.count * 2 > slots.count { grow() }
        return code
    }

    private mutating func grow() {
        let mask = slots.count * 2 - 1
        var larger = [UInt64](repeating: 0, count: mask + 1)
        for code in 1..<hashes.count {
            var slot = Int(truncatingIfNeeded: hashes[code]) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = Self.slot(hashes[code], UInt32(code))
        }
        slots = larger
    }

    private static func slot(_ hash: UInt64, _ code: UInt32) -> UInt64 {
        hash & 0xFFFF_FFFF_0000_0000 | UInt64(code)
    }
}

extension TextInterner {
    /// The code of a text; a new text is added.
    public mutating func code(of text: String) -> UInt32 {
        var text = text
        return text.withUTF8 { code(of: $0) }
    }

    /// The code of a word; 0 for an empty one, which counts as none, like NULL.
    public mutating func wordCode(_ word: ArraySlice<UInt8>) -> UInt32 {
        word.withUnsafeBufferPointer { $0.isEmpty ? 0 : code(of: $0) }
    }

    /// The code of each word of a pool, by entry; 0 for NULL and for an empty word.
    public mutating func wordCodes(of pool: TextPool) -> [UInt32] {
        (0..<UInt32(pool.count)).map { wordCode(pool.slice($0)) }
    }

    /// The code of each word of a column's pool, by entry; 0 for NULL and for an empty word.
    public mutating func wordCodes(of texts: PackedTexts) -> [UInt32] {
        (0..<texts.poolCount).map { entry in
            texts.withEntry(entry) {
                $0.isEmpty ? 0 : code(of: $0.assumingMemoryBound(to: UInt8.self))
            }
        }
    }

    /// The texts by code; that of code 0 is empty.
    public var texts: [String] { (0...UInt32(count)).map { pool.string($0) ?? "" } }
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
        hash = foldedProduct(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
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
        hash = foldedProduct(hash ^ tail)
    }
    return foldedProduct(hash)
}

// Inlinable, because `textHash` is, and for a recount that marks every row.
/// One step of a hash: multiplies to 128 bits and folds the halves together.
@inlinable @inline(__always)
public func foldedProduct(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(by: 0x8BB8_4B93_962E_ACC9)
    return product.high ^ product.low
}
