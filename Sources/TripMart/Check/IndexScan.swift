import Glibc

/// Reads one index of the trips from end to end and sums up a mark of each entry, so that the sum
/// can be compared with that of the rows.
struct IndexScan: Sendable {
    let name: String
    private let isText: Bool

    /// The indexes, in the order of the marks of ``TripRecount``.
    static let all = [
        IndexScan(name: "trip_row_trip_id", isText: true),
        IndexScan(name: "trip_row_type_region", isText: false),
    ]

    struct Outcome: Sendable {
        var entries: Int64 = 0
        var mark: UInt64 = 0
        /// Whether every entry is greater than the one before, so that no trip id occurs twice.
        var isAscending = true
    }

    /// Reads the index.
    ///
    /// - Returns: The sums of its entries, and its pages.
    /// - Throws: ``MartError`` where the file cannot be read; its code is `damaged` where an entry
    ///   does not have the form of the index.
    func run(
        _ tree: TreeReader,
        root: Int
    ) throws(MartError) -> (outcome: Outcome, pages: [UInt32]) {
        let outline = try tree.outline(root: root, .index)
        let (outcome, overflows) = isText ? try texts(tree, outline) : try codes(tree, outline)
        return (outcome, outline.otherPages + outline.leaves + overflows)
    }

    private func texts(
        _ tree: TreeReader,
        _ outline: TreeReader.Outline
    ) throws(MartError) -> (Outcome, [UInt32]) {
        var outcome = Outcome()
        var previous: [UInt8] = []
        var fields = RecordFields(count: 2)
        let overflows = try tree.each(outline, leaves: outline.leaves.indices, .index) {
            _,
            record throws(MartError) in
            var number: Int64?
            guard fields.open(record), fields.isWhole, let text = fields.text(0),
                fields.integer(1, &number),
                let number
            else { throw MartError.damagedRow(tree.path) }
            if outcome.entries > 0, !Self.precedes(previous, text) { outcome.isAscending = false }
            previous.replaceSubrange(previous.indices, with: text)
            outcome.mark &+= TripRecount.mark(number, text)
            outcome.entries += 1
        }
        return (outcome, overflows)
    }

    private func codes(
        _ tree: TreeReader,
        _ outline: TreeReader.Outline
    ) throws(MartError) -> (Outcome, [UInt32]) {
        var outcome = Outcome()
        var previous: (Int64, Int64, Int64) = (.min, .min, .min)
        var fields = RecordFields(count: 3)
        let overflows = try tree.each(outline, leaves: outline.leaves.indices, .index) {
            _,
            record throws(MartError) in
            var (type, region, number): (Int64?, Int64?, Int64?)
            guard fields.open(record), fields.isWhole, fields.integer(0, &type),
                fields.integer(1, &region),
                fields.integer(2, &number), let number
            else { throw MartError.damagedRow(tree.path) }
            // NULL comes first.
            let entry = (type ?? .min, region ?? .min, number)
            if previous >= entry { outcome.isAscending = false }
            previous = entry
            outcome.mark &+= TripRecount.mark(
                number,
                UInt64(bitPattern: type ?? 0),
                UInt64(bitPattern: region ?? 0)
            )
            outcome.entries += 1
        }
        return (outcome, overflows)
    }

    private static func precedes(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
        left.withUnsafeBytes { left in
            guard let first = left.baseAddress, let second = right.baseAddress else {
                return left.count < right.count
            }
            let order = memcmp(first, second, min(left.count, right.count))
            return order == 0 ? left.count < right.count : order < 0
        }
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
                        expected: all[index].isText ? "each trip id once" : "entries that rise",
                        found: all[index].isText ? "a repetition" : "others",
                        isDamage: true
                    )
                )
            }
        }
        return findings
    }
}
