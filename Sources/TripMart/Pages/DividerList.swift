/// The dividers between neighbouring children of interior pages, in order.
///
/// For a table a divider is the largest rowid to the left, for an index an entry with the size
/// before it: in both cases the bytes of a cell without the child's page number.
///
///     bytes  | divider 0 | divider 1 | …
///     ends   [n₀, n₁, …]
struct DividerList {
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []

    var count: Int { ends.count }

    func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    mutating func append(_ divider: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: divider)
        ends.append(bytes.count)
    }

    mutating func append(_ list: borrowing DividerList) {
        let start = bytes.count
        bytes.append(contentsOf: list.bytes)
        ends.append(contentsOf: list.ends.map { start + $0 })
    }

    /// Overwrites four bytes, which hold the page number of an overflow page.
    mutating func write(_ number: UInt32, at offset: Int) {
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt32.self)
        }
    }

    /// The four bytes at an offset, as a number.
    func number(at offset: Int) -> UInt32 {
        bytes.withUnsafeBytes {
            UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
    }

    mutating func removeLast() {
        ends.removeLast()
        bytes.removeLast(bytes.count - (ends.last ?? 0))
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}
