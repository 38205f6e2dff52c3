internal import TripDomain

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
    /// - Parameter positions: The positions of all its versions, in order of exports.
    /// - Returns: All of them but the accepted one, in order of exports.
    func setAside(
        of positions: ArraySlice<TripPosition>
    ) -> [(position: TripPosition, term: LedgerTerm)] {
        var result: [(position: TripPosition, term: LedgerTerm)] = []
        let versions = ordered(positions)
        guard var runStart = versions.first else { return [] }
        for version in versions.dropFirst() {
            if isEqual(version, runStart) {
                result.append((version, .duplicate))
            } else {
                result.append((runStart, .superseded))
                runStart = version
            }
        }
        return result.sorted { Self.isBefore($0.position, $1.position) }
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
