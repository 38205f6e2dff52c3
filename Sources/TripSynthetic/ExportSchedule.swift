import TripDomain

/// The days of all trips, and the export that carries each of them.
///
/// In-house trips are in the export of their own month; vendor claims arrive over four exports. The
/// newest months therefore have fewer vendor trips and too high an in-house share, as in the field.
struct ExportSchedule: Sendable {
    /// Of 1,000 trips, the number in each export: that of their month, and the three after it.
    static let inHouseLags = [980, 20, 0, 0]
    static let contractedLags = [550, 270, 120, 60]
    /// Volume by calendar month in percent of the average month: winters are busy.
    static let seasons = [106, 104, 103, 99, 97, 96, 97, 98, 98, 100, 100, 104]
    /// Days from the end of a period to its export.
    static let exportDelayDays: Int32 = 3
    /// The number of the first trip, so that all numbers have nine digits.
    static let firstTripNumber = 100_000_000
    /// The number of batches an export is cut into per lag; more where they would exceed the limit.
    static let batchesWanted = 300
    static let batchLimit = 400

    /// The trips of one period of one month that one export carries.
    struct Cell: Sendable {
        let monthIndex: Int
        let lag: Int
        let fileIndex: Int
        /// The first and last day of the trips.
        let days: ClosedRange<Int32>
        var count = 0
        /// The number of the month's trips in earlier cells.
        var firstInMonth = 0
    }

    /// Trips that were exported together: one station's upload.
    struct Batch: Sendable {
        let cellIndex: Int
        /// The first trip, counted within the cell.
        let first: Int
        let count: Int
        /// The index of the first trip within the file.
        var ordinal: Int
    }

    /// One export.
    struct File: Sendable {
        /// The name without `.csv`.
        let stem: String
        var batches: [Batch] = []
        var tripCount = 0
    }

    let months: [Month]
    private(set) var cells: [Cell] = []
    private(set) var files: [File] = []
    /// Per month, its number of trips, and the number of its first trip.
    private(set) var monthCounts: [Int]
    private(set) var monthFirstNumbers: [Int]
    /// Per month, the factor a trip's index is multiplied by, so that numbers are not in order.
    private(set) var monthStrides: [Int]

    init(options: SyntheticOptions) {
        let first = options.lastMonth.monthNumber - Int32(options.monthCount) + 1
        months = (0..<options.monthCount).map { Month(monthNumber: first + Int32($0)) }
        monthCounts = [Int](repeating: 0, count: options.monthCount)
        monthFirstNumbers = monthCounts
        monthStrides = monthCounts
        addFilesAndCells(filesPerMonth: options.filesPerMonth)
        distribute(options.tripCount)
        number()
        cutIntoBatches(seed: options.seed)
    }

    private mutating func addFilesAndCells(filesPerMonth: Int) {
        for month in months {
            for period in 0..<filesPerMonth {
                let days = Self.days(of: month, period: period, of: filesPerMonth)
                let exported = CivilDate(dayNumber: days.upperBound + Self.exportDelayDays).text
                files.append(File(stem: "claims_" + exported.filter { $0 != "-" }))
            }
        }
        for (monthIndex, month) in months.enumerated() {
            for period in 0..<filesPerMonth {
                for lag in Self.contractedLags.indices where monthIndex + lag < months.count {
                    cells.append(
                        Cell(
                            monthIndex: monthIndex,
                            lag: lag,
                            fileIndex: (monthIndex + lag) * filesPerMonth + period,
                            days: Self.days(of: month, period: period, of: filesPerMonth)
                        )
                    )
                }
            }
        }
    }

    private static func days(of month: Month, period: Int, of count: Int) -> ClosedRange<Int32> {
        let first = month.firstDay.dayNumber
        let length = Int(month.lastDay.dayNumber - first) + 1
        return
            (first + Int32(period * length / count))...(first
            + Int32((period + 1) * length / count) - 1)
    }

    /// Distributes the trips to cells by the largest remainder method, so that the sum is exact.
    private mutating func distribute(_ tripCount: Int) {
        let weights = cells.map { cell in
            let month = months[cell.monthIndex]
            let volume = cell.days.count * Self.seasons[month.month - 1]
            // Growth of 4 % a year.
            let growth = 300 + cell.monthIndex
            let share = 41 * Self.inHouseLags[cell.lag] + 59 * Self.contractedLags[cell.lag]
            return volume * growth * share / 1000
        }
        let total = weights.reduce(0, +)
        var remainders: [(remainder: Int, index: Int)] = []
        var left = tripCount
        for (index, weight) in weights.enumerated() {
            let (high, low) = tripCount.multipliedFullWidth(by: weight)
            let (quotient, remainder) = total.dividingFullWidth((high, low))
            cells[index].count = quotient
            left -= quotient
            remainders.append((remainder, index))
        }
        remainders.sort {
            $0.remainder == $1.remainder ? $0.index < $1.index : $0.remainder > $1.remainder
        }
        for entry in remainders.prefix(left) { cells[entry.index].count += 1 }
    }

    private mutating func number() {
        for index in cells.indices {
            let month = cells[index].monthIndex
            cells[index].firstInMonth = monthCounts[month]
            monthCounts[month] += cells[index].count
        }
        var next = Self.firstTripNumber
        for month in months.indices {
            monthFirstNumbers[month] = next
            next += monthCounts[month]
            var stride = 7919
            while Self.commonDivisor(stride, max(1, monthCounts[month])) > 1 { stride += 2 }
            monthStrides[month] = stride
        }
    }

    private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : commonDivisor(right, left % right)
    }

    private mutating func cutIntoBatches(seed: UInt64) {
        for (cellIndex, cell) in cells.enumerated() where cell.count > 0 {
            let size = min(Self.batchLimit, max(1, cell.count / Self.batchesWanted))
            for first in stride(from: 0, to: cell.count, by: size) {
                files[cell.fileIndex].batches.append(
                    Batch(
                        cellIndex: cellIndex,
                        first: first,
                        count: min(size, cell.count - first),
                        ordinal: 0
                    )
                )
            }
        }
        for index in files.indices {
            // Batches come in random order: they are sorted by a random key.
            var keyed = files[index].batches.map { batch in
                (key: Self.key(of: batch, seed: seed), batch: batch)
            }
            keyed.sort { $0.key < $1.key }
            var ordinal = 0
            for index in keyed.indices {
                keyed[index].batch.ordinal = ordinal
                ordinal += keyed[index].batch.count
            }
            files[index].batches = keyed.map(\.batch)
            files[index].tripCount = ordinal
        }
    }

    /// The random key of a batch; two batches may have the same key only by chance.
    static func key(of batch: Batch, seed: UInt64) -> UInt64 {
        var random = SeededRandom(
            seed: seed,
            stream: 0x1000 + UInt64(batch.cellIndex),
            index: UInt64(batch.first)
        )
        return random.next()
    }

    /// The number of a trip, given its index in its cell.
    @inline(__always)
    func tripNumber(cell: Cell, number: Int) -> Int {
        let month = cell.monthIndex
        let index = (cell.firstInMonth + number) * monthStrides[month] % monthCounts[month]
        return monthFirstNumbers[month] + index
    }

    /// The batch that contains the trip at an index of a file.
    func batch(fileIndex: Int, ordinal: Int) -> Batch {
        let batches = files[fileIndex].batches
        var low = 0
        var high = batches.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if batches[middle].ordinal <= ordinal { low = middle } else { high = middle - 1 }
        }
        return batches[low]
    }
}
