internal import Glibc

/// Whether two texts have the same bytes.
func isEqualText(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
}

/// Whether one text comes before another by its bytes, as SQLite's BINARY collation has it.
func precedesText(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard let first = left.baseAddress, let second = right.baseAddress else {
        return left.count < right.count
    }
    let order = memcmp(first, second, min(left.count, right.count))
    return order != 0 ? order < 0 : left.count < right.count
}
