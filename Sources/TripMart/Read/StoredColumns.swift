import TripDomain

/// The position and storage of each column to read in a row of `trip_row`.
struct StoredColumns: Sendable {
    /// One column to read.
    struct Entry: Sendable {
        /// Its index in the shape; nil for the deciding rule, the count flag, file and record.
        let index: Int?
        /// Its position in the row.
        let position: Int
        let storage: TripStorage
        /// The position in the row of the local time that an offset is added to.
        let base: Int?
        /// The kind of its values; nil where it is no column of the shape.
        let kind: ColumnKind?
    }

    let shape: TripShape
    /// The columns to read: those of the shape, then the deciding rule and the count flag, then
    /// file and record where they are read.
    let entries: [Entry]
    /// The indexes of the entries that are fields, not derived columns.
    var fieldEntries: [Int] {
        entries.indices.filter { index in
            entries[index].index.map { !shape.columns[$0].isDerived } ?? false
        }
    }
    /// The indexes of the entries of the deciding rule and the count flag.
    let decision: [Int]
    /// The indexes of the entries of file and record; none where they are not read.
    let origin: [Int]
    /// The number of leading columns of a row that have to be read.
    let count: Int
    /// The values of coded texts, by code.
    let texts: TextPool
    /// The number of rules that trips may refer to.
    let ruleCount: Int

    /// - Parameters:
    ///   - tables: The columns of the generation.
    ///   - wanted: The columns to read, by their index in the shape.
    ///   - texts: The values of coded texts, by code.
    ///   - ruleCount: The number of rules that trips may refer to.
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
                position: index + 1,
                storage: tables.storage[index],
                base: base,
                kind: tables.shape.columns[index].kind
            )
        }
        let rulePosition = tables.storage.count + 1
        count = rulePosition + (readsOrigins ? 4 : 2)
        entries =
            columns
            + (rulePosition..<count).map {
                Entry(index: nil, position: $0, storage: .integer, base: nil, kind: nil)
            }
        decision = [columns.count, columns.count + 1]
        origin = readsOrigins ? [columns.count + 2, columns.count + 3] : []
    }
}
