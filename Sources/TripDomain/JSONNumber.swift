/// A number of a JSON text; nil is null.
public enum JSONNumber: Sendable {
    /// A whole number.
    case integer(Int64?)
    /// A number with two decimals, times 100.
    case hundredths(Int64?)

    /// The most bytes one takes: a sign, its digits, a point, and a zero in front of it.
    static let byteCountMax = BytePen.digitCountMax + 3

    func write(_ pen: inout BytePen) {
        switch self {
        case .integer(let value?): pen.put(decimal: Int(value))
        case .hundredths(let value?):
            let (whole, part) = value.magnitude.quotientAndRemainder(dividingBy: 100)
            if value < 0 { pen.put(0x2D) }
            pen.put(digitsOf: UInt(whole), width: 1)
            pen.put(0x2E)
            pen.put(digitsOf: UInt(part), width: 2)
        case .integer(nil), .hundredths(nil): pen.put("null")
        }
    }
}
