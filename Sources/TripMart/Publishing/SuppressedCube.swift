import TripDomain

/// The file for other readers: the cube with small cells suppressed, and nothing finer.
struct SuppressedCube {
    private let source: SummarySource
    private var summary: GenerationSummary { source.summary }
    /// Whether nothing is to be hidden.
    private let isWhole: Bool
    private let cube: BoundedCube
    private let cells: SmallCells

    init(_ source: SummarySource, slotLimit: Int = BoundedCube.slotLimit) {
        self.source = source
        let threshold = source.summary.header.suppressBelow
        isWhole = threshold <= 1
        cube = BoundedCube(isWhole ? [] : source.summary.cube, slotLimit: slotLimit)
        cells = SmallCells(
            cube.cells,
            threshold: threshold,
            standingForMany: cube.standingForMany
        )
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
        let connection = try GenerationFile.make(path)
        try connection.execute(Self.ddl)
        try fill(connection)
        try connection.execute("COMMIT")
        try connection.close()
    }

    private func fill(_ connection: RawConnection) throws(MartError) {
        let header = summary.header
        try connection.prepare(SummaryTables.insertion("generation", 7)).insert([
            StoredValue(header.number), .text(header.pipeline),
            StoredValue(header.isSynthetic ? 1 : 0), .text(header.publishedAt),
            StoredValue(header.dataThrough?.text), StoredValue(header.staleAfter),
            StoredValue(header.suppressBelow),
        ])
        let month = try connection.prepare(SummaryTables.insertion("month", 5))
        for row in SummaryTables.monthRows(source) { try month.insert(row) }
        for (table, labels) in [("trip_type", summary.tripTypes), ("region", summary.regions)] {
            let statement = try connection.prepare(SummaryTables.insertion(table, 2))
            for label in labels {
                try statement.insert([.text(label.value), .text(label.label)])
            }
        }
        let cube = try connection.prepare(
            SummaryTables.insertion("kpi_cube", 4 + CubeTables.sumColumns.count)
        )
        if isWhole {
            for cell in summary.cube {
                let key = [cell.month, cell.tripType, cell.region].map { StoredValue.text($0) }
                let values = CubeTables.values(cell.sums).map { StoredValue.integer($0) }
                try cube.insert(key + values + [.integer(0)])
            }
        } else {
            try fill(cube)
        }
    }

    private func fill(_ statement: RawStatement) throws(MartError) {
        let grid = cells.grid
        let sums = Dictionary(uniqueKeysWithValues: zip(grid.slots, cube.cells.map(\.sums)))
        for slot in 0..<grid.slotCount {
            let key = grid.key(slot)
            if key[1] == cube.rest[0] || key[2] == cube.rest[1] { continue }
            if let row = row(slot, key, sums[slot]) { try statement.insert(row) }
        }
        for key in mergedKeys { try statement.insert(hidden(key)) }
    }

    /// The rows that stand for values of which nothing is published.
    private var mergedKeys: [[String]] {
        let all = KPICell.all
        return cube.merged[0].map { [all, $0, all] } + cube.merged[1].map { [all, all, $0] }
    }

    private func hidden(_ key: [String]) -> [StoredValue] {
        key.map { StoredValue.text($0) } + Self.countsBehind.map { _ in .null } + [.integer(1)]
    }

    /// A cell's row: NULL where a number is hidden, and 1 at the end where any is.
    ///
    /// - Returns: nil where there are no trips and nothing is hidden. A row without trips in which
    ///   something is hidden is written: that a row is there must not say that it has trips.
    private func row(_ slot: Int, _ key: [String], _ sums: KPISums?) -> [StoredValue]? {
        let values = zip(CubeTables.values(sums ?? KPISums()), Self.countsBehind).map {
            value,
            counts in
            counts.contains { cells.isHidden(slot: slot, count: $0) }
                ? StoredValue.null : .integer(value)
        }
        let isSuppressed = values.contains(.null)
        if sums == nil, !isSuppressed { return nil }
        return key.map { StoredValue.text($0) } + values + [.integer(isSuppressed ? 1 : 0)]
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
