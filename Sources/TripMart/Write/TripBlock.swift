import Synchronization
import TripDomain

/// The trips of a leaf run by column, ready to be laid into pages.
///
///     words  | column 0: one word per row | column 1 | …    integers, doubles by their bits,
///                                                           texts as start << 28 | size
///     kinds  | the same shape: null, integer, real or text
///     bytes  | the texts, one after the other
///
/// It is a type beside ``Column`` because a page takes a row across all columns: here a value is
/// one word and its kind, whatever the column's type.
final class TripBlock {
    /// The type of the value in a word.
    enum Kind: UInt8 {
        case null
        case integer
        case real
        case text
    }

    let columnCount: Int
    /// The number of rows that fit.
    ///
    /// The trips of a block are scattered over the batches of their month. The more trips a block
    /// has, the more of them take their values from the same column of the same batch, while it is
    /// in the cache.
    let capacity: Int
    private(set) var count = 0
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

    /// Replaces the block's contents by the values of some trips.
    ///
    /// - Parameters:
    ///   - positions: The positions of the trips; at most ``capacity``.
    ///   - sources: The columns.
    func fill(_ positions: ArraySlice<TripPosition>, from sources: [TripSource]) {
        precondition(positions.count <= capacity, "a block holds as many trips as it was made for")
        count = positions.count
        bytes.removeAll(keepingCapacity: true)
        let trips = BlockTrips(positions)
        for (index, source) in sources.enumerated() {
            let start = index * capacity
            let column = Column(
                words: UnsafeMutableBufferPointer(rebasing: words[start..<start + capacity]),
                kinds: UnsafeMutableBufferPointer(rebasing: kinds[start..<start + capacity])
            )
            source.fill(column, trips, texts: &bytes)
        }
    }

    /// One column of a block that is being filled.
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

        /// Sets a text that lies in the block's bytes.
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

    /// The number of bits of a word that hold the size of a text.
    ///
    /// A record has at most 64 MiB. The other bits hold the offset of the text in the block's
    /// bytes, which 64 GiB of texts would overflow.
    private static let sizeBits: Int64 = 28

    /// The range of a text in the block's bytes.
    @inline(__always)
    private static func range(_ word: Int64) -> Range<Int> {
        let start = Int(word >> sizeBits)
        return start..<start + Int(word & (1 << sizeBits - 1))
    }

    /// Appends one value to a row of a page.
    @inline(__always)
    func append(_ column: Int, _ row: Int, to leafRun: inout LeafRun) {
        let word = words[column * capacity + row]
        switch kinds[column * capacity + row] {
        case .null: leafRun.record.appendNull()
        case .integer: leafRun.record.append(integer: word)
        case .real: leafRun.record.append(real: Double(bitPattern: UInt64(bitPattern: word)))
        case .text:
            bytes.withUnsafeBytes {
                leafRun.record.append(text: UnsafeRawBufferPointer(rebasing: $0[Self.range(word)]))
            }
        }
    }
}

/// Reuses blocks: their memory is large, and the system has to clear fresh memory.
final class TripBlockPool: Sendable {
    private let columnCount: Int
    private let capacity: Int
    private let lock = Mutex(())
    // Accessed under the lock alone. A block belongs to the caller that took it until it is given
    // back.
    nonisolated(unsafe) private var free: [TripBlock] = []

    init(_ columnCount: Int, capacity: Int) {
        self.columnCount = columnCount
        self.capacity = capacity
    }

    /// Takes a block, which no other caller uses until it is given back.
    func take() -> TripBlock {
        lock.withLock { _ in free.popLast() } ?? TripBlock(columnCount, capacity: capacity)
    }

    /// Returns a block for reuse.
    func giveBack(_ block: TripBlock) {
        lock.withLock { _ in free.append(block) }
    }
}

/// The trips of a block, grouped by batch.
///
///     batches | 7      | 9           | 12 …      each with the index of its first trip
///     trips   | ··· ·· | ·· · ··· ·· | ··· …     row in the batch, row in the block
///
/// In stored order each trip is in another batch than the one before it. In this order a column
/// takes all its values from one batch before the next, so that each batch is opened once and its
/// values are in the nearest cache.
struct BlockTrips {
    /// One trip.
    struct Trip {
        /// Its row in the batch.
        let source: UInt32
        /// Its row in the block.
        let row: UInt32
    }

    private var trips: [Trip]
    private var runs: [(batch: Int, trips: Range<Int>)] = []

    /// - Complexity: O(*n* + *b*) in the trips and the batches between the first and the last.
    init(_ positions: ArraySlice<TripPosition>) {
        let least = Int(positions.lazy.map(\.batch).min() ?? 0)
        let greatest = Int(positions.lazy.map(\.batch).max() ?? 0)
        var starts = [Int](repeating: 0, count: greatest - least + 2)
        for position in positions { starts[Int(position.batch) - least + 1] += 1 }
        for batch in starts.indices.dropFirst() {
            let count = starts[batch]
            starts[batch] += starts[batch - 1]
            guard count > 0 else { continue }
            runs.append((batch - 1 + least, starts[batch - 1]..<starts[batch]))
        }
        // Each position has one slot, and there are as many slots as positions.
        trips = [Trip](unsafeUninitializedCapacity: positions.count) { trips, filled in
            var row: UInt32 = 0
            for position in positions {
                let batch = Int(position.batch) - least
                trips.initializeElement(
                    at: starts[batch],
                    to: Trip(source: position.row, row: row)
                )
                starts[batch] += 1
                row += 1
            }
            filled = positions.count
        }
    }

    /// Calls a function for each batch, with its trips.
    @inline(__always)
    func each(_ body: (Int, UnsafeBufferPointer<Trip>) -> Void) {
        trips.withUnsafeBufferPointer { trips in
            for run in runs {
                body(run.batch, UnsafeBufferPointer(rebasing: trips[run.trips]))
            }
        }
    }
}
