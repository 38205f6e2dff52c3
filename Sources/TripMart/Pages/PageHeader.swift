/// The first bytes of a page of a b-tree.
///
///     | mark | first free block  | cells | start of cells | fragmented  | right-most child |
///     | 1    | 2, written as 0   | 2     | 2              | 1, as 0     | 4, not in leaves |
enum PageHeader {
    static let leafSize = 8
    static let interiorSize = 12
    /// A shorter cell of a leaf is padded, since SQLite needs a free block of that size when it is
    /// freed.
    static let leastCellSize = 4

    /// The offset of the header of a page: on the first page it follows the file's header.
    @inline(__always)
    static func start(_ number: UInt32) -> Int { number == 1 ? DatabaseHeader.size : 0 }

    @inline(__always)
    static func write(
        _ mark: UInt8,
        _ cellCount: Int,
        _ cellsStart: Int,
        to page: UnsafeMutableRawPointer
    ) {
        page.storeBytes(of: 0, as: UInt64.self)
        page.storeBytes(of: mark, as: UInt8.self)
        let count = UInt16(truncatingIfNeeded: cellCount)
        page.storeBytes(of: count.bigEndian, toByteOffset: 3, as: UInt16.self)
        // 65536 is written as 0.
        let start = UInt16(truncatingIfNeeded: cellsStart)
        page.storeBytes(of: start.bigEndian, toByteOffset: 5, as: UInt16.self)
    }
}
