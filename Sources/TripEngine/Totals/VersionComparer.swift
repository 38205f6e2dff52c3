internal import TripDomain

/// Compares versions of trips by their values.
struct VersionComparer: Sendable {
    private let batches: [PackedBatch]
    private let tripIDIndex: Int
    private let order: VersionOrder
    /// The columns two versions must agree on to be equal: the declared fields.
    private let fieldIndexes: [Int]

    init(batches: [PackedBatch], shape: TripShape, order: VersionOrder) {
        self.batches = batches
        self.order = order
        tripIDIndex = shape.tripIDIndex
        fieldIndexes = shape.columns.indices.filter { !shape.columns[$0].isDerived }
    }

    /// The versions of one trip that are not accepted, with their terms.
    ///
    /// Collapses runs of equal versions and accepts the first of the last run.
    ///
    /// - Parameter places: All its versions, in order of exports.
    /// - Returns: All of them but one.
    func setAside(of places: [TripPlace]) -> [(place: TripPlace, term: LedgerTerm)] {
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
        return result
    }

    /// Versions in their order: that of their files, but the versions of a source that orders by a
    /// field take the places of its versions by that field.
    ///
    /// So the order of two versions of one source never depends on what other sources sent, and it
    /// is total however sources are mixed.
    private func ordered(_ places: [TripPlace]) -> [TripPlace] {
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
        fieldIndexes.allSatisfy { index in
            let first = batches[Int(left.batch)].columns[index]
            let second = batches[Int(right.batch)].columns[index]
            let (row, otherRow) = (Int(left.row), Int(right.row))
            switch (first, second) {
            case (.text(let first), .text(let second)):
                return Self.isEqual(first, row, second, otherRow)
            case (.integer(let first), .integer(let second)):
                return first.value(row) == second.value(otherRow)
            case (.real(let first), .real(let second)):
                return first.isNull(row) == second.isNull(otherRow)
                    && first.values[row] == second.values[otherRow]
            default:
                preconditionFailure("a column has one kind in all batches")
            }
        }
    }

    /// Whether two texts are equal as the export gave them: what fills a blank is not a value.
    private static func isEqual(
        _ first: PackedTexts,
        _ row: Int,
        _ second: PackedTexts,
        _ otherRow: Int
    ) -> Bool {
        let (code, otherCode) = (first.codes[row], second.codes[otherRow])
        let isNull = code == 0 || code == Int64(first.fillerCode)
        let isOtherNull = otherCode == 0 || otherCode == Int64(second.fillerCode)
        guard !isNull, !isOtherNull else { return isNull == isOtherNull }
        return first.withEntry(Int(code)) { entry in
            second.withEntry(Int(otherCode)) { isEqualText(entry, $0) }
        }
    }

    /// Sorts versions by trip id, then in order of exports.
    func sortedByTripID(
        _ versions: [(place: TripPlace, term: LedgerTerm)]
    ) -> [(place: TripPlace, term: LedgerTerm)] {
        versions.sorted { left, right in
            let first = text(left.place, tripIDIndex)
            let second = text(right.place, tripIDIndex)
            return isEqualText(first, second)
                ? Self.isBefore(left.place, right.place) : precedesText(first, second)
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
