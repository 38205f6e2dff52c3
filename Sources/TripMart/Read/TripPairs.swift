import Glibc
import TripDomain

/// Matches the trips of two generations by trip id.
///
/// Both indexes of trip ids are in order of their bytes, so that one merge of both finds all pairs.
/// The first index is divided into pieces between two leaves, and the dividers of the second locate
/// each piece there.
public struct TripPairs: Sendable {
    /// The number of leaves of the first index in a piece: about twenty thousand ids.
    public static let usualLeavesOfPiece = 64

    /// The number that stands for no trip.
    public static let none: UInt32 = 0

    /// For each trip of the first generation, by its number less one, the number in the second, or
    /// ``none``.
    public let second: [UInt32]
    /// For each trip of the second generation, by its number less one, the number in the first, or
    /// ``none``.
    public let first: [UInt32]

    /// Finds the pairs.
    ///
    /// - Parameters:
    ///   - first: One generation.
    ///   - second: Another.
    ///   - threadCount: The number of threads; the result does not depend on it.
    ///   - leavesOfPiece: The number of leaf pages of the first index in a piece; fewer in tests.
    /// - Throws: ``MartError`` of the files; `damaged` where an id is out of order, or a trip is
    ///   missing from its index or is in it twice.
    /// - Complexity: O(*n*) in the trips of both; 12 bytes of memory per trip and generation.
    public init(
        _ first: ServedMart,
        _ second: ServedMart,
        threadCount: Int,
        leavesOfPiece: Int = Self.usualLeavesOfPiece
    ) throws(MartError) {
        let marts = (first: first, second: second)
        let indexes = try (TripIDIndex(first), TripIDIndex(second))
        let pieceCount = max(1, (indexes.0.leafCount + leavesOfPiece - 1) / leavesOfPiece)
        let pieces = Parallel.map(pieceCount, threads: threadCount) { piece in
            let leaves =
                piece * leavesOfPiece..<min((piece + 1) * leavesOfPiece, indexes.0.leafCount)
            let isLast = piece == pieceCount - 1
            return Result { () throws(MartError) in
                // The divider after a leaf belongs to it.
                let above = leaves.lowerBound == 0 ? nil : indexes.0.divider(leaves.lowerBound - 1)
                let last = isLast ? nil : indexes.0.divider(leaves.upperBound - 1)
                return Self.piece(
                    try indexes.0.ids(leaves: leaves),
                    try indexes.1.ids(above: above, upTo: last)
                )
            }
        }
        var there = Partners(indexes.0.tripCount)
        var back = Partners(indexes.1.tripCount)
        for piece in pieces {
            do throws(MartError) {
                let piece = try piece.get()
                for (number, partner) in piece.first {
                    guard there.set(number, partner) else { throw indexes.0.damaged }
                }
                for (number, partner) in piece.second {
                    guard back.set(number, partner) else { throw indexes.1.damaged }
                }
            } catch {
                let mart = error.position?.file == first.file.path ? first : second
                throw error.code == .damaged ? mart.damaged : error
            }
        }
        guard let second = there.all else { throw first.damaged }
        self.second = second
        guard let first = back.all else { throw marts.second.damaged }
        self.first = first
    }

    /// The partners of all trips of a generation; each trip is in its index once.
    private struct Partners {
        private static let unseen = UInt32.max
        private var partners: [UInt32]
        private var count = 0

        init(_ tripCount: Int) {
            partners = [UInt32](repeating: Self.unseen, count: tripCount)
        }

        /// Stores a trip's partner; false where the trip already has one.
        mutating func set(_ number: UInt32, _ partner: UInt32) -> Bool {
            let index = Int(number) - 1
            guard partners[index] == Self.unseen else { return false }
            partners[index] = partner
            count += 1
            return true
        }

        /// All partners; nil where a trip is missing.
        var all: [UInt32]? { count == partners.count ? partners : nil }
    }

    /// The trips of a piece, each with its partner.
    private struct Piece: Sendable {
        var first: [(UInt32, UInt32)] = []
        var second: [(UInt32, UInt32)] = []
    }

    /// Merges ids in order of their bytes.
    private static func piece(_ first: SortedIDs, _ second: SortedIDs) -> Piece {
        var piece = Piece()
        var (left, right) = (0, 0)
        while left < first.count || right < second.count {
            let order =
                left == first.count
                ? 1
                : right == second.count
                    ? -1 : first.withID(left) { one in second.withID(right) { one.order($0) } }
            let (one, two) = (
                order <= 0 ? first.numbers[left] : none, order >= 0 ? second.numbers[right] : none
            )
            if order <= 0 { piece.first.append((one, two)) }
            if order >= 0 { piece.second.append((two, one)) }
            left += order <= 0 ? 1 : 0
            right += order >= 0 ? 1 : 0
        }
        return piece
    }

