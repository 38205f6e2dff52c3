public import TripDomain

/// The numbers of a generation and their origin, without the trips: what a published generation and
/// a history file have in common.
public protocol SummaryReading: Sendable {
    /// The open file.
    var file: MartFile { get }
    /// The generation's own row.
    var header: GenerationHeader { get }
}

/// One month that has trips.
public struct MonthRow: Sendable, Hashable {
    /// The month.
    public let month: Month
    /// The displayed name: `October 2026`.
    public let label: String
    /// The US federal fiscal year.
    public let fiscalYear: Int
    /// Whether the month may still grow.
    public let isOpen: Bool
    /// The first day on which the month no longer grows.
    public let settlesOn: CivilDate
}

extension SummaryReading {
    /// All cells of all eight groupings, by primary key.
    public func cube() throws(MartError) -> [KPICell] {
        try file.cube()
    }

    /// Refuses a generation of an older version, whose cube lacks some of today's sums.
    ///
    /// - Throws: ``MartError`` with code `olderFile`; of the file.
    public func requireAllSums() throws(MartError) { try file.requireAllSums() }

    /// Whether its cube has all sums; a generation of an older version may lack some.
    ///
    /// - Throws: ``MartError`` of the file.
    public func hasAllSums() throws(MartError) -> Bool { try file.hasAllSums() }

    /// The cube split by class and basis, by primary key.
    public func basisCells() throws(MartError) -> [BasisCell] {
        try file.basisCells()
    }

    /// The months that have trips, in order.
    public func months() throws(MartError) -> [MonthRow] {
        try file.rows("SELECT * FROM month ORDER BY month") { row in
            guard let month = Month(text: try row["month"]),
                let settlesOn = CivilDate(text: try row["settles_on"])
            else { throw file.damaged() }
            return try MonthRow(
                month: month,
                label: row["label"],
                fiscalYear: row["fiscal_year"],
                isOpen: row["month_open"],
                settlesOn: settlesOn
            )
        }
    }

    /// The regions, with labels, by value.
    public func regions() throws(MartError) -> [DimensionLabel] {
        try file.rows("SELECT region, label FROM region ORDER BY region") { row in
            try DimensionLabel(value: row[0], label: row[1])
        }
    }

    /// The trip types, with labels, by value.
    public func tripTypes() throws(MartError) -> [DimensionLabel] {
        try file.rows("SELECT trip_type, label FROM trip_type ORDER BY trip_type") { row in
            try DimensionLabel(value: row[0], label: row[1])
        }
    }

    /// The rules in force, in order.
    public func rules() throws(MartError) -> [RuleEntry] { try rules("") }

    /// One of the rules; nil where there is none with the number.
    func rule(number: Int) throws(MartError) -> RuleEntry? {
        try rules("WHERE number = ?", [number]).first
    }

    private func rules(
        _ condition: String,
        _ arguments: [any StoredArgument] = []
    ) throws(MartError) -> [RuleEntry] {
        try file.rows("SELECT * FROM rule \(condition) ORDER BY number", arguments) { row in
            try RuleEntry(
                number: row["number"],
                id: row["id"],
                tripClass: TripClass(word: row["class"]) ?? .undetermined,
                basis: row["basis"],
                because: row["because"],
                condition: row["condition"],
                validFrom: (row["valid_from"] as String?).flatMap { CivilDate(text: $0) },
                validTo: (row["valid_to"] as String?).flatMap { CivilDate(text: $0) }
            )
        }
    }

    /// The results of the checks, in the pipeline's order.
    public func checks() throws(MartError) -> [CheckResult] {
        try file.rows("SELECT * FROM check_result ORDER BY number") { row in
            try CheckResult(
                id: row["id"],
                condition: row["condition"],
                outcome: CheckResult.Outcome(rawValue: row["outcome"]) ?? .skipped,
                detail: row["detail"]
            )
        }
    }

    /// The complete inputs of the generation.
    ///
    /// - Parameter role: One kind of input; nil for all.
    /// - Returns: The inputs by role and path.
    /// - Throws: ``MartError`` of the file.
    public func inputs(role: GenerationInput.Role? = nil) throws(MartError) -> [GenerationInput] {
        try file.inputs(role: role)
    }

