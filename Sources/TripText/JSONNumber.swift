import TripDomain

/// A number in a JSON text; nil is written as null.
public enum JSONNumber: Sendable {
    /// A whole number.
    case integer(Int64?)
    /// A number with two decimals, times 100.
    case hundredths(Int64?)

    /// The maximum number of bytes: a sign, the digits, a point, and a zero before the point.
    static let byteCountMax = ByteWriter.digitCountMax + 3

    func write(_ writer: inout ByteWriter) {
        switch self {
        case .integer(let value?): writer.put(decimal: Int(value))
        case .hundredths(let value?):
            let (whole, part) = value.magnitude.quotientAndRemainder(dividingBy: 100)
            if value < 0 { writer.put(0x2D) }
            writer.put(digitsOf: UInt(whole), width: 1)
            writer.put(0x2E)
            writer.put(digitsOf: UInt(part), width: 2)
        case .integer(nil), .hundredths(nil): writer.put("null")
        }
    }
}
