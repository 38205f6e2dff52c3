import Glibc
import TripDomain

/// Which trips of two generations are the same: those of one trip id.
///
/// Both indexes of trip ids are in order of their bytes, so that one walk through both finds all pairs. It is
/// cut into pieces between two leaves of the first, and each finds its place in the second by its dividers.
public struct TripPairs: Sendable {
    /// Leaves of the first index in a piece: about twenty thousand ids.
    public static let usualLeavesOfPiece = 64

    /// The number of no trip.
    public static let none: UInt32 = 0

    /// For each trip of the first generation, by its number less one, the number in the second, or ``none``.
    public let second: [UInt32]
    /// For each trip of the second generation, by its number less one, the number in the first, or ``none``.
    public let first: [UInt32]

    /// Finds the pairs.
    ///
    /// - Parameters:
    ///   - first: One generation.
    ///   - second: Another.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - leavesOfPiece: Leaf pages of the first index walked through at a time; fewer in tests.
    /// - Throws: ``MartError`` of the files; `damaged` where an index is none of trip ids.
    /// - Complexity: O(*n*) in the trips of both; 8 bytes of memory per trip and generation.
    public init(
        _ first: ServedMart,
        _ second: ServedMart,
        threadCount: Int,
        leavesOfPiece: Int = Self.usualLeavesOfPiece
    ) throws(MartError) {
        let indexes = try (TripIDIndex(first), TripIDIndex(second))
        let pieceCount = max(1, (indexes.0.leafCount + leavesOfPiece - 1) / leavesOfPiece)
        let pieces = Parallel.map(pieceCount, grain: 1, threads: threadCount) { piece in
            let leaves =
                piece * leavesOfPiece..<min((piece + 1) * leavesOfPiece, indexes.0.leafCount)
            let isLast = piece == pieceCount - 1
            return Result { () throws(PageError) in
                // What stands behind a leaf belongs to it.
                let above = leaves.lowerBound == 0 ? nil : indexes.0.divider(leaves.lowerBound - 1)
                let last = isLast ? nil : indexes.0.divider(leaves.upperBound - 1)
                return Self.pairs(
                    try indexes.0.ids(leaves: leaves),
                    try indexes.1.ids(above: above, upTo: last)
                )
            }
        }
        var there = [UInt32](repeating: 0, count: indexes.0.tripCount)
        var back = [UInt32](repeating: 0, count: indexes.1.tripCount)
        for piece in pieces {
            do throws(PageError) {
                for (one, other) in try piece.get() {
                    there[Int(one) - 1] = other
                    back[Int(other) - 1] = one
                }
            } catch {
                let mart = error.path == first.file.path ? first : second
                throw error.code == .damaged ? mart.damaged : MartError(error)
            }
        }
        (self.second, self.first) = (there, back)
    }

    /// Walks through ids in order of their bytes.
    private static func pairs(_ first: TripIDs, _ second: TripIDs) -> [(UInt32, UInt32)] {
        var pairs: [(UInt32, UInt32)] = []
        var (left, right) = (0, 0)
        while left < first.count, right < second.count {
            let order = first.withID(left) { one in second.withID(right) { one.order($0) } }
            if order == 0 { pairs.append((first.numbers[left], second.numbers[right])) }
            if order <= 0 { left += 1 }
            if order >= 0 { right += 1 }
        }
        return pairs
    }

    /// Some ids in order of their bytes, with the numbers of their trips.
    private struct TripIDs {
        private var bytes: [UInt8] = []
        private var ends: [Int] = [0]
        private(set) var numbers: [UInt32] = []

        var count: Int { numbers.count }

        mutating func append(_ id: UnsafeRawBufferPointer, _ number: UInt32) {
            bytes.append(contentsOf: id)
            ends.append(bytes.count)
            numbers.append(number)
        }

        func withID<Value>(_ place: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
            bytes.withUnsafeBytes { bytes in
                body(UnsafeRawBufferPointer(rebasing: bytes[ends[place]..<ends[place + 1]]))
            }
        }
    }

