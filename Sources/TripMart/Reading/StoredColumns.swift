import TripDomain

/// Where in a row of `trip_row` each wanted column is, and how it is kept.
struct StoredColumns: Sendable {
    /// One wanted column.
    struct Entry: Sendable {
        /// Its place in the shape; nil for the deciding rule, whether the trip counts, file and record.
        let index: Int?
        /// Its place in the row.
        let place: Int
        let storage: TripStorage
        /// The place in the row of what an instant is added to.
        let base: Int?
        /// What its values are; nil where it is no column of the shape.
        let kind: ColumnKind?
    }

    let shape: TripShape
    /// The columns to read: those wanted, then the deciding rule and whether the trip counts, then file and
    /// record where they are wanted.
    let entries: [Entry]
    /// Where among the entries those stand that no expression derived.
    var fieldEntries: [Int] {
        entries.indices.filter { place in
            entries[place].index.map { !shape.columns[$0].isDerived } ?? false
        }
    }
    /// Where among the entries the deciding rule stands, and whether the trip counts.
    let decision: [Int]
    /// Where among the entries file and record stand; none where they are not read.
    let origin: [Int]
    /// The first columns of a row that have to be looked at.
    let count: Int
    /// The values of coded texts, by code.
    let texts: TextPool
    /// The rules that trips may refer to.
    let ruleCount: Int

    /// - Parameters:
    ///   - tables: The columns of the generation.
    ///   - wanted: The columns to read, by their place in the shape.
    ///   - texts: The values of coded texts, by code.
    ///   - ruleCount: The rules that trips may refer to.
    ///   - readsOrigins: Whether to read file and record of each trip.
    init(
        _ tables: TripTables,
        wanted: Set<Int>,
        texts: TextPool,
        ruleCount: Int,
        readsOrigins: Bool
    ) {
        self.ruleCount = ruleCount
        shape = tables.shape
        self.texts = texts
        // The trip's number is the first column of every row.
        let columns = wanted.sorted().map { index in
            var base: Int?
            if case .offset(let local) = tables.storage[index] { base = local + 1 }
            return Entry(
                index: index,
                place: index + 1,
                storage: tables.storage[index],
                base: base,
                kind: tables.shape.columns[index].kind
            )
        }
        let rulePlace = tables.storage.count + 1
        count = rulePlace + (readsOrigins ? 4 : 2)
        entries =
            columns
            + (rulePlace..<count).map {
                Entry(index: nil, place: $0, storage: .integer, base: nil, kind: nil)
            }
        decision = [columns.count, columns.count + 1]
        origin = readsOrigins ? [columns.count + 2, columns.count + 3] : []
    }
}
