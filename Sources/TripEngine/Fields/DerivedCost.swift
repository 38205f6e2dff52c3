public import TripDomain

/// Derives the amounts that the ledger sums, where no field of the export is the amount.
///
/// What a trip costs may then depend on any of its fields and on look-ups. The reader asks for it
/// apart from the classification: for each trip, and for each record that is set aside, as far as
/// that can be read.
public struct DerivedCost: Sendable {
    /// The stored columns that it depends on, of a time stamp the first of its two.
    let columns: Set<Int>
    /// The amounts of a batch.
    let cents: @Sendable (UnzonedBatch) -> IntegerColumn

    /// Describes how amounts are derived.
    ///
    /// - Parameters:
    ///   - columns: The stored columns that they depend on, of a time stamp the first of its two.
    ///   - cents: Gives the amounts of a batch, in cents; called on the threads that read.
    public init(columns: Set<Int>, cents: @escaping @Sendable (UnzonedBatch) -> IntegerColumn) {
        self.columns = columns
        self.cents = cents
    }

    /// Whether an amount has nine digits before the point at most, as one of an export has.
    static func isPlausible(_ cents: Int64) -> Bool {
        cents.magnitude <= SumLimit.tripAmountMax.magnitude
    }

    /// The sum of the amounts of a batch.
    ///
    /// An amount of too many digits is left out: the run is about to stop because of it.
    func sum(of batch: UnzonedBatch) -> Int64 {
        let costs = cents(batch)
        return costs.values.indices.reduce(0) { sum, row in
            sum + (costs.value(row).flatMap { Self.isPlausible($0) ? $0 : nil } ?? 0)
        }
    }
}

/// The records of one slice that are set aside, until their costs are derived.
///
/// They are copied: the bytes of a slice are gone when its last record is read. Lines that are no
/// records are not among them; what they cost is not known.
struct RejectedRecords: Sendable {
    /// What of a record is set aside.
    enum Part: Sendable {
        /// All of it, with the units that it lists.
        case record([TripBuilder.Unit])
        /// One of its units, with its place among them.
        case unit(TripBuilder.Unit, number: Int, count: Int)
    }

    /// The cost of one reject.
    struct Cost: Sendable {
        /// The index of the reject in the list of its slice.
        let reject: Int
        /// Its amount; nil where it is blank or not known.
        var cents: Int64?
        /// Whether a field that the amount depends on cannot be read.
        var isUnpriced = false
    }

    private struct Record: Sendable {
        let reject: Int
        let part: Part
        let position: RecordPosition
        /// The cells one after the other, after one byte.
        let text: [UInt8]
        let slices: [FieldSlice]

        func withCells<Result>(_ body: (CellRow) -> Result) -> Result {
            text.withUnsafeBufferPointer { text in
                slices.withUnsafeBufferPointer { slices in
                    guard let base = text.baseAddress else {
                        preconditionFailure("a copied record begins with a byte")
                    }
                    let raw = UnsafeBufferPointer(start: base, count: 0)
                    return body(CellRow(base: base, slices: slices, raw: raw))
                }
            }
        }
    }

    private var records: [Record] = []

    /// Notes a record.
    ///
    /// - Parameters:
    ///   - reject: The index of its reject in the list of the slice.
    ///   - part: What of it is set aside.
    ///   - position: The position of the record.
    ///   - cells: Its cells, by column.
    mutating func add(
        _ reject: Int,
        _ part: Part,
        at position: RecordPosition,
        cells: [UnsafeBufferPointer<UInt8>]
    ) {
        // One byte first, so that the text of a record of empty cells has an address too.
        var text: [UInt8] = [0]
        let slices = cells.map { cell in
            let start = text.count
            text += cell
            return FieldSlice(start: start, end: text.count, isQuoted: false, hasEscapes: false)
        }
        records.append(
            Record(reject: reject, part: part, position: position, text: text, slices: slices)
        )
    }

    /// The costs of the records, in order.
    ///
    /// The cost of a record with several units is the sum of theirs, each with its share of every
    /// amount.
    ///
    /// - Complexity: O(*n*) in the bytes.
    func costs(_ plan: RecordPlan, _ derived: DerivedCost) -> [Cost] {
        guard !records.isEmpty else { return [] }
        var builder = TripBuilder(plan: plan, limits: .none)
        var costs: [Cost] = []
        var costOfRow: [Int] = []
        for record in records {
            var cost = Cost(reject: record.reject)
            let areRead = record.withCells { cells in
                builder.addWhatReads(
                    of: record.part,
                    cells,
                    at: record.position,
                    needing: derived.columns
                )
            }
            cost.isUnpriced = !areRead
            while costOfRow.count < builder.recordIndexes.count { costOfRow.append(costs.count) }
            costs.append(cost)
        }
        let batch = UnzonedBatch(
            batch: TripBatch(
                fileIndex: 0,
                columns: builder.finishedColumns(),
                recordNumbers: builder.recordIndexes,
                lineNumbers: builder.lineIndexes
            ),
            openTimes: builder.openTimes
        )
        let cents = derived.cents(batch)
        for (row, index) in costOfRow.enumerated() {
            guard let value = cents.value(row), !costs[index].isUnpriced else { continue }
            let sum = (costs[index].cents ?? 0).addingReportingOverflow(value)
            if sum.overflow || !DerivedCost.isPlausible(sum.partialValue) {
                (costs[index].cents, costs[index].isUnpriced) = (nil, true)
            } else {
                costs[index].cents = sum.partialValue
            }
        }
        return costs
    }
}
