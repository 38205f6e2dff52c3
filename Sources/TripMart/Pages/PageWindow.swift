/// Some pages of a file that follow each other, in memory.
///
/// Used by one thread. What it gives out is good until the next page is asked for.
final class PageWindow {
    private let file: PageFile
    private let pageSize: Int
    private let pageCount: Int
    private let buffer: UnsafeMutableRawBufferPointer
    private var pages = 0..<0
    /// Overflow pages read, one after the other.
    private(set) var overflowPages: [UInt32] = []
    /// A record that goes on in overflow pages.
    private var gathered = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)

    /// - Parameters:
    ///   - path: The file.
    ///   - layout: The sizes of pages.
    ///   - pageCount: The pages of the file.
    ///   - capacity: How many pages are held.
    /// - Throws: ``PageError`` of the file.
    init(path: String, layout: PageLayout, pageCount: Int, capacity: Int) throws(PageError) {
        file = try PageFile(path: path, isWritable: false)
        pageSize = layout.pageSize
        self.pageCount = pageCount
        buffer = .allocate(byteCount: capacity * pageSize, alignment: 4096)
    }

    deinit {
        buffer.deallocate()
        gathered.deallocate()
    }

    /// A page, by its number from 1.
    ///
    /// Where it is not there yet, it and those behind it are read: trees are read from left to right,
    /// and mostly lie so.
    func page(_ number: UInt32) throws(PageError) -> UnsafeRawBufferPointer {
        let index = Int(number) - 1
        guard index >= 0, index < pageCount else { throw damaged(number) }
        if !pages.contains(index) {
            pages = 0..<0
            let end = min(index + buffer.count / pageSize, pageCount)
            try file.read(
                into: UnsafeMutableRawBufferPointer(
                    rebasing: buffer[..<((end - index) * pageSize)]
                ),
                at: index * pageSize
            )
            pages = index..<end
        }
        let start = (index - pages.lowerBound) * pageSize
        return UnsafeRawBufferPointer(rebasing: buffer[start..<start + pageSize])
    }

    /// Puts together a record that goes on in overflow pages.
    ///
    /// - Parameters:
    ///   - size: Its size.
    ///   - local: What of it stands in its cell.
    ///   - first: The first overflow page.
    ///   - layout: The sizes of pages.
    /// - Returns: The record, good until the next one is put together.
    /// - Throws: ``PageError`` with code `damaged` where a page is none of the file or records take more
    ///   pages than there are, or of the file.
    func whole(
        _ size: Int,
        _ local: UnsafeRawBufferPointer,
        _ first: UInt32,
        _ layout: PageLayout
    ) throws(PageError) -> UnsafeRawBufferPointer {
        // What a record says of its size is believed as far as its pages are there.
        reserve(local.count, keeping: 0)
        gathered.copyMemory(from: local)
        var (filled, next) = (local.count, first)
        while filled < size {
            // Each page belongs to one record; a chain that leads to itself would never end.
            overflowPages.append(next)
            guard overflowPages.count <= pageCount else { throw damaged(next) }
            let page = try self.page(next)
            let part = min(layout.overflowSize, size - filled)
            reserve(filled + part, keeping: filled)
            UnsafeMutableRawBufferPointer(rebasing: gathered[filled...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: page[4..<4 + part]))
            filled += part
            next = page.bigEndian(at: 0, as: UInt32.self)
        }
        // The chain is as long as the record needs.
        guard next == 0 else { throw damaged(next) }
        return UnsafeRawBufferPointer(rebasing: gathered[..<size])
    }

    private func reserve(_ size: Int, keeping filled: Int) {
        guard gathered.count < size else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: gathered[..<filled]))
        gathered.deallocate()
        gathered = larger
    }

    /// The bytes of the whole file: no record is larger.
    var fileSize: Int { pageCount * pageSize }

    /// The error for a page that is not as it was written.
    func damaged(_ number: UInt32) -> PageError {
        PageError(
            code: .damaged,
            path: file.path,
            finding: "Page \(number) is not as it was written."
        )
    }
}