    /// The exclusions that rollbacks left, by kind, source and path; none in a generation that is
    /// older than rollbacks.
    public func exclusions() throws(MartError) -> [Exclusion] {
        guard try file.has(table: "hold") else { return [] }
        return try file.rows("SELECT * FROM hold ORDER BY kind, source, path, sequence") {
            row in
            guard let kind = Exclusion.Kind(rawValue: try row["kind"]) else { throw file.damaged() }
            return try Exclusion(
                kind: kind,
                source: row["source"],
                path: row["path"],
                contentHash: row["content_hash"],
                archiveHash: row["archive_hash"],
                sequence: row["sequence"],
                after: row["after"],
                generation: row["generation"]
            )
        }
    }

    /// The clock of each source, by name; none in a generation that is older than clocks.
    public func clocks() throws(MartError) -> [SourceClock] {
        guard try file.has(table: "source") else { return [] }
        return try file.rows("SELECT * FROM source ORDER BY name") { row in
            try SourceClock(
                source: row["name"],
                expects: row["expects"],
                lastArrivalAt: row["last_arrival_at"],
                awaitedSince: row["awaited_since"],
                overdueAfter: row["overdue_after"]
            )
        }
    }

    /// All files of the generation, in order of exports, each with its ledger.
    public func files() throws(MartError) -> [SourceFileEntry] { try files("", "") }

    /// One of the files; nil where there is none with the number.
    func file(number: Int) throws(MartError) -> SourceFileEntry? {
        try files("WHERE number = ?", "WHERE file_number = ?", [number]).first
    }

    private func files(
        _ condition: String,
        _ ledgerCondition: String,
        _ arguments: [any StoredArgument] = []
    ) throws(MartError) -> [SourceFileEntry] {
        let ledgers = try ledgers(ledgerCondition, arguments)
        // Older generations have no day.
        let hasDays = try file.rows("SELECT sql FROM sqlite_schema WHERE name = 'source_file'") {
            try ($0[0] as String).contains("taken_in")
        }.contains(true)
        let files = try file.rows(
            "SELECT * FROM source_file \(condition) ORDER BY number",
            arguments
        ) { row in
            guard let status = SourceFileEntry.Status(rawValue: try row["status"]) else {
                throw file.damaged()
            }
            var entry = try SourceFileEntry(
                source: row["source"],
                path: row["path"],
                sequence: row["sequence"],
                contentHash: row["content_hash"],
                archiveHash: row["archive_hash"],
                archiveSize: row["archive_size"],
                expandedSize: row["expanded_size"],
                orderKey: row["order_key"],
                period: row["period"],
                layout: row["layout"],
                recordCount: row["record_count"],
                lineCount: row["line_count"],
                blankLineCount: row["blank_line_count"],
                status: status,
                ledger: ledgers[row["number"], default: Ledger()]
            )
            let day: String? = hasDays ? try row["taken_in"] : nil
            entry.takenIn = day.flatMap { CivilDate(text: $0) }
            guard day == nil || entry.takenIn != nil else { throw file.damaged() }
            return entry
        }
        guard SumLimit.fits(files.lazy.map { UInt64($0.recordCount.magnitude) }) else {
            throw file.damaged()
        }
        return files
    }

    /// The ledger of all files together.
    public func ledger() throws(MartError) -> Ledger {
        try ledgers().values.reduce(into: Ledger()) { $0 += $1 }
    }

    /// The reconciliation of the accepted trips with the counted ones, by status.
    public func bridge() throws(MartError) -> [ReconciliationRow] {
        try file.rows("SELECT status, counted, trips FROM bridge ORDER BY status, counted") { row in
            try ReconciliationRow(status: row[0], isCounted: row[1], trips: row[2])
        }
    }

    private func ledgers(
        _ condition: String = "",
        _ arguments: [any StoredArgument] = []
    ) throws(MartError) -> [Int: Ledger] {
        let entries = try file.rows(
            "SELECT file_number, term, items, cents, unpriced FROM ledger \(condition)",
            arguments
        ) { row in
            try (
                number: row[0] as Int, term: row[1] as String,
                amount: LedgerAmount(items: row[2], cents: row[3], unpriced: row[4])
            )
        }
        let amounts = entries.lazy.map {
            max($0.amount.items.magnitude, $0.amount.cents.magnitude, $0.amount.unpriced.magnitude)
        }
        guard SumLimit.fits(amounts) else { throw file.damaged() }
        var ledgers: [Int: Ledger] = [:]
        // A term without items is absent from a ledger; the table has it with zeros.
        for entry in entries where entry.amount != LedgerAmount() {
            if let term = LedgerTerm(rawValue: entry.term) {
                ledgers[entry.number, default: Ledger()][term] = entry.amount
            } else {
                ledgers[entry.number, default: Ledger()].read = entry.amount
            }
        }
        return ledgers
    }
}
