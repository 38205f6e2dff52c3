/// Pages in memory, one after the other, which are reused for each leaf run.
struct PageBuffer: ~Copyable {
    let pageSize: Int
    /// The address of the first page; valid until pages are appended.
    private(set) var start: UnsafeMutableRawPointer
    /// The number of pages.
    private(set) var count = 0
    private var capacity = 64

    init(pageSize: Int) {
        self.pageSize = pageSize
        start = .allocate(byteCount: capacity * pageSize, alignment: 4096)
    }

    deinit {
        start.deallocate()
    }

    /// Appends pages whose bytes are not set, and returns the offset of the first.
    mutating func append(_ number: Int) -> Int {
        if count + number > capacity {
            capacity = max(2 * capacity, count + number)
            let moved = UnsafeMutableRawPointer.allocate(
                byteCount: capacity * pageSize,
                alignment: 4096
            )
            moved.copyMemory(from: start, byteCount: count * pageSize)
            start.deallocate()
            start = moved
        }
        count += number
        return (count - number) * pageSize
    }

    mutating func removeAll() {
        count = 0
    }

    /// Sets a range of bytes to zero.
    func clear(_ range: Range<Int>) {
        (start + range.lowerBound)
            .initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
    }
}
