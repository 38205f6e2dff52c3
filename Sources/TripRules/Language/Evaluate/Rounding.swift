/// Rounds doubles exactly as SQLite 3.40.1 does.
///
/// SQLite writes the number with the wanted count of digits by its own printf, which adds half a
/// unit in `long double` and shows at most sixteen significant digits, and reads it back.
enum Rounding {
    private typealias Extended = NumberReading.Extended

    /// From here on a double has no fraction.
    private static let wholeLimit = 4_503_599_627_370_496.0

    /// Half a unit of each count of digits after the point.
    private static let halves: [Double] = [
        5.0e-01, 5.0e-02, 5.0e-03, 5.0e-04, 5.0e-05, 5.0e-06, 5.0e-07, 5.0e-08, 5.0e-09, 5.0e-10,
    ]

    /// A number rounded to some digits after the point.
    ///
    /// - Parameters:
    ///   - value: Any number but NaN.
    ///   - digits: 0 to 15.
    ///   - scratch: A buffer for the digits, reused from call to call.
    /// - Returns: The rounded number.
    static func round(_ value: Double, digits: Int, scratch: inout [UInt8]) -> Double {
        if value < -wholeLimit || value > wholeLimit { return value }
        if digits == 0 { return Double(Int64(value + (value < 0 ? -0.5 : 0.5))) }
        scratch.removeAll(keepingCapacity: true)
        write(value, digits: digits, into: &scratch)
        return NumberReading.real(scratch.span).value
    }

    /// Writes a number as printf's `%.*f` does in SQLite.
    private static func write(_ value: Double, digits: Int, into text: inout [UInt8]) {
        var rest = Extended(value)
        if value < 0 {
            rest = -rest
            text.append(UInt8(ascii: "-"))
        }
        var half = halves[digits % 10]
        if digits >= 10 { half *= 1.0e-10 }
        let binaryExponent = -1023 + Int((value.bitPattern >> 52) & 0x7FF)
        if digits + binaryExponent / 3 < 15 {
            half = Double(Extended(half) + rest * 3e-16)
        }
        rest += Extended(half)
        var exponent = normalize(&rest)
        var significant = 16
        if exponent < 0 {
            text.append(UInt8(ascii: "0"))
        } else {
            while exponent >= 0 {
                text.append(nextDigit(&rest, &significant))
                exponent -= 1
            }
        }
        text.append(UInt8(ascii: "."))
        var missing = digits
        // As many zeros come between the point and the first significant digit.
        exponent += 1
        while exponent < 0 {
            text.append(UInt8(ascii: "0"))
            exponent += 1
            missing -= 1
        }
        while missing > 0 {
            text.append(nextDigit(&rest, &significant))
            missing -= 1
        }
    }

    /// Scales a positive number into 1 ..< 10 and says by which power of ten.
    private static func normalize(_ value: inout Extended) -> Int {
        var exponent = 0
        guard value > 0 else { return exponent }
        var scale: Extended = 1
        while value >= Extended(1e10) * scale {
            scale *= Extended(1e10)
            exponent += 10
        }
        while value >= 10 * scale {
            scale *= 10
            exponent += 1
        }
        value /= scale
        while value < Extended(1e-8) {
            value *= Extended(1e8)
            exponent -= 8
        }
        while value < 1 {
            value *= 10
            exponent -= 1
        }
        return exponent
    }

    private static func nextDigit(_ value: inout Extended, _ significant: inout Int) -> UInt8 {
        guard significant > 0 else { return UInt8(ascii: "0") }
        significant -= 1
        let digit = Int(value)
        value = (value - Extended(digit)) * 10
        return UInt8(0x30 + digit)
    }
}
