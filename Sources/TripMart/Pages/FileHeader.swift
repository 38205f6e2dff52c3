/// The first hundred bytes of a SQLite file: what must hold before pages are added or read, and what
/// changes when they are added.
struct FileHeader {
    static let size = 100

    private(set) var bytes: [UInt8]
    let layout: PageLayout

    /// Reads the header and makes sure that pages can be added and read.
    init(_ file: borrowing PageFile) throws(PageError) {
        let path = file.path
        let fileSize = try file.size
        let bytes = try file.read(Self.size, at: 0)
        func require(_ code: PageError.Code, _ holds: Bool, _ finding: String) throws(PageError) {
            guard holds else { throw PageError(code: code, path: path, finding: finding) }
        }
        try require(
            .notSQLite,
            bytes.starts(with: "SQLite format 3\0".utf8),
            "The file does not begin as SQLite files do."
        )
        let written = Int(bytes[16]) << 8 | Int(bytes[17])
        let pageSize = written == 1 ? 65536 : written
        try require(
            .notSQLite,
            pageSize >= 512 && pageSize & (pageSize - 1) == 0,
            "The file's pages are of no size that SQLite has."
        )
        layout = PageLayout(pageSize: pageSize, reservedSize: Int(bytes[20]))
        self.bytes = bytes
        try require(
            .notSQLite,
            layout.usableSize >= 480 && fileSize == pageCount * layout.pageSize
                && number(at: 24) == number(at: 92),
            "The file is not as long as it says, or was last written by a very old SQLite."
        )
        try require(.unsupported, bytes[18] == 1 && bytes[19] == 1, "The file is in WAL mode.")
        try require(
            .unsupported,
            number(at: 52) == 0 && number(at: 64) == 0,
            "The file is made for auto-vacuum."
        )
        try require(.unsupported, number(at: 56) == 1, "The file keeps its texts as UTF-16.")
        try require(.unsupported, number(at: 44) == 4, "The file is of an old schema format.")
    }

    /// The number of the last page.
    ///
    /// Setting it also counts a change, by which readers notice that what they know is out of date.
    var pageCount: Int {
        get { number(at: 28) }
        set {
            set(newValue, at: 28)
            let change = (number(at: 24) + 1) & 0xFFFF_FFFF
            set(change, at: 24)
            set(change, at: 92)
        }
    }

    /// The first page of the list of free pages; 0 where none is free.
    var firstFreePage: Int { number(at: 32) }

    /// How many pages are free.
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
