public import TripDomain

/// How many accepted trips fall in each month and have each status, counted or not: what a
/// generation says beside its cube, which has the counted trips alone.
public struct TripCounts: Sendable {
    /// The name of the column that trips are counted by.
    public static let statusName = "status"

    private struct Status: Hashable {
        let text: ValueBytes
        let isCounted: Bool
    }

    private var ofMonth: [Int32: Int64] = [:]
    private var ofStatus: [Status: Int64] = [:]
    /// The known costs of the trips that do not count: what the cube lacks of the account.
    public private(set) var uncountedCents: Int64 = 0

    /// No trips.
    public init() {}

    /// The column that trips are counted by; nil where they have none.
    ///
    /// - Parameter shape: Their columns.
    /// - Returns: Its index.
    public static func statusIndex(in shape: TripShape) -> Int? {
        shape.columns.firstIndex { $0.name == statusName && $0.kind == .text }
    }

    /// Counts classified trips, all of which are accepted.
    ///
    /// - Parameters:
    ///   - batch: The trips.
    ///   - shape: Their columns.
    /// - Complexity: O(*n*) in the trips.
    public init(_ batch: TripBatch, shape: TripShape) {
        let texts = Self.statusIndex(in: shape).map { batch.columns[$0].texts }
        add(
            UnpackedKPIView(batch, shape: shape),
            count: batch.count,
            leavingOut: [],
            codeCount: texts?.pool.count ?? 1,
            code: { Int(texts?.codes[$0] ?? 0) },
            text: { texts?.pool.string(UInt32($0)) }
        )
    }

    /// Counts the trips of a batch but those left out.
    ///
    /// - Parameters:
    ///   - batch: The trips.
    ///   - leftOut: Which of them are left out; empty where none is.
    ///   - shape: Their columns.
    /// - Complexity: O(*n*) in the trips.
    public mutating func add(_ batch: PackedBatch, leavingOut leftOut: [Bool], shape: TripShape) {
        let texts = Self.statusIndex(in: shape).map { batch.columns[$0].texts }
        withExtendedLifetime(texts) {
            let codes = texts?.codes.reader
            add(
                KPIView(batch, shape: shape),
                count: batch.count,
                leavingOut: leftOut,
                codeCount: texts?.poolCount ?? 1,
                code: { Int(truncatingIfNeeded: codes?[$0] ?? 0) },
                text: { texts?.string($0) }
            )
        }
    }

    private mutating func add(
        _ view: some KPIRows,
        count: Int,
        leavingOut leftOut: [Bool],
        codeCount: Int,
        code: (Int) -> Int,
        text: (Int) -> String?
    ) {
        var month = MonthSpan()
        // Two counters per entry of the batch's pool: not counted, counted.
        var counts = [Int64](repeating: 0, count: 2 * codeCount)
        for row in 0..<count where leftOut.isEmpty || !leftOut[row] {
            month.move(to: view.pickup(row))
            ofMonth[month.number, default: 0] += 1
            let isCounted = view.isCounted(row)
            counts[2 * code(row) + (isCounted ? 1 : 0)] += 1
            if !isCounted { uncountedCents += view.cost(row) ?? 0 }
        }
        for index in counts.indices where counts[index] > 0 {
            // A pool may hold a text more than once, and NULL and blank are one status.
            let status = Status(
                text: ValueBytes(text(index / 2) ?? ""),
                isCounted: index % 2 == 1
            )
            ofStatus[status, default: 0] += counts[index]
        }
    }

    /// Adds the counts of other trips.
    public mutating func add(_ other: TripCounts) {
        ofMonth.merge(other.ofMonth, uniquingKeysWith: +)
        ofStatus.merge(other.ofStatus, uniquingKeysWith: +)
        uncountedCents += other.uncountedCents
    }

    /// Adds counts that another program counted.
    public mutating func add(_ finest: FinestSums) {
        for month in finest.months { ofMonth[month.month.monthNumber, default: 0] += month.trips }
        for status in finest.statuses {
            let key = Status(text: ValueBytes(status.status), isCounted: status.isCounted)
            ofStatus[key, default: 0] += status.trips
        }
        uncountedCents += finest.uncountedCents
    }

    /// The trips by month, in order of time.
    public var months: [TripLocation.MonthTrips] {
        ofMonth.sorted { $0.key < $1.key }.map {
            TripLocation.MonthTrips(month: Month(monthNumber: $0.key), trips: $0.value)
        }
    }

    /// The trips by status and by whether they count, in order of both.
    public var statuses: [TripLocation.StatusTrips] {
        ofStatus.sorted { left, right in
            left.key.text == right.key.text
                ? !left.key.isCounted && right.key.isCounted : left.key.text < right.key.text
        }.map {
            TripLocation.StatusTrips(
                status: $0.key.text.text,
                isCounted: $0.key.isCounted,
                trips: $0.value
            )
        }
    }
}

extension FinestSums {
    /// Takes the counts of its trips.
    public mutating func take(_ counts: TripCounts) {
        (months, statuses) = (counts.months, counts.statuses)
        uncountedCents = counts.uncountedCents
    }
}
