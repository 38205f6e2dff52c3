/// The first hundred bytes of a SQLite file: the conditions for adding or reading pages, and the
/// fields that change when pages are added.
struct DatabaseHeader {
    static let size = 100

    private(set) var bytes: [UInt8]
    let layout: PageLayout

    /// Reads the header and checks that pages can be added and read.
    init(_ file: borrowing PageFile) throws(MartError) {
        let path = file.path
        let fileSize = try file.size
        let bytes = try file.read(Self.size, at: 0)
        func require(_ holds: Bool, _ fault: PageFault) throws(MartError) {
            guard holds else { throw MartError(fault, file: path) }
        }
        try require(bytes.starts(with: "SQLite format 3\0".utf8), .notSQLite)
        let written = Int(bytes[16]) << 8 | Int(bytes[17])
        let pageSize = written == 1 ? 65536 : written
        try require(pageSize >= 512 && pageSize & (pageSize - 1) == 0, .notSQLite)
        layout = PageLayout(pageSize: pageSize, reservedSize: Int(bytes[20]))
        self.bytes = bytes
        // The size differs where the file is not whole, the two numbers where a very old SQLite
        // wrote it last.
        try require(
            layout.usableSize >= 480 && fileSize == pageCount * layout.pageSize
                && number(at: 24) == number(at: 92),
            .notSQLite
        )
        // WAL mode.
        try require(bytes[18] == 1 && bytes[19] == 1, .unsupported)
        // Auto-vacuum.
        try require(number(at: 52) == 0 && number(at: 64) == 0, .unsupported)
        // Texts as UTF-16, and an old schema format.
        try require(number(at: 56) == 1 && number(at: 44) == 4, .unsupported)
    }

    /// The number of the last page.
    ///
    /// Setting it also increments the change counter, by which readers notice that their caches are
    /// stale.
    var pageCount: Int {
        get { number(at: 28) }
        set {
            set(newValue, at: 28)
            let change = (number(at: 24) + 1) & 0xFFFF_FFFF
            set(change, at: 24)
            set(change, at: 92)
        }
    }

    /// The first page of the free list; 0 where no page is free.
    var firstFreePage: Int { number(at: 32) }

    /// The number of free pages.
    var freePageCount: Int { number(at: 36) }

    private func number(at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func set(_ number: Int, at offset: Int) {
        for index in 0..<4 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index))
        }
    }
}
