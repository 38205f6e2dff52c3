/// A range of consecutive pages of a file, in memory.
///
/// Used by one thread. A returned buffer is valid until the next page is read.
final class PageWindow {
    private let file: PageFile
    private let pageSize: Int
    private let pageCount: Int
    private let buffer: UnsafeMutableRawBufferPointer
    private var pages = 0..<0
    /// Overflow pages read, one after the other.
    private(set) var overflowPages: [UInt32] = []
    /// A record that continues in overflow pages.
    private var gathered = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)

    /// - Parameters:
    ///   - path: The file.
    ///   - layout: The sizes of pages.
    ///   - pageCount: The pages of the file.
    ///   - capacity: The number of pages in memory.
    /// - Throws: ``MartError`` of the file.
    init(path: String, layout: PageLayout, pageCount: Int, capacity: Int) throws(MartError) {
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
    /// Where it is not in memory, it and the pages after it are read: trees are read from left to
    /// right, and their pages mostly lie in that order.
    func page(_ number: UInt32) throws(MartError) -> UnsafeRawBufferPointer {
        let index = Int(number) - 1
        guard index >= 0, index < pageCount else { throw damaged }
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

    /// Assembles a record that continues in overflow pages.
    ///
    /// - Parameters:
    ///   - size: Its size.
    ///   - local: The part of it in its cell.
    ///   - first: The first overflow page.
    ///   - layout: The sizes of pages.
    /// - Returns: The record, valid until the next one is assembled.
    /// - Throws: ``MartError`` with code `damaged` where a page does not exist or records take more
    ///   pages than the file has, or an error of the file.
    func whole(
        _ size: Int,
        _ local: UnsafeRawBufferPointer,
        _ first: UInt32,
        _ layout: PageLayout
    ) throws(MartError) -> UnsafeRawBufferPointer {
        // Memory is allocated only for the pages that exist: the size in a damaged record may be
        // wrong.
        reserve(local.count, keeping: 0)
        gathered.copyMemory(from: local)
        var (filled, next) = (local.count, first)
        while filled < size {
            // Each page belongs to one record; a circular chain would never end.
            overflowPages.append(next)
            guard overflowPages.count <= pageCount else { throw damaged }
            let page = try self.page(next)
            let part = min(layout.overflowSize, size - filled)
            reserve(filled + part, keeping: filled)
            UnsafeMutableRawBufferPointer(rebasing: gathered[filled...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: page[4..<4 + part]))
            filled += part
            next = page.bigEndian(at: 0, as: UInt32.self)
        }
        // The chain must end with the record.
        guard next == 0 else { throw damaged }
        return UnsafeRawBufferPointer(rebasing: gathered[..<size])
    }

    private func reserve(_ size: Int, keeping filled: Int) {
        guard gathered.count < size else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 8)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: gathered[..<filled]))
        gathered.deallocate()
        gathered = larger
    }

    /// The size of the file in bytes: no record is larger.
    var fileSize: Int { pageCount * pageSize }

    /// The error of a page with other bytes than were written.
    var damaged: MartError { MartError(.damaged as PageFault, file: file.path) }
}
