import TripDisclosure
import TripDomain

/// The file for other programs: the cube with small cells suppressed, and nothing finer.
struct SuppressedCubeFile {
    private let source: SummarySource
    private var summary: GenerationSummary { source.summary }
    private let cube: SuppressedCube

    init(
        _ source: SummarySource,
        slotLimit: Int = SuppressedCube.slotLimit,
        threads: Int = .max
    ) {
        self.source = source
        let summary = source.summary
        cube = SuppressedCube(
            summary.cube,
            threshold: summary.header.suppressBelow,
            slotLimit: slotLimit,
            threads: threads
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
        let insertion = try connection.prepare(
            SummaryTables.insertion("kpi_cube", 4 + CubeTables.sumColumns.count)
        )
        for month in cube.months {
            for row in month.rows { try insertion.insert(Self.values(month.month, row)) }
        }
        for row in cube.rowsOverMonths { try insertion.insert(Self.values(KPICell.all, row)) }
    }

    private static func values(_ month: String, _ row: SuppressedMonth.Row) -> [StoredValue] {
        [month, row.tripType, row.region].map { .text($0) } + row.values.map { StoredValue($0) }
            + [.integer(row.isSuppressed ? 1 : 0)]
    }
}
