import TripDomain

/// One row of the reconciliation of the accepted trips with those that the KPIs count.
public struct ReconciliationRow: Sendable, Hashable {
    /// The trips' status; empty where it is blank, or where the pipeline has no `status`.
    public let status: String
    /// Whether the pipeline counts these trips.
    public let isCounted: Bool
    /// The number of trips.
    public let trips: Int64

    /// Creates a row.
    public init(status: String, isCounted: Bool, trips: Int64) {
        self.status = status
        self.isCounted = isCounted
        self.trips = trips
    }

    var values: [StoredValue] {
        [.text(status), .integer(isCounted ? 1 : 0), .integer(trips)]
    }
}

enum Reconciliation {
    /// The name of the column that the reconciliation splits by.
    static let statusName = "status"

    /// Counts the accepted trips by status and by whether they count, in order of both.
    ///
    /// - Complexity: O(*n*) in the accepted trips; one look-up per distinct status.
    static func rows(of contents: GenerationContents) -> [ReconciliationRow] {
        let column = contents.shape.columns.firstIndex {
            $0.name == statusName && $0.kind == .text
        }
        let texts = contents.batches.map { batch in column.map { batch.columns[$0].texts } }
        let codes = texts.map { $0?.codes.reader }
        let counted = contents.batches.map(\.counted.reader)
        // Two counters per entry of each batch's pool: not counted, counted.
        var counts = texts.map { [Int64](repeating: 0, count: 2 * ($0?.poolCount ?? 1)) }
        for position in contents.acceptedOrder {
            let (batch, row) = (Int(position.batch), Int(position.row))
            let code = Int(codes[batch]?[row] ?? 0)
            counts[batch][2 * code + Int(counted[batch][row])] += 1
        }
        var totals: [ReconciliationKey: Int64] = [:]
        for (batch, texts) in texts.enumerated() {
            add(counts[batch], to: &totals) { texts?.string($0) }
        }
        return sorted(totals)
    }

    /// Counts the trips of one batch, all of them accepted.
    static func counts(of batch: TripBatch, shape: TripShape) -> [ReconciliationKey: Int64] {
        let column = shape.columns.firstIndex { $0.name == statusName && $0.kind == .text }
        let texts = column.map { batch.columns[$0].texts }
        var counts = [Int64](repeating: 0, count: 2 * (texts?.pool.count ?? 1))
        for row in 0..<batch.count {
            counts[2 * Int(texts?.codes[row] ?? 0) + (batch.counted[row] ? 1 : 0)] += 1
        }
        var totals: [ReconciliationKey: Int64] = [:]
        add(counts, to: &totals) { texts?.pool.string(UInt32($0)) }
        return totals
    }

    /// Adds two counters per code, not counted and counted.
    private static func add(
        _ counts: [Int64],
        to totals: inout [ReconciliationKey: Int64],
        text: (Int) -> String?
    ) {
        for index in counts.indices where counts[index] > 0 {
            // A pool may hold a text more than once, and NULL and blank are one status.
            let key = ReconciliationKey(status: text(index / 2) ?? "", isCounted: index % 2 == 1)
            totals[key, default: 0] += counts[index]
        }
    }

    static func sorted(_ totals: [ReconciliationKey: Int64]) -> [ReconciliationRow] {
        totals.map { ReconciliationRow(status: $0.status, isCounted: $0.isCounted, trips: $1) }
            .sorted { ($0.status, $0.isCounted ? 1 : 0) < ($1.status, $1.isCounted ? 1 : 0) }
    }
}

struct ReconciliationKey: Hashable {
    let status: String
    let isCounted: Bool
}
