public import TripDomain

/// The cube with small cells suppressed: every month is suppressed by itself, and the sums over
/// months contain only what the months show.
public struct SuppressedCube: Sendable {
    /// The months, each with the numbers it shows.
    public let months: [SuppressedMonth]

    /// The maximum number of combinations of trip type and region that a month is suppressed
    /// with: 12 types in 150 regions, counted by month and over all months.
    public static let slotLimit = RecodedCube.slotLimit

    /// Suppresses a cube.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - threshold: The smallest count that may be shown, besides 0; 0 and 1 hide nothing.
    ///   - slotLimit: The maximum number of combinations of type and region of a month, each
    ///     counted twice.
    ///   - threads: The maximum number of threads.
    /// - Complexity: O(*m* *s*²) for *m* months of *s* combinations.
    public init(
        _ cube: [KPICell],
        threshold: Int,
        slotLimit: Int = SuppressedCube.slotLimit,
        threads: Int = .max
    ) {
        let cells = Dictionary(grouping: cube) { ValueBytes($0.month) }
        let names = cells.keys.filter { $0.text != KPICell.all }.sorted()
        months = Parallel.map(names.count, threads: threads) { index in
            let (name, own) = (names[index].text, cells[names[index], default: []])
            return threshold <= 1
                ? SuppressedMonth(whole: name, own)
                : SuppressedMonth(name, own, threshold: threshold, slotLimit: slotLimit)
        }
    }

    /// The sums over the months, each hidden where a month hides its part.
    ///
    /// So they disclose nothing that the months do not. The true sums would disclose a number that
    /// one month hides, and the suppressions against that would differ between generations.
    public var rowsOverMonths: [SuppressedMonth.Row] {
        let rows = months.map { month in
            Dictionary(uniqueKeysWithValues: month.rows.map { ($0.key, $0.values) })
        }
        return Set(rows.flatMap(\.keys)).sorted().map { key in
            let parts = zip(months, rows).map { month, rows in
                rows[key] ?? month.valuesBesideRows(key)
            }
            return SuppressedMonth.Row(
                tripType: key.tripType.text,
                region: key.region.text,
                values: parts.reduce(SuppressedMonth.Row.zero) { sums, part in
                    zip(sums, part).map { sum, value in
                        sum.flatMap { sum in value.map { sum + $0 } }
                    }
                }
            )
        }
    }
}
