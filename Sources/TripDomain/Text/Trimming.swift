/// A cell without the spaces and tabs around it.
///
/// Inlinable: the reader of exports calls it once per cell.
@inlinable @inline(__always)
public func trimmed(_ cell: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = cell.count
    while start < end, cell[start] == 0x20 || cell[start] == 0x09 { start += 1 }
    while end > start, cell[end - 1] == 0x20 || cell[end - 1] == 0x09 { end -= 1 }
    return UnsafeBufferPointer(rebasing: cell[start..<end])
}