    /// Some ids in order of their bytes, with the numbers of their trips.
    private struct SortedIDs {
        private var bytes: [UInt8] = []
        private var ends: [Int] = [0]
        private(set) var numbers: [UInt32] = []

        var count: Int { numbers.count }

        /// Appends an id; false where it is not greater than the one before.
        mutating func append(_ id: UnsafeRawBufferPointer, _ number: UInt32) -> Bool {
            guard count == 0 || withID(count - 1, { id.order($0) > 0 }) else { return false }
            bytes.append(contentsOf: id)
            ends.append(bytes.count)
            numbers.append(number)
            return true
        }

        func withID<Value>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
            bytes.withUnsafeBytes { bytes in
                body(UnsafeRawBufferPointer(rebasing: bytes[ends[index]..<ends[index + 1]]))
            }
        }
    }

    /// The index of one generation's trip ids.
    private struct TripIDIndex: Sendable {
        private let tree: TreeReader
        private let outline: TreeReader.Outline
        /// The trips of the generation.
        let tripCount: Int
        /// The ids after each leaf except the last.
        private let dividers: [[UInt8]]

        init(_ mart: ServedMart) throws(MartError) {
            try mart.requireTrips()
            try mart.file.requireWhole()
            let root = try StoredTrips.root("trip_row_trip_id", mart)
            let rows = try mart.file.rows(
                "SELECT coalesce(max(trip_number), 0) FROM trip_row"
            ) { try $0[0] as Int }
            guard let count = rows.first, 0..<Int(UInt32.max) ~= count else { throw mart.damaged }
            tripCount = count
            do throws(MartError) {
                tree = try TreeReader(path: mart.file.path)
                outline = try tree.outline(root: root, .index)
                var dividers: [[UInt8]] = []
                for record in outline.dividers {
                    dividers.append(try Self.id(record, tree.path))
                }
                self.dividers = dividers
            } catch {
                throw error.code == .damaged ? mart.damaged : error
            }
        }

        var leafCount: Int { outline.leaves.count }

        func divider(_ leaf: Int) -> [UInt8] { dividers[leaf] }

        /// The ids of some leaves, with the dividers after them.
        func ids(leaves: Range<Int>) throws(MartError) -> SortedIDs {
            let above = leaves.lowerBound == 0 ? nil : dividers[leaves.lowerBound - 1]
            var ids = SortedIDs()
            try each(leaves) { id, number in
                (above.map { id.order($0) > 0 } ?? true) && ids.append(id, number)
            }
            return ids
        }

        /// The ids between two.
        ///
        /// - Parameters:
        ///   - above: The id before them; nil where there is none.
        ///   - last: The greatest possible id; nil where there is no limit.
        /// - Returns: The ids.
        /// - Throws: ``MartError`` of the file.
        func ids(above: [UInt8]?, upTo last: [UInt8]?) throws(MartError) -> SortedIDs {
            let begin = above.map { id in dividers.partitioningIndex { $0.order(id) > 0 } } ?? 0
            let end =
                last.map { id in
                    min(leafCount, dividers.partitioningIndex { $0.order(id) >= 0 } + 1)
                } ?? leafCount
            var ids = SortedIDs()
            try each(begin..<max(begin, end)) { id, number in
                let isAbove = above.map { id.order($0) > 0 } ?? true
                let isWithin = last.map { id.order($0) <= 0 } ?? true
                return !isAbove || !isWithin || ids.append(id, number)
            }
            return ids
        }

        /// The error of an index with a trip twice, or an id out of order.
        var damaged: MartError { MartError.damagedRow(tree.path) }

        private func each(
            _ leaves: Range<Int>,
            _ body: (UnsafeRawBufferPointer, UInt32) -> Bool
        ) throws(MartError) {
            var fields = RecordFields(count: 2)
            try tree.each(outline, leaves: leaves, .index) { _, record throws(MartError) in
                var number: Int64?
                guard fields.open(record), fields.isWhole, let id = fields.text(0),
                    fields.integer(1, &number), let number, 1...Int64(tripCount) ~= number,
                    body(id, UInt32(number))
                else { throw damaged }
            }
        }

        private static func id(_ record: [UInt8], _ path: String) throws(MartError) -> [UInt8] {
            var fields = RecordFields(count: 1)
            let id = record.withUnsafeBytes { record in
                fields.open(record) ? fields.text(0).map { Array($0) } : nil
            }
            guard let id else { throw MartError.damagedRow(path) }
            return id
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Below 0 where these bytes come before the others, above 0 where they come after them.
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
