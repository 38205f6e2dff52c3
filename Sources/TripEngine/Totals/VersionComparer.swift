internal import TripDomain

/// Compares versions of trips by their values.
struct VersionComparer: Sendable {
    private let batches: [PackedBatch]
    private let order: VersionOrder
    /// What two versions must agree on to be equal: the declared fields.
    private let fields: [Field]

    /// One field of all batches, read without opening the batch each time.
    private enum Field: Sendable {
        case texts([TextReader])
        case integers([PackedIntegers.Reader])
        case reals([RealColumn])
    }

    /// The texts of one batch, and the code of what fills blanks.
    private struct TextReader: Sendable {
        let texts: PackedTexts.Reader
        let fillerCode: Int

        init(_ texts: PackedTexts) {
            self.texts = texts.reader
            fillerCode = Int(texts.fillerCode)
        }

        /// The code of a row as the export gave it: what fills a blank is not a value.
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
    /// Collapses runs of equal versions and accepts the first of the last run.
    ///
    /// - Parameter places: All its versions, in order of exports.
    /// - Returns: All of them but one, in order of exports.
    func setAside(
        of places: ArraySlice<TripPlace>
    ) -> [(place: TripPlace, term: LedgerTerm)] {
        var result: [(place: TripPlace, term: LedgerTerm)] = []
        let versions = ordered(places)
        guard var runStart = versions.first else { return [] }
        for version in versions.dropFirst() {
            if isEqual(version, runStart) {
                result.append((version, .duplicate))
            } else {
                result.append((runStart, .superseded))
                runStart = version
            }
        }
        return result.sorted { Self.isBefore($0.place, $1.place) }
    }

    /// Versions in their order: that of their files, but the versions of a source that orders by a
    /// field take the places of its versions by that field.
    ///
    /// So the order of two versions of one source never depends on what other sources sent, and it
    /// is total however sources are mixed.
    private func ordered(_ places: ArraySlice<TripPlace>) -> [TripPlace] {
        let places = Array(places)
        var ordered = places
        var indexesOfSource: [Int: (column: Int, indexes: [Int])] = [:]
        for (index, place) in places.enumerated() {
            let file = batches[Int(place.batch)].fileIndex
            guard let (source, column) = order.ordering(ofFile: file) else { continue }
            indexesOfSource[source, default: (column, [])].indexes.append(index)
        }
        for (column, indexes) in indexesOfSource.values {
            let sorted = indexes.sorted { left, right in
                let (first, second) = (text(places[left], column), text(places[right], column))
                return isEqualText(first, second) ? left < right : precedesText(first, second)
            }
            for (index, from) in zip(indexes, sorted) { ordered[index] = places[from] }
        }
        return ordered
    }

    /// Whether every declared field of two versions is equal.
    func isEqual(_ left: TripPlace, _ right: TripPlace) -> Bool {
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

    /// A text that lives as long as the batches do.
    private func text(_ place: TripPlace, _ index: Int) -> UnsafeRawBufferPointer {
        batches[Int(place.batch)].columns[index].texts.reader[Int(place.row)]
    }

    private static func isBefore(_ left: TripPlace, _ right: TripPlace) -> Bool {
        left.batch != right.batch ? left.batch < right.batch : left.row < right.row
    }
}
