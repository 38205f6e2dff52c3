public import TripDomain

/// The order of the versions of a trip, where it is not the order of their files.
public struct VersionOrder: Sendable {
    /// Per file of the run, the source it belongs to.
    public let sourceOfFile: [Int]
    /// Per source, the text column its versions are ordered by; nil where the files' order decides.
    public let orderColumns: [Int?]

    /// Describes the order of the versions of each source.
    ///
    /// - Parameters:
    ///   - sourceOfFile: Per file of the run, the source it belongs to.
    ///   - orderColumns: Per source, the text column its versions are ordered by.
    public init(sourceOfFile: [Int], orderColumns: [Int?]) {
        self.sourceOfFile = sourceOfFile
        self.orderColumns = orderColumns
    }

    /// The files' order alone.
    public static let byFile = VersionOrder(sourceOfFile: [], orderColumns: [])

    /// The source of a file that orders its versions by a column, and that column.
    func ordering(ofFile file: Int) -> (source: Int, column: Int)? {
        guard sourceOfFile.indices.contains(file) else { return nil }
        let source = sourceOfFile[file]
        return orderColumns[source].map { (source, $0) }
    }
}

/// Decides, per trip id, which of its valid versions is accepted.
///
/// Versions are read in order of exports. Each sequence of consecutive equal versions collapses to
/// its first. The first of the last sequence is accepted, the firsts of earlier sequences are
/// superseded, and all others are duplicates. Two versions are equal when the values of all
/// declared fields are.
public struct TripResolution: Sendable {
    /// The trips whose version is accepted.
    public let accepted: AcceptedTrips
    /// The versions that are not accepted, with their term, by trip id, then order of exports.
    public let setAside: [(position: TripPosition, term: LedgerTerm)]
    /// The versions that a different, later one of their trip replaced, by trip id.
    public let replacements: [Replacement]
    /// The trip ids that files have in common with others.
    public let sharedIDs: SharedIDs
    /// The first record, in order of exports, whose trip id occurred before, and the earlier
    /// record; nil where every id occurs once.
    public let firstRepetition: (earlier: TripPosition, later: TripPosition)?
    private let batches: [PackedBatch]
    private let shape: TripShape

    /// A version of a trip, and the different one that took its place.
    public struct Replacement: Sendable {
        /// The version that was replaced.
        public let earlier: TripPosition
        /// The version after it.
        public let later: TripPosition
        /// A version equal to the earlier one, in the file of the later, where nothing but their
        /// places says which of the two is later.
        public let withinFile: TripPosition?
    }

    /// Resolves all versions of all trips.
    ///
    /// - Parameters:
    ///   - batches: All valid trips, in order of exports.
    ///   - shape: Their columns.
    ///   - order: The order of versions that takes precedence over that of their files.
    ///   - threadCount: Threads to use; the result does not depend on it.
    /// - Precondition: There are fewer than 2³² versions.
    /// - Complexity: O(*n*) in the versions, 8 bytes for each, twice; O(*m* log *m*) in the
    ///   versions of trips that have several, at most 64 bytes for each.
    public init(
        batches: [PackedBatch],
        shape: TripShape,
        order: VersionOrder = .byFile,
        threadCount: Int
    ) {
        let comparer = VersionComparer(batches: batches, shape: shape, order: order)
        let repeated = RepeatedTrips(batches: batches, tripIDIndex: shape.tripIDIndex)
        let groups = repeated.groups(threadCount: threadCount)
        firstRepetition = Self.firstRepetition(of: groups)
        sharedIDs = SharedIDs(groups, batches)
        (setAside, replacements) = Self.setAside(of: groups, comparer, threadCount: threadCount)
        accepted = AcceptedTrips(of: batches, leavingOut: setAside.lazy.map(\.position))
        self.batches = batches
        self.shape = shape
    }

    private static func firstRepetition(
        of groups: RepeatedGroups
    ) -> (earlier: TripPosition, later: TripPosition)? {
        (0..<groups.count).lazy.map { index in
            let positions = groups[index]
            let first = positions.startIndex
            return (earlier: positions[first], later: positions[first + 1])
        }.min {
            ($0.later.batch, $0.later.row) < ($1.later.batch, $1.later.row)
        }
    }

    /// The versions that are not accepted of each trip, trip by trip, and those of them that a
    /// different one replaced.
    private static func setAside(
        of groups: RepeatedGroups,
        _ comparer: VersionComparer,
        threadCount: Int
    ) -> ([(position: TripPosition, term: LedgerTerm)], [Replacement]) {
        // Enough pieces that no thread waits long for another.
        let pieceCount = 64
        let pieces = Parallel.map(pieceCount, threads: threadCount) { piece in
            let start = groups.count * piece / pieceCount
            let end = groups.count * (piece + 1) / pieceCount
            var replacements: [Replacement] = []
            let setAside = (start..<end).flatMap {
                comparer.setAside(of: groups[$0], noting: &replacements)
            }
            return (setAside, replacements)
        }
        return (pieces.flatMap(\.0), pieces.flatMap(\.1))
    }

    /// The accepted trips by local pick-up time, then by trip id.
    ///
    /// - Parameter threadCount: Threads to use; the result does not depend on it.
    /// - Returns: Their positions.
    /// - Complexity: O(*n* log *n*) in the trips; 8 bytes for each.
    public func storedOrder(threadCount: Int) -> [TripPosition] {
        StoredOrder(batches: batches, shape: shape, accepted: accepted)
            .positions(threadCount: threadCount)
    }
}

