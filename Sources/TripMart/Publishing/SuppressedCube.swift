import TripDomain

/// The file for other readers: the cube with small cells suppressed, and nothing finer.
struct SuppressedCube {
    private let contents: GenerationContents
    private let cells: SmallCells

    init(_ contents: GenerationContents) {
        self.contents = contents
        cells = SmallCells(contents.cube, threshold: contents.header.suppressBelow)
    }

    static let ddl = [
        """
        CREATE TABLE generation(
            number INTEGER PRIMARY KEY,
            pipeline TEXT NOT NULL,
            synthetic INTEGER NOT NULL,
            published_at TEXT NOT NULL,
            data_through TEXT,
            stale_after TEXT,
            suppress_below INTEGER NOT NULL
        );
        """, DimensionTables.ddl, CubeTables.suppressedDDL, CubeViews.cells,
    ].joined(separator: "\n")

    func write(to path: String) throws(MartError) {
        let connection = try GenerationWriter.newFile(path)
        try connection.execute(Self.ddl)
        try fill(connection)
        try connection.execute("COMMIT")
        try connection.close()
    }

    private func fill(_ connection: RawConnection) throws(MartError) {
        let header = contents.header
        try connection.prepare(SummaryTables.insertion("generation", 7)).insert([
            StoredValue(header.number), .text(header.pipeline),
            StoredValue(header.isSynthetic ? 1 : 0), .text(header.publishedAt),
            StoredValue(header.dataThrough?.text), StoredValue(header.staleAfter),
            StoredValue(header.suppressBelow),
        ])
        let month = try connection.prepare(SummaryTables.insertion("month", 5))
        for row in SummaryTables.monthRows(contents) { try month.insert(row) }
        for (table, labels) in [("trip_type", contents.tripTypes), ("region", contents.regions)] {
            let statement = try connection.prepare(SummaryTables.insertion(table, 2))
            for label in labels {
                try statement.insert([.text(label.value), .text(label.label)])
            }
        }
        let cube = try connection.prepare(
            SummaryTables.insertion("kpi_cube", 4 + CubeTables.sumColumns.count)
        )
        for index in contents.cube.indices {
            try cube.insert(row(index))
        }
    }

    /// A cell's row: NULL where a number is hidden, and 1 at the end where any is.
    private func row(_ index: Int) -> [StoredValue] {
        let cell = contents.cube[index]
        let key = [cell.month, cell.tripType, cell.region].map { StoredValue.text($0) }
        let values = zip(CubeTables.values(cell.sums), Self.countsBehind).map { value, counts in
            counts.contains { cells.isHidden(cell: index, count: $0) }
                ? StoredValue.null : .integer(value)
        }
        return key + values + [.integer(values.contains(.null) ? 1 : 0)]
    }

    /// For each sum of the cube, the counts it must be hidden with: a cost goes with the number of
    /// trips whose cost is known, a distance with the number of trips whose miles are known.
    static let countsBehind: [[Int]] = {
        let known = CellCounts.costed
        let classes = (0..<3).map { [CellCounts.ofClass($0)] }
        let costed = (0..<3).map { [CellCounts.ofClass($0, cost: 0)] }
        let miles = [CellCounts.milesKnown]
        return [[CellCounts.trips]] + classes + [[known]] + costed + costed + [miles, miles]
            + [miles + [known], miles + [known]]
    }()
}
