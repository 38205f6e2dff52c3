import TripDomain

/// Compares the ledger of every file with the sums of the finished file's rows.
struct LedgerCheck {
    private let connection: RawConnection
    private let recount: TripRecount

    init(_ connection: RawConnection, _ recount: TripRecount) {
        self.connection = connection
        self.recount = recount
    }

    func run() throws(MartError) -> [Finding] {
        var counted: [Int64: [LedgerTerm: LedgerAmount]] = [:]
        for (file, amount) in recount.files {
            counted[file, default: [:]][.accepted] = amount
        }
        try takeMerged(from: &counted)
        try add(&counted, Self.versionSQL)
        try add(&counted, Self.rejectSQL)

        var findings: [Finding] = []
        var known: Set<Int64> = []
        for file in try files() {
            known.insert(file.number)
            findings += compare(file, counted[file.number, default: [:]])
        }
        for file in counted.keys.sorted() where !known.contains(file) {
            findings.append(
                Finding(subject: "file number \(file)", expected: "no rows", found: "some")
            )
        }
        return findings
    }

    private static let versionSQL = """
        SELECT file_number, term, count(*), coalesce(sum(amount_cents), 0), 0
        FROM trip_version GROUP BY file_number, term
        """

    /// The amounts that trips have from lines merged into them, by the file of the trip.
    ///
    /// A trip's cost is the sum over its lines, and the account keeps each line's own amount.
    private static let mergedSQL = """
        SELECT t.file_number, coalesce(sum(v.amount_cents), 0)
        FROM trip_version AS v JOIN trip_row AS t ON t.trip_id = v.trip_id
        WHERE v.term = 'merged' GROUP BY t.file_number
        """

    private func takeMerged(
        from counted: inout [Int64: [LedgerTerm: LedgerAmount]]
    ) throws(MartError) {
        let rows = try connection.prepare(Self.mergedSQL)
        while try rows.step() {
            let cents = try ValueLimits.sum(rows, 1)
            counted[rows.integer(0), default: [:]][.accepted, default: LedgerAmount()].cents -=
                cents
        }
    }

    private static let rejectSQL = """
        SELECT file_number, 'rejected', sum(item_count), coalesce(sum(amount_cents), 0),
            sum(CASE WHEN unpriced THEN item_count ELSE 0 END)
        FROM reject GROUP BY file_number
        """

    private func add(
        _ counted: inout [Int64: [LedgerTerm: LedgerAmount]],
        _ sql: String
    ) throws(MartError) {
        let rows = try connection.prepare(sql)
        while try rows.step() {
            let file = rows.integer(0)
            guard let term = LedgerTerm(rawValue: rows.text(1)) else { continue }
            counted[file, default: [:]][term, default: LedgerAmount()] += LedgerAmount(
                items: try ValueLimits.sum(rows, 2),
                cents: try ValueLimits.sum(rows, 3),
                unpriced: try ValueLimits.sum(rows, 4)
            )
        }
    }

    private struct File {
        let number: Int64
        let path: String
        let isWithdrawn: Bool
        var amounts: [String: LedgerAmount] = [:]
    }

    private func files() throws(MartError) -> [File] {
        var files: [File] = []
        let rows = try connection.prepare(
            "SELECT number, path, status FROM source_file ORDER BY number"
        )
        while try rows.step() {
            files.append(
                File(
                    number: rows.integer(0),
                    path: rows.text(1),
                    isWithdrawn: rows.text(2) == SourceFileEntry.Status.withdrawn.rawValue
                )
            )
        }
        let terms = try connection.prepare(
            "SELECT file_number, term, items, cents, unpriced FROM ledger"
        )
        while try terms.step() {
            let index = Int(terms.integer(0)) &- 1
            guard files.indices.contains(index) else { continue }
            files[index].amounts[terms.text(1)] = LedgerAmount(
                items: try ValueLimits.sum(terms, 2),
                cents: try ValueLimits.sum(terms, 3),
                unpriced: try ValueLimits.sum(terms, 4)
            )
        }
        return files
    }

    /// Compares one file, term by term, and then the total read with the sum of all terms.
    private func compare(
        _ file: File,
        _ counted: [LedgerTerm: LedgerAmount]
    ) -> [Finding] {
        var counted = counted
        let read = file.amounts["read", default: LedgerAmount()]
        // A withdrawn file leaves no rows: its whole content counts as withdrawn. If rows of it
        // were left, they would add to the balance below and show there.
        if file.isWithdrawn { counted[.withdrawn] = read }
        var findings: [Finding] = []
        for term in LedgerTerm.allCases {
            findings += Self.compare(
                "\(term.rawValue) of \(file.path)",
                file.amounts[term.rawValue, default: LedgerAmount()],
                counted[term, default: LedgerAmount()]
            )
        }
        findings += Self.compare(
            "all that was read of \(file.path)",
            read,
            counted.values.reduce(LedgerAmount(), +)
        )
        return findings
    }

    private static func compare(
        _ subject: String,
        _ expected: LedgerAmount,
        _ found: LedgerAmount
    ) -> [Finding] {
        let pairs = [
            ("items", expected.items, found.items), ("cents", expected.cents, found.cents),
            ("unpriced items", expected.unpriced, found.unpriced),
        ]
        return pairs.compactMap { name, expected, found in
            expected == found
                ? nil
                : Finding(
                    subject: "\(name) \(subject)",
                    expected: "\(expected)",
                    found: "\(found)"
                )
        }
    }
}