/// Compares versions of trips by their values.
struct VersionComparer: Sendable {
    private let batches: [PackedBatch]
    private let order: VersionOrder
    /// The declared fields, all of which are equal in equal versions.
    private let fields: [Field]

    /// One field of all batches, extracted once.
    private enum Field: Sendable {
        case texts([TextReader])
        case integers([PackedIntegers.Reader])
        case reals([RealColumn])
    }

    /// The texts of one batch, and the code of the word that replaces blanks.
    private struct TextReader: Sendable {
        let texts: PackedTexts.Reader
        let fillerCode: Int

        init(_ texts: PackedTexts) {
            self.texts = texts.reader
            fillerCode = Int(texts.fillerCode)
        }

        /// The code of a row in the export: 0 where the export is blank and a word replaces it.
        func code(_ row: Int) -> Int {
            let code = texts.code(row)
            return code == fillerCode ? 0 : code
        }
    }

    init(batches: [PackedBatch], shape: TripShape, order: VersionOrder) {
        self.batches = batches
        self.order = order
        fields = shape.columns.indices.filter { !shape.columns[$0].isDerived }.map { index in
            let columns = batches.map { $0.columns[index] }
            return switch columns.first {
            case .text: .texts(columns.map { TextReader($0.texts) })
            case .integer, nil: .integers(columns.map(\.integers.reader))
            case .real: .reals(columns.map(\.reals))
            }
        }
    }

    /// The versions of one trip that are not accepted, with their terms.
    ///
    /// Collapses sequences of equal versions and accepts the first of the last sequence.
    ///
    /// - Parameters:
    ///   - positions: The positions of all its versions, in order of exports.
    ///   - replacements: Receives the versions that a different one replaced.
    /// - Returns: All of them but the accepted one, in order of exports.
    func setAside(
        of positions: ArraySlice<TripPosition>,
        noting replacements: inout [TripResolution.Replacement]
    ) -> [(position: TripPosition, term: LedgerTerm)] {
        var result: [(position: TripPosition, term: LedgerTerm)] = []
        let versions = ordered(positions)
        guard var runStart = versions.first else { return [] }
        var before = runStart
        for version in versions.dropFirst() {
            defer { before = version }
            if isEqual(version, runStart) {
                result.append((version, .duplicate))
            } else {
                result.append((runStart, .superseded))
                replacements.append(
                    TripResolution.Replacement(
                        earlier: runStart,
                        later: version,
                        withinFile: isWithinFile(before, version) ? before : nil
                    )
                )
                runStart = version
            }
        }
        return result.sorted { Self.isBefore($0.position, $1.position) }
    }

    /// Whether two versions stand in one file, and no field of theirs says which is later.
    private func isWithinFile(_ left: TripPosition, _ right: TripPosition) -> Bool {
        let file = batches[Int(left.batch)].fileIndex
        guard batches[Int(right.batch)].fileIndex == file else { return false }
        guard let (_, column) = order.ordering(ofFile: file) else { return true }
        return isEqualText(text(left, column), text(right, column))
    }

    /// The versions in their order.
    ///
    /// That is the order of their files; only the versions of a source that orders by a field are
    /// permuted among themselves by that field. So the order of two versions of one source never
    /// depends on other sources, and it is total for any mixture of sources.
    private func ordered(_ positions: ArraySlice<TripPosition>) -> [TripPosition] {
        let positions = Array(positions)
        var ordered = positions
        var indexesOfSource: [Int: (column: Int, indexes: [Int])] = [:]
        for (index, position) in positions.enumerated() {
            let file = batches[Int(position.batch)].fileIndex
            guard let (source, column) = order.ordering(ofFile: file) else { continue }
            indexesOfSource[source, default: (column, [])].indexes.append(index)
        }
        for (column, indexes) in indexesOfSource.values {
            let sorted = indexes.sorted { left, right in
                let first = text(positions[left], column)
                let second = text(positions[right], column)
                return isEqualText(first, second) ? left < right : precedesText(first, second)
            }
            for (index, from) in zip(indexes, sorted) { ordered[index] = positions[from] }
        }
        return ordered
    }

    /// Whether every declared field of two versions is equal.
    func isEqual(_ left: TripPosition, _ right: TripPosition) -> Bool {
        let (batch, row) = (Int(left.batch), Int(left.row))
        let (otherBatch, otherRow) = (Int(right.batch), Int(right.row))
        return fields.allSatisfy { field in
            switch field {
            case .texts(let texts):
                let (first, second) = (texts[batch], texts[otherBatch])
                let (code, otherCode) = (first.code(row), second.code(otherRow))
                guard code != 0, otherCode != 0 else { return code == otherCode }
                return isEqualText(first.texts.entry(code), second.texts.entry(otherCode))
            case .integers(let integers):
                return integers[batch].value(row) == integers[otherBatch].value(otherRow)
            case .reals(let reals):
                let (first, second) = (reals[batch], reals[otherBatch])
                return first.isNull(row) == second.isNull(otherRow)
                    && first.values[row] == second.values[otherRow]
            }
        }
    }

    /// The text at a position; valid as long as the batches are.
    private func text(_ position: TripPosition, _ index: Int) -> UnsafeRawBufferPointer {
        batches[Int(position.batch)].columns[index].texts.reader[Int(position.row)]
    }

    private static func isBefore(_ left: TripPosition, _ right: TripPosition) -> Bool {
        left.batch != right.batch ? left.batch < right.batch : left.row < right.row
    }
}
