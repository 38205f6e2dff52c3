/// Reads numbers from text exactly as SQLite 3.40.1 does in CAST and in literals.
///
/// SQLite reads the longest prefix that is a number and ignores the rest. Its doubles come from a
/// 63-bit significand scaled by a power of ten in C's `long double`, and are therefore not always
/// the nearest double. A rule must give the same number here and in SQLite.
enum NumberReading {
    #if arch(x86_64) || arch(i386)
    /// C's `long double` on this machine.
    typealias Extended = Float80
    #else
    /// C's `long double` where it is no wider than a double, as on Apple's ARM machines.
    typealias Extended = Double
    #endif

    /// The limit at which further digits only move the decimal point.
    private static let significandLimit = (Int64.max - 9) / 10

    /// What was read of a real number.
    struct Real {
        let value: Double
        /// Whether the whole text, apart from spaces around it, is one number.
        let isWhole: Bool
    }

    /// The spaces that SQLite skips around numbers and dates.
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// The digits of a number, taken apart.
    private struct Parts {
        var significand: Int64 = 0
        var isNegative = false
        var exponent = 0
        var digitCount = 0
        var isExponentValid = true
        var reachedEnd = false
    }

    /// The whole number at the start of a text; 0 where there is none.
    ///
    /// Numbers outside 64 bits give the nearest end of the range.
    static func integer(_ text: Span<UInt8>) -> Int64 {
        var offset = skipSpaces(text, 0)
        var isNegative = false
        if offset < text.count, text[offset] == 0x2D || text[offset] == 0x2B {
            isNegative = text[offset] == 0x2D
            offset += 1
        }
        var magnitude: UInt64 = 0
        while offset < text.count, isDigit(text[offset]) {
            let (tens, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carries) = tens.addingReportingOverflow(UInt64(text[offset] - 0x30))
            if isTooLarge || carries || sum > UInt64(Int64.max) + 1 {
                return isNegative ? .min : .max
            }
            magnitude = sum
            offset += 1
        }
        if magnitude > UInt64(Int64.max) { return isNegative ? .min : .max }
        return isNegative ? -Int64(magnitude) : Int64(magnitude)
    }

    /// The real number at the start of a text; 0 where there is none.
    static func real(_ text: Span<UInt8>) -> Real {
        let parts = parts(of: text)
        return Real(
            value: value(of: parts),
            isWhole: parts.reachedEnd && parts.digitCount > 0 && parts.isExponentValid
        )
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func skipSpaces(_ text: Span<UInt8>, _ start: Int) -> Int {
        var offset = start
        while offset < text.count, isSpace(text[offset]) { offset += 1 }
        return offset
    }

    private static func parts(of text: Span<UInt8>) -> Parts {
        var parts = Parts()
        var offset = skipSpaces(text, 0)
        guard offset < text.count else { return parts }
        if text[offset] == 0x2D || text[offset] == 0x2B {
            parts.isNegative = text[offset] == 0x2D
            offset += 1
        }
        var shift = 0
        while offset < text.count, isDigit(text[offset]) {
            parts.significand = parts.significand * 10 + Int64(text[offset] - 0x30)
            parts.digitCount += 1
            offset += 1
            guard parts.significand >= significandLimit else { continue }
            while offset < text.count, isDigit(text[offset]) {
                offset += 1
                shift += 1
            }
        }
        if offset < text.count, text[offset] == 0x2E {
            offset += 1
            while offset < text.count, isDigit(text[offset]) {
                if parts.significand < significandLimit {
                    parts.significand = parts.significand * 10 + Int64(text[offset] - 0x30)
                    parts.digitCount += 1
                    shift -= 1
                }
                offset += 1
            }
        }
        if offset < text.count, text[offset] | 0x20 == 0x65 {
            offset = readExponent(text, offset + 1, &parts)
        }
        parts.exponent += shift
        parts.reachedEnd = skipSpaces(text, offset) == text.count
        return parts
    }

    /// Reads the exponent after an `e`; an `e` without digits means that the whole text
    /// is not one number.
    private static func readExponent(
        _ text: Span<UInt8>,
        _ start: Int,
        _ parts: inout Parts
    ) -> Int {
        var offset = start
        parts.isExponentValid = false
        var isNegative = false
        if offset < text.count, text[offset] == 0x2D || text[offset] == 0x2B {
            isNegative = text[offset] == 0x2D
            offset += 1
        }
        var exponent = 0
        while offset < text.count, isDigit(text[offset]) {
            exponent = exponent < 10_000 ? exponent * 10 + Int(text[offset] - 0x30) : 10_000
            parts.isExponentValid = true
            offset += 1
        }
        parts.exponent = isNegative ? -exponent : exponent
        return offset
    }

    private static func value(of parts: Parts) -> Double {
        guard parts.significand != 0 else { return parts.isNegative ? -0.0 : 0.0 }
        var significand = parts.significand
        let grows = parts.exponent >= 0
        var exponent = abs(parts.exponent)
        while exponent > 0 {
            if grows {
                if significand >= Int64.max / 10 { break }
                significand *= 10
            } else {
                if significand % 10 != 0 { break }
                significand /= 10
            }
            exponent -= 1
        }
        if parts.isNegative { significand = -significand }
        if exponent == 0 { return Double(significand) }
        if exponent >= 342 { return grows ? Double(significand) * .infinity : 0 }
        let wide = Extended(significand)
        if exponent > 307 {
            let scale = powerOfTen(exponent - 308)
            return grows ? Double(wide * scale) * 1.0e308 : Double(wide / scale) / 1.0e308
        }
        let scale = powerOfTen(exponent)
        return Double(grows ? wide * scale : wide / scale)
    }

    private static func powerOfTen(_ exponent: Int) -> Extended {
        var rest = exponent
        var square: Extended = 10
        var result: Extended = 1
        while true {
            if rest & 1 == 1 { result *= square }
            rest >>= 1
            if rest == 0 { return result }
            square *= square
        }
    }
}
