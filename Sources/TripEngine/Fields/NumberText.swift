internal import TripDomain

/// Readers of numbers from text.
///
/// Each takes the bytes of one cell, already trimmed, and returns nil where they are no value of
/// the type. None rounds, and none uses floating point for money.
enum NumberText {
    /// Reads dollars into whole cents: `1184.5`, `$1,184.50`, `-12`, `(12.00)`, `$-3`.
    ///
    /// Commas must group thousands. More than two decimals are read only if the further ones are
    /// zeros: half a cent would have to be rounded, and reading rounds only where a field says so.
    static func cents(_ text: UnsafeBufferPointer<UInt8>, isRounded: Bool = false) -> Int64? {
        hundredths(text, allowsDollar: true, isRounded)
    }

    /// Reads miles into whole hundredths: `12`, `12.4`, `1,204.25`.
    static func mileHundredths(
        _ text: UnsafeBufferPointer<UInt8>,
        isRounded: Bool = false
    ) -> Int64? {
        hundredths(text, allowsDollar: false, isRounded)
    }

    /// Reads up to nine digits, alone or before a point and one or two more, times one hundred.
    ///
    /// Most amounts are written so. Nil means only that the text is written in another way.
    @inline(__always)
    static func plainHundredths(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var value: Int64 = 0
        var index = 0
        while index < text.count {
            let digit = text[index] &- 0x30
            guard digit <= 9 else { break }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        guard index > 0, index <= 9 else { return nil }
        if index == text.count { return value &* 100 }
        guard text[index] == 0x2E else { return nil }
        let decimals = text.count - index - 1
        guard decimals == 1 || decimals == 2 else { return nil }
        let tenths = text[index + 1] &- 0x30
        let ones = decimals == 2 ? text[index + 2] &- 0x30 : 0
        guard tenths <= 9, ones <= 9 else { return nil }
        return value &* 100 &+ Int64(tenths) &* 10 &+ Int64(ones)
    }

    /// Reads a whole number with an optional sign.
    static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard let first = text.first else { return nil }
        let isNegative = first == 0x2D
        let start = isNegative || first == 0x2B ? 1 : 0
        guard start < text.count else { return nil }
        // Accumulated as a negative number, so that the least value of 64 bits can be read too.
        var value: Int64 = 0
        for index in start..<text.count {
            let digit = text[index] &- 0x30
            guard digit <= 9 else { return nil }
            let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, overflowed) = scaled.subtractingReportingOverflow(Int64(digit))
            guard !overflow, !overflowed else { return nil }
            value = next
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    /// Reads a decimal number: digits, an optional point, an optional exponent.
    static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var hasDigit = false
        for byte in text {
            switch byte {
            case 0x30...0x39: hasDigit = true
            case 0x2B, 0x2D, 0x2E, 0x45, 0x65: break
            default: return nil
            }
        }
        guard hasDigit, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    private static func hundredths(
        _ text: UnsafeBufferPointer<UInt8>,
        allowsDollar: Bool,
        _ isRounded: Bool
    ) -> Int64? {
        var range = 0..<text.count
        var isNegative = false
        if text.count >= 2, text[0] == 0x28, text[text.count - 1] == 0x29 {
            isNegative = true
            range = 1..<(text.count - 1)
        }
        // At most one sign and one dollar mark, in either order, and no sign inside parentheses.
        var signSeen = isNegative
        var dollarSeen = !allowsDollar
        while let index = range.first {
            if !signSeen, text[index] == 0x2D || text[index] == 0x2B {
                isNegative = text[index] == 0x2D
                signSeen = true
            } else if !dollarSeen, text[index] == 0x24 {
                dollarSeen = true
            } else {
                break
            }
            range = (index + 1)..<range.upperBound
        }
        guard let magnitude = digits(text, range, isRounded) else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    /// Reads digits with grouping commas and up to two significant decimals, or more where they are
    /// rounded, times one hundred.
    private static func digits(
        _ text: UnsafeBufferPointer<UInt8>,
        _ range: Range<Int>,
        _ isRounded: Bool
    ) -> Int64? {
        var whole: Int64 = 0
        var wholeDigits = 0
        var groupDigits = -1
        var index = range.lowerBound
        while index < range.upperBound, text[index] != 0x2E {
            let byte = text[index]
            index += 1
            if byte == 0x2C {
                let isFirst = groupDigits < 0
                guard isFirst ? (1...3).contains(wholeDigits) : groupDigits == 3 else { return nil }
                groupDigits = 0
                continue
            }
            let digit = byte &- 0x30
            // Below a billion dollars or miles: more than any trip, and ten thousand such amounts
            // can still be added up (`SumLimit`).
            guard digit <= 9, wholeDigits < 9 else { return nil }
            whole = whole * 10 + Int64(digit)
            wholeDigits += 1
            if groupDigits >= 0 { groupDigits += 1 }
        }
        guard groupDigits < 0 || groupDigits == 3 else { return nil }
        var fraction: Int64 = 0
        var fractionDigits = 0
        var isRoundedUp = false
        if index < range.upperBound {
            index += 1
            while index < range.upperBound {
                let digit = text[index] &- 0x30
                guard digit <= 9 else { return nil }
                if fractionDigits < 2 {
                    fraction = fraction * 10 + Int64(digit)
                } else if isRounded {
                    if fractionDigits == 2 { isRoundedUp = digit >= 5 }
                } else if digit != 0 {
                    return nil
                }
                fractionDigits += 1
                index += 1
            }
        }
        guard wholeDigits + fractionDigits > 0 else { return nil }
        if fractionDigits == 1 { fraction *= 10 }
        let hundredths = whole * 100 + fraction + (isRoundedUp ? 1 : 0)
        // Rounded, the greatest amount may be one digit longer.
        return hundredths <= SumLimit.tripAmountMax ? hundredths : nil
    }
}

/// Readers of single values outside an export: bounds in a pipeline, amounts in examples.
public enum FieldValues {
    /// Dollars or miles as written, in whole hundredths; nil where the text is no such number.
    public static func hundredths(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBufferPointer { NumberText.cents($0) }
    }
}
