/// The bytes of hexadecimal digits, as standards print their vectors.
func hexBytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    precondition(digits.count.isMultiple(of: 2), "two digits a byte")
    return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
}
