import TripDomain

/// Reads one index of the trips from end to end and sums up marks of its entries, so that they can
/// be compared with the marks of the rows.
struct IndexScan: Sendable {
    let name: String
    private let sql: String
    private let isText: Bool

    /// The indexes, in the order of the marks of ``TripRecount``.
    static let all = [
        IndexScan(name: "trip_row_trip_id", columns: "trip_id", isText: true),
        IndexScan(name: "trip_row_type_region", columns: "trip_type, region", isText: false),
    ]

    struct Outcome: Sendable {
        let entries: Int64
        let mark: UInt64
        let isAscending: Bool
    }

    private init(name: String, columns: String, isText: Bool) {
        self.name = name
        self.isText = isText
        sql = "SELECT trip_number, \(columns) FROM trip_row INDEXED BY \(name) ORDER BY \(columns)"
    }

    func run(_ connection: RawConnection) throws(MartError) -> Outcome {
        let statement = try connection.prepare(sql)
        return isText ? try texts(statement) : try codes(statement)
    }

    private func texts(_ statement: RawStatement) throws(MartError) -> Outcome {
        var (entries, mark, isAscending) = (Int64(0), UInt64(0), true)
        var previous: [UInt8] = []
        while try statement.step() {
            let text = statement.bytes(1)
            // No trip id may occur twice, so that every entry is greater than the one before.
            if entries > 0, !previous.lexicographicallyPrecedes(text) { isAscending = false }
            previous.replaceSubrange(previous.indices, with: text)
            mark &+= TripRecount.mark(statement.integer(0), text)
            entries += 1
        }
        return Outcome(entries: entries, mark: mark, isAscending: isAscending)
    }

    private func codes(_ statement: RawStatement) throws(MartError) -> Outcome {
        var (entries, mark) = (Int64(0), UInt64(0))
        while try statement.step() {
            mark &+= TripRecount.mark(
                statement.integer(0),
                UInt64(bitPattern: statement.integer(1)),
                UInt64(bitPattern: statement.integer(2))
            )
            entries += 1
        }
        return Outcome(entries: entries, mark: mark, isAscending: true)
    }

    /// Compares the indexes with the rows.
    static func compare(_ outcomes: [Outcome], _ recount: TripRecount) -> [Finding] {
        var findings: [Finding] = []
        for (index, outcome) in outcomes.enumerated() {
            let subject = "index \(all[index].name)"
            if outcome.entries != recount.rows {
                findings.append(
                    Finding(
                        subject: subject,
                        expected: "\(recount.rows) entries",
                        found: "\(outcome.entries)",
                        isDamage: true
                    )
                )
            } else if outcome.mark != recount.marks[index] {
                findings.append(
                    Finding(
                        subject: subject,
                        expected: "the entries of the rows",
                        found: "others",
                        isDamage: true
                    )
                )
            }
            if !outcome.isAscending {
                findings.append(
                    Finding(
                        subject: subject,
                        expected: "each trip id once",
                        found: "a repetition",
                        isDamage: true
                    )
                )
            }
        }
        return findings
    }
}
