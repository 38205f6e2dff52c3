import Testing

@testable import TripMart

/// Pages and records of a file with linked overflow pages.
@Suite struct PageWindowTests {
    private let folder = TemporaryFolder()
    private let layout = PageLayout(pageSize: 512)

    /// A file of pages that begin with the given numbers and continue with their own.
    private func window(_ nexts: [UInt8], capacity: Int = 1) throws -> PageWindow {
        let path = folder.path + "/pages"
        var bytes: [UInt8] = []
        for (index, next) in nexts.enumerated() {
            bytes += [0, 0, 0, next]
            bytes += [UInt8](repeating: UInt8(index + 1), count: 508)
        }
        try FileSystem.remove(path)
        try FileSystem.writeNew(bytes, to: path, mode: 0o600)
        return try PageWindow(
            path: path,
            layout: layout,
            pageCount: nexts.count,
            capacity: capacity
        )
    }

    private func whole(_ window: PageWindow, _ size: Int, from first: UInt32) throws -> [UInt8] {
        try [UInt8(9), 9].withUnsafeBytes { Array(try window.whole(size, $0, first, layout)) }
    }

    @Test(arguments: [1, 2, 3, 64])
    func recordIsAssembled(capacity: Int) throws {
        let window = try window([0, 3, 4, 0], capacity: capacity)
        let record = try whole(window, 2 + 508 + 508 + 7, from: 2)
        var expected: [UInt8] = [9, 9]
        for (number, count) in [(UInt8(2), 508), (3, 508), (4, 7)] {
            expected += [UInt8](repeating: number, count: count)
        }
        #expect(record == expected)
    }

    /// Whatever the size in a record, no more pages are read than the file has.
    @Test(arguments: [2000, 1 << 20, 1 << 50])
    func circularChainEnds(size: Int) throws {
        let error = #expect(throws: MartError.self) {
            try whole(window([0, 3, 2]), size, from: 2)
        }
        #expect(error?.code == .damaged)
    }

    @Test(arguments: [UInt32(0), 4, .max])
    func missingPageIsRefused(number: UInt32) throws {
        let window = try window([0, 0, 0])
        let error = #expect(throws: MartError.self) { try window.page(number) }
        #expect(error?.code == .damaged)
        #expect(try window.page(3)[4] == 3)
    }
}