    /// The index of one generation's trip ids.
    private struct TripIDIndex: Sendable {
        private let tree: TreeReader
        private let outline: TreeReader.Outline
        /// The trips of the generation.
        let tripCount: Int
        /// The ids that stand behind each leaf but the last.
        private let dividers: [[UInt8]]

        init(_ mart: ServedMart) throws(MartError) {
            let root = try StoredTrips.root("trip_row_trip_id", mart)
            let rows = try mart.file.rows(
                "SELECT coalesce(max(trip_number), 0) FROM trip_row"
            ) { try $0[0] as Int }
            guard let count = rows.first, 0..<Int(UInt32.max) ~= count else { throw mart.damaged }
            tripCount = count
            do throws(PageError) {
                tree = try TreeReader(path: mart.file.path)
                outline = try tree.outline(root: root, .index)
                var dividers: [[UInt8]] = []
                for record in outline.dividers {
                    dividers.append(try Self.id(record, tree.path))
                }
                self.dividers = dividers
            } catch {
                throw error.code == .damaged ? mart.damaged : MartError(error)
            }
        }

        var leafCount: Int { outline.leaves.count }

        func divider(_ leaf: Int) -> [UInt8] { dividers[leaf] }

        /// The ids of some leaves, with those that stand behind them.
        func ids(leaves: Range<Int>) throws(PageError) -> TripIDs {
            var ids = TripIDs()
            try each(leaves) { id, number in ids.append(id, number) }
            return ids
        }

        /// The ids between two.
        ///
        /// - Parameters:
        ///   - above: The id before them; nil where there is none.
        ///   - last: The greatest there may be; nil where there is none.
        /// - Returns: The ids.
        /// - Throws: ``PageError`` of the file.
        func ids(above: [UInt8]?, upTo last: [UInt8]?) throws(PageError) -> TripIDs {
            let begin = above.map { id in dividers.partitioningIndex { $0.order(id) > 0 } } ?? 0
            let end =
                last.map { id in dividers.partitioningIndex { $0.order(id) >= 0 } + 1 }
                ?? leafCount
            var ids = TripIDs()
            try each(begin..<max(begin, end)) { id, number in
                let isAbove = above.map { id.order($0) > 0 } ?? true
                let isWithin = last.map { id.order($0) <= 0 } ?? true
                if isAbove, isWithin { ids.append(id, number) }
            }
            return ids
        }

        private func each(
            _ leaves: Range<Int>,
            _ body: (UnsafeRawBufferPointer, UInt32) -> Void
        ) throws(PageError) {
            var fields = RecordFields(count: 2)
            try tree.each(outline, leaves: leaves, .index) { _, record throws(PageError) in
                var number: Int64?
                guard fields.open(record), fields.isWhole, let id = fields.text(0),
                    fields.integer(1, &number), let number, 1...Int64(tripCount) ~= number
                else { throw PageError.damagedRow(tree.path) }
                body(id, UInt32(number))
            }
        }

        private static func id(_ record: [UInt8], _ path: String) throws(PageError) -> [UInt8] {
            var fields = RecordFields(count: 1)
            let id = record.withUnsafeBytes { record in
                fields.open(record) ? fields.text(0).map { Array($0) } : nil
            }
            guard let id else { throw PageError.damagedRow(path) }
            return id
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Below 0 where these bytes come before the others, above 0 where they come behind them.
    fileprivate func order(_ other: UnsafeRawBufferPointer) -> Int {
        if let one = baseAddress, let two = other.baseAddress {
            let order = memcmp(one, two, Swift.min(count, other.count))
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }

    fileprivate func order(_ other: [UInt8]) -> Int { other.withUnsafeBytes { order($0) } }
}

extension [UInt8] {
    fileprivate func order(_ other: [UInt8]) -> Int { withUnsafeBytes { $0.order(other) } }
}
