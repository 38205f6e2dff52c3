import CSQLite
import Synchronization
import TripDomain

/// The trips of a portion by column, ready to be bound or laid into pages.
///
///     words  | column 0: one word per row | column 1 | …    integers, doubles by their bits,
///                                                           texts as start << 28 | size
///     kinds  | the same shape: null, integer, real or text
///     bytes  | the texts, one after the other
final class TripBlock {
    /// What a word is.
    enum Kind: UInt8 {
        case null
        case integer
        case real
        case text
    }

    let columnCount: Int
    /// Rows that fit.
    ///
    /// The trips of a block lie anywhere in the batches of their month, so that the more of them take
    /// their values from one column of one batch in turn, the more find what they need in the cache.
    let capacity: Int
    private(set) var count = 0
    private(set) var firstNumber = 1
    private let words: UnsafeMutableBufferPointer<Int64>
    private let kinds: UnsafeMutableBufferPointer<Kind>
    private var bytes: [UInt8] = []

    init(_ columnCount: Int, capacity: Int) {
        self.columnCount = columnCount
        self.capacity = capacity
        words = .allocate(capacity: columnCount * capacity)
        words.initialize(repeating: 0)
        kinds = .allocate(capacity: columnCount * capacity)
        kinds.initialize(repeating: .null)
    }

    deinit {
        words.deallocate()
        kinds.deallocate()
    }

    /// Takes the values of some trips in place of those before.
    ///
    /// - Parameters:
    ///   - firstNumber: The number of the first trip.
    ///   - places: Where the trips are; at most ``capacity``.
    ///   - sources: The columns.
    func fill(_ firstNumber: Int, _ places: ArraySlice<TripPlace>, from sources: [TripSource]) {
        precondition(places.count <= capacity, "a block holds as many trips as it was made for")
        self.firstNumber = firstNumber
        count = places.count
        bytes.removeAll(keepingCapacity: true)
        let trips = BlockTrips(places)
        for (index, source) in sources.enumerated() {
            let start = index * capacity
            let column = Column(
                words: UnsafeMutableBufferPointer(rebasing: words[start..<start + capacity]),
                kinds: UnsafeMutableBufferPointer(rebasing: kinds[start..<start + capacity])
            )
            source.fill(column, trips, texts: &bytes)
        }
    }

    /// One column of a block, to be filled.
    struct Column {
        fileprivate let words: UnsafeMutableBufferPointer<Int64>
        fileprivate let kinds: UnsafeMutableBufferPointer<Kind>

        @inline(__always)
        func set(_ row: Int, integer: Int64) {
            words[row] = integer
            kinds[row] = .integer
        }

        @inline(__always)
        func set(_ row: Int, real: Double) {
            words[row] = Int64(bitPattern: real.bitPattern)
            kinds[row] = .real
        }

        /// Sets an integer or NULL.
        @inline(__always)
        func set(_ row: Int, _ integer: Int64?) {
            words[row] = integer ?? 0
            kinds[row] = integer == nil ? .null : .integer
        }

        /// Sets a text that the block's bytes hold.
        @inline(__always)
        func set(_ row: Int, textAt start: Int, size: Int) {
            words[row] = Int64(start) << TripBlock.sizeBits | Int64(size)
            kinds[row] = .text
        }

        @inline(__always)
        func setNull(_ row: Int) {
            kinds[row] = .null
        }
    }

    /// The bits of a word that say how long a text is.
    ///
    /// A record has at most 64 MiB. The other bits say where the text begins in the block's bytes, which
    /// 64 GiB of texts would overflow.
    private static let sizeBits: Int64 = 28

    /// Where a text lies in the block's bytes.
    @inline(__always)
    private static func range(_ word: Int64) -> Range<Int> {
        let start = Int(word >> sizeBits)
        return start..<start + Int(word & (1 << sizeBits - 1))
    }

    /// Appends one value to a row of a page.
    @inline(__always)
    func append(_ column: Int, _ row: Int, to strip: inout LeafStrip) {
        let word = words[column * capacity + row]
        switch kinds[column * capacity + row] {
        case .null: strip.appendNull()
        case .integer: strip.append(integer: word)
        case .real: strip.append(real: Double(bitPattern: UInt64(bitPattern: word)))
        case .text:
            bytes.withUnsafeBytes {
                strip.append(text: UnsafeRawBufferPointer(rebasing: $0[Self.range(word)]))
            }
        }
    }

    /// Binds one value.
    ///
    /// Texts are bound where they lie: the block does not change before the row is inserted, and
    /// every row binds all places again.
    @inline(__always)
    func bind(_ column: Int, _ row: Int, to handle: OpaquePointer, place: Int32) {
        let word = words[column * capacity + row]
        switch kinds[column * capacity + row] {
        case .null: sqlite3_bind_null(handle, place)
        case .integer: sqlite3_bind_int64(handle, place, word)
        case .real:
            sqlite3_bind_double(handle, place, Double(bitPattern: UInt64(bitPattern: word)))
        case .text where Self.range(word).isEmpty:
            // An empty run of bytes may have no address, and SQLite would take that for NULL.
            sqlite3_bind_text(handle, place, "", 0, RawStatement.transient)
        case .text:
            bytes.withUnsafeBytes { buffer in
                let range = Self.range(word)
                let start = buffer.baseAddress?.advanced(by: range.lowerBound)
                _ = sqlite3_bind_text(
                    handle,
                    place,
                    start?.assumingMemoryBound(to: CChar.self),
                    Int32(range.count),
                    nil
                )
            }
        }
    }
}

/// Blocks to be used again: their memory is large, and fresh memory has to be cleared by the system.
final class TripBlockPool: Sendable {
    private let columnCount: Int
    private let capacity: Int
    private let lock = Mutex(())
    // Touched under the lock alone. A block is used by whoever took it, until it is given back.
    nonisolated(unsafe) private var free: [TripBlock] = []

    init(_ columnCount: Int, capacity: Int) {
        self.columnCount = columnCount
        self.capacity = capacity
    }

    /// A block that nobody else uses until it is given back.
    func take() -> TripBlock {
        lock.withLock { _ in free.popLast() } ?? TripBlock(columnCount, capacity: capacity)
    }

    /// Makes a block ready for the next who needs one.
    func giveBack(_ block: TripBlock) {
        lock.withLock { _ in free.append(block) }
    }
}
