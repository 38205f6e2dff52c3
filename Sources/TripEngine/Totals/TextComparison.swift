internal import Glibc

/// Whether two texts have the same bytes.
func isEqualText(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
}

/// Whether one text comes before another by its bytes, as in SQLite's BINARY collation.
func precedesText(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard let first = left.baseAddress, let second = right.baseAddress else {
        return left.count < right.count
    }
    let order = memcmp(first, second, min(left.count, right.count))
    return order != 0 ? order < 0 : left.count < right.count
}

/// The first sixteen bytes of a text as one number, zeros where it is shorter.
///
/// Where two heads differ, they order their texts; where they are equal, the texts have to be
/// compared.
func textHead(_ text: UnsafeRawBufferPointer) -> UInt128 {
    var head: UInt128 = 0
    withUnsafeMutableBytes(of: &head) { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: text.prefix(16)))
    }
    return UInt128(bigEndian: head)
}
