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
