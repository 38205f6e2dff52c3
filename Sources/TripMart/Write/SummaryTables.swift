import TripDomain

/// Writes the small tables that a generation and its history share.
struct SummaryTables {
    let connection: RawConnection
    let source: SummarySource
    private var summary: GenerationSummary { source.summary }

    /// Writes all of them into a file with empty tables.
    func write(meta: [(String, String)]) throws(MartError) {
        try rows("meta", 2, meta.map { [.text($0.0), .text($0.1)] })
        try writeOrigin()
        try writeFiles()
        try connection.insert(summary.exclusions)
        try writeDimensions()
        try connection.insert(cube: summary.cube, basisCells: summary.basisCells)
        try rows("bridge", 3, source.bridge.map { $0.values })
        try DeclaredWriting(connection: connection).write(summary.declared)
        if let location = summary.tripLocation { try connection.insert(location) }
    }

    private func writeOrigin() throws(MartError) {
        let header = summary.header
        try rows(
            "generation",
            10,
            [
                [
                    StoredValue(header.number), .text(header.pipeline),
                    StoredValue(header.isSynthetic ? 1 : 0), .text(header.publishedAt),
                    StoredValue(header.dataThrough?.text), StoredValue(header.staleAfter),
                    StoredValue(header.settlesAfterDays), StoredValue(header.suppressBelow),
                    .text(header.rulesHash), .text(header.referenceHash),
                ]
            ]
        )
        try connection.insert(summary.inputs)
        try rows(
            "rule",
            8,
            summary.rules.map {
                [
                    StoredValue($0.number), .text($0.id), .text($0.tripClass.word),
                    .text($0.basis), .text($0.because), .text($0.condition),
                    StoredValue($0.validFrom?.text), StoredValue($0.validTo?.text),
                ]
            }
        )
        try rows(
            "check_result",
            5,
            summary.checks.enumerated().map { index, check in
                [
                    StoredValue(index + 1), .text(check.id), .text(check.condition),
                    .text(check.outcome.rawValue), .text(check.detail),
                ]
            }
        )
    }

    private func writeFiles() throws(MartError) {
        try rows(
            "source",
            5,
            summary.clocks.map { clock in
                [
                    .text(clock.source), StoredValue(clock.expects),
                    StoredValue(clock.lastArrivalAt), StoredValue(clock.awaitedSince),
                    StoredValue(clock.overdueAfter),
                ]
            }
        )
        try rows(
            "source_file",
            16,
            summary.files.enumerated().map { index, file in
                [
                    StoredValue(index + 1), .text(file.source), .text(file.path),
                    StoredValue(file.sequence), .text(file.contentHash),
                    .text(file.archiveHash), .integer(file.archiveSize),
                    .integer(file.expandedSize), .text(file.orderKey), .text(file.period),
                    .text(file.layout), .integer(file.recordCount), .integer(file.lineCount),
                    .integer(file.blankLineCount), .text(file.status.rawValue),
                    StoredValue(file.takenIn?.text),
                ]
            }
        )
        var ledgerRows: [[StoredValue]] = []
        for (index, file) in summary.files.enumerated() {
            let terms =
                [("read", file.ledger.read)]
                + LedgerTerm.allCases.map { ($0.rawValue, file.ledger[$0]) }
            ledgerRows += terms.map { term, amount in
                [
                    StoredValue(index + 1), .text(term), .integer(amount.items),
                    .integer(amount.cents), .integer(amount.unpriced),
                ]
            }
        }
        try rows("ledger", 5, ledgerRows)
    }

    private func writeDimensions() throws(MartError) {
        try rows("month", 5, Self.monthRows(source))
        try rows(
            "trip_type",
            2,
            summary.tripTypes.map { [.text($0.value), .text($0.label)] }
        )
        try rows("region", 2, summary.regions.map { [.text($0.value), .text($0.label)] })
    }

    /// The rows of `month`, in order of time.
    static func monthRows(_ source: SummarySource) -> [[StoredValue]] {
        source.months.map { range in
            let month = range.month
            return [
                .text(month.text), .text(label(month)),
                StoredValue(month.fiscalYear(from: source.summary.fiscalYearStart)),
                StoredValue(source.summary.header.isOpen(month) ? 1 : 0),
                .text(source.summary.header.settleDate(of: month).text),
            ]
        }
    }

    private func rows(
        _ table: String,
        _ columnCount: Int,
        _ rows: [[StoredValue]]
    ) throws(MartError) {
        try connection.insert(into: table, columnCount, rows)
    }

