import TripDomain

/// The functions on texts, each on one value at a time, as SQLite defines them.
///
/// SQLite counts characters by UTF-8's lead bytes, and several of its functions end at a NUL byte;
/// both are kept, so that a damaged text gives the same result in both engines.
enum TextFunctions {
    /// The bytes up to the first NUL.
    static func countToNUL(_ text: Span<UInt8>) -> Int {
        var count = 0
        while count < text.count, text[count] != 0 { count += 1 }
        return count
    }

    /// The offset after the character that begins at an offset.
    static func skip(_ text: Span<UInt8>, _ offset: Int, _ end: Int) -> Int {
        var next = offset + 1
        guard text[offset] >= 0xC0 else { return next }
        while next < end, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }

    /// How many characters come before the first NUL.
    static func length(_ text: Span<UInt8>) -> Int64 {
        let end = countToNUL(text)
        var count: Int64 = 0
        var offset = 0
        while offset < end {
            offset = skip(text, offset, end)
            count += 1
        }
        return count
    }

    /// The position of the first occurrence of a text in another, in characters from 1; 0 for none.
    static func position(of needle: Span<UInt8>, in text: Span<UInt8>) -> Int64 {
        guard needle.count > 0 else { return 1 }
        var number: Int64 = 1
        var offset = 0
        while needle.count <= text.count - offset {
            var matched = 0
            while matched < needle.count, text[offset + matched] == needle[matched] {
                matched += 1
            }
            if matched == needle.count { return number }
            number += 1
            offset += 1
            while offset < text.count, text[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return 0
    }

    /// The bytes that substr() takes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - start: The first character, from 1; negative counts from the end.
    ///   - length: How many characters; negative takes those before `start`; nil takes the rest.
    /// - Returns: A range of the text's bytes.
    static func substring(_ text: Span<UInt8>, _ start: Int64, _ length: Int64?) -> Range<Int> {
        let end = countToNUL(text)
        // SQLite reads both numbers as 32-bit integers.
        var first = Int64(Int32(truncatingIfNeeded: start))
        var count = length.map { Int64(Int32(truncatingIfNeeded: $0)) } ?? 1_000_000_000
        let takesBefore = count < 0
        if takesBefore { count = -count }
        if first < 0 {
            first += self.length(text)
            if first < 0 {
                count = max(0, count + first)
                first = 0
            }
        } else if first > 0 {
            first -= 1
        } else if count > 0 {
            count -= 1
        }
        if takesBefore {
            first -= count
            if first < 0 {
                count += first
                first = 0
            }
        }
        var lower = 0
        while lower < end, first > 0 {
            lower = skip(text, lower, end)
            first -= 1
        }
        var upper = lower
        while upper < end, count > 0 {
            upper = skip(text, upper, end)
            count -= 1
        }
        return lower..<upper
    }

    /// The bytes that remain when characters of a set are taken off both ends.
    static func trimmed(_ text: Span<UInt8>, of set: Span<UInt8>) -> Range<Int> {
        let setEnd = countToNUL(set)
        var lower = 0
        var upper = text.count
        while lower < upper {
            let size = edge(text, lower..<upper, set, setEnd, fromStart: true)
            if size == 0 { break }
            lower += size
        }
        while lower < upper {
            let size = edge(text, lower..<upper, set, setEnd, fromStart: false)
            if size == 0 { break }
            upper -= size
        }
        return lower..<upper
    }

    /// The size of the set's first character that is at one end of a range; 0 for none.
    private static func edge(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        _ set: Span<UInt8>,
        _ setEnd: Int,
        fromStart: Bool
    ) -> Int {
        var offset = 0
        while offset < setEnd {
            let next = skip(set, offset, setEnd)
            let size = next - offset
            if size <= range.count {
                let start = fromStart ? range.lowerBound : range.upperBound - size
                var matched = 0
                while matched < size, text[start + matched] == set[offset + matched] {
                    matched += 1
                }
                if matched == size { return size }
            }
            offset = next
        }
        return 0
    }

    /// The order of two texts by their bytes: negative, zero or positive.
    static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        let shared = min(left.count, right.count)
        var offset = 0
        while offset < shared {
            if left[offset] != right[offset] { return Int(left[offset]) - Int(right[offset]) }
            offset += 1
        }
        return left.count - right.count
    }

    /// An ASCII letter in upper case; any other byte as it is.
    static func upper(_ byte: UInt8) -> UInt8 {
        byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte
    }

    /// An ASCII letter in lower case; any other byte as it is.
    static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte
    }
}
