/// All pages of one level of a b-tree, and the dividers between them.
struct TreeLevel {
    /// The pages, from left to right.
    var children: [UInt32] = []
    /// One between every two children.
    var dividers = DividerList()

    /// The level above, written into pages that the caller numbers.
    ///
    /// - Parameters:
    ///   - layout: The sizes of pages.
    ///   - kind: The kind of the tree.
    ///   - firstOrdinal: The ordinal of the first new page.
    /// - Returns: The pages one after the other, and the level they form; a level of one page is
    ///   the root.
    func above(
        _ layout: PageLayout,
        _ kind: TreeKind,
        firstOrdinal: Int
    ) -> (pages: [UInt8], level: TreeLevel) {
        precondition(children.count == dividers.count + 1, "a divider between every two children")
        let cuts = cuts(layout.usableSize)
        var pages = [UInt8](repeating: 0, count: cuts.count * layout.pageSize)
        var level = TreeLevel()
        var start = 0
        pages.withUnsafeMutableBytes { bytes in
            for (index, end) in cuts.enumerated() {
                let range = index * layout.pageSize..<(index + 1) * layout.pageSize
                let page = UnsafeMutableRawBufferPointer(rebasing: bytes[range])
                write(start..<end, kind, usableSize: layout.usableSize, to: page)
                level.children.append(
                    UInt32(layout.pageNumber(ordinal: firstOrdinal + index))
                )
                if end < children.count {
                    dividers.bytes.withUnsafeBytes {
                        level.dividers.append(
                            UnsafeRawBufferPointer(rebasing: $0[dividers.range(end - 1)])
                        )
                    }
                }
                start = end
            }
        }
        return (pages, level)
    }

    /// The end of the range of children of each page of the level above.
    private func cuts(_ usableSize: Int) -> [Int] {
        var cuts: [Int] = []
        var size = PageHeader.interiorSize
        for index in 0..<dividers.count {
            // A cell is the child's number and the divider after it; two bytes hold its offset.
            let cellSize = 6 + dividers.range(index).count
            size += cellSize
            if size > usableSize {
                cuts.append(index + 1)
                size = PageHeader.interiorSize
            }
        }
        // A page has at least one cell, so that a single remaining child takes one from the page
        // before it.
        if let last = cuts.last, last == children.count - 1 { cuts[cuts.count - 1] -= 1 }
        return cuts + [children.count]
    }

    /// Writes one page: cells for all children of a range except the last, which is the right-most.
    private func write(
        _ range: Range<Int>,
        _ kind: TreeKind,
        usableSize: Int,
        to page: UnsafeMutableRawBufferPointer
    ) {
        guard let start = page.baseAddress else { return }
        var cellsStart = usableSize
        for (position, index) in range.dropLast().enumerated() {
            let divider = dividers.range(index)
            cellsStart -= 4 + divider.count
            page.storeBytes(
                of: children[index].bigEndian,
                toByteOffset: cellsStart,
                as: UInt32.self
            )
            dividers.bytes.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: page[(cellsStart + 4)...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[divider]))
            }
            page.storeBytes(
                of: UInt16(cellsStart).bigEndian,
                toByteOffset: PageHeader.interiorSize + 2 * position,
                as: UInt16.self
            )
        }
        PageHeader.write(kind.interiorMark, range.count - 1, cellsStart, to: start)
        page.storeBytes(
            of: children[range.upperBound - 1].bigEndian,
            toByteOffset: PageHeader.leafSize,
            as: UInt32.self
        )
    }
}

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