    static func insertion(_ table: String, _ columnCount: Int) -> String {
        let parameters = Array(repeating: "?", count: columnCount).joined(separator: ",")
        return "INSERT INTO \(QuotedText.quoted(table)) VALUES(\(parameters))"
    }

    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// `October 2026`.
    static func label(_ month: Month) -> String {
        "\(monthNames[month.month - 1]) \(month.year)"
    }
}

extension CostSums {
    /// The values of the columns `trips`, `costed_trips` and `cost_cents`.
    var stored: [StoredValue] { [.integer(trips), .integer(costedTrips), .integer(costCents)] }
}

/// Fills the tables that plans and generations have in common.
extension RawConnection {
    /// Fills `kpi_cube` and `kpi_basis`.
    func insert(cube: [KPICell], basisCells: [BasisCell]) throws(MartError) {
        let statement = try prepare(
            SummaryTables.insertion("kpi_cube", 3 + CubeTables.sumColumns.count)
        )
        for cell in cube {
            let key = [cell.month, cell.tripType, cell.region].map { StoredValue.text($0) }
            try statement.insert(key + cell.sums.values.map { .integer($0) })
        }
        let basis = try prepare(SummaryTables.insertion("kpi_basis", 8))
        for cell in basisCells {
            try basis.insert(
                [
                    .text(cell.month), .text(cell.tripType), .text(cell.region),
                    .text(cell.tripClass.word), .text(cell.basis),
                ] + cell.sums.stored
            )
        }
    }

    /// Fills `hold`.
    func insert(_ exclusions: [Exclusion]) throws(MartError) {
        try insert(
            into: "hold",
            8,
            exclusions.map { exclusion in
                [
                    .text(exclusion.kind.rawValue), .text(exclusion.source), .text(exclusion.path),
                    .text(exclusion.contentHash), .text(exclusion.archiveHash),
                    StoredValue(exclusion.sequence), StoredValue(exclusion.after),
                    StoredValue(exclusion.generation),
                ]
            }
        )
    }

    /// Fills `generation_input`.
    func insert(_ inputs: [GenerationInput]) throws(MartError) {
        try insert(
            into: "generation_input",
            4,
            inputs.map {
                [.text($0.role.rawValue), .text($0.path), .text($0.hash), .blob($0.content)]
            }
        )
    }

    /// Inserts rows.
    func insert(
        into table: String,
        _ columnCount: Int,
        _ rows: [[StoredValue]]
    ) throws(MartError) {
        let statement = try prepare(SummaryTables.insertion(table, columnCount))
        for row in rows {
            try statement.insert(row)
        }
    }
}

/// The contents of the small tables: the totals of a run, and what follows from the order of its
/// trips.
struct SummarySource {
    let summary: GenerationSummary
    let months: [MonthRange]
    let bridge: [ReconciliationRow]

    init(_ summary: GenerationSummary, months: [MonthRange], bridge: [ReconciliationRow]) {
        self.summary = summary
        self.months = months
        self.bridge = bridge
    }

    /// - Complexity: O(*n*) in the accepted trips.
    init(_ contents: GenerationContents) {
        if let location = contents.summary.tripLocation {
            self.init(contents.summary, location)
            return
        }
        self.init(
            contents.summary,
            months: MonthRanges.find(in: contents),
            bridge: Reconciliation.rows(of: contents)
        )
    }
}

/// The trips of one month.
///
/// Trips are stored by pick-up time, so that a month is a range of trip numbers and needs no index.
struct MonthRange: Hashable {
    let month: Month
    let firstTrip: Int
    let lastTrip: Int
}

enum MonthRanges {
    /// The months that have trips, in order of time.
    ///
    /// - Precondition: the accepted order is by pick-up time.
    /// - Complexity: O(*m* log *n*) in the months and the accepted trips.
    static func find(in contents: GenerationContents) -> [MonthRange] {
        let order = contents.acceptedOrder
        let pickups = contents.batches.map {
            $0.columns[contents.shape.pickupIndex].integers.reader
        }
        func seconds(_ index: Int) -> Int64 {
            pickups[Int(order[index].batch)].value(Int(order[index].row)) ?? 0
        }
        // The readers point into the batches.
        defer { withExtendedLifetime(contents.batches) {} }
        var ranges: [MonthRange] = []
        var first = 0
        while first < order.count {
            let month = CivilTime.date(ofSeconds: seconds(first)).month
            let end = (Int64(month.lastDay.dayNumber) + 1) * CivilTime.daySeconds
            var (low, high) = (first + 1, order.count)
            while low < high {
                let middle = (low + high) / 2
                if seconds(middle) < end { low = middle + 1 } else { high = middle }
            }
            ranges.append(MonthRange(month: month, firstTrip: first + 1, lastTrip: low))
            first = low
        }
        return ranges
    }
}
