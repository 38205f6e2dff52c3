import TripDomain

/// The cube with small cells suppressed: every month decides by itself what it hides, and over all months there is
/// what the months show.
struct SuppressedCube {
    let months: [SuppressedMonth]

    /// Decides what is hidden.
    ///
    /// - Parameters:
    ///   - cube: All cells of all eight groupings.
    ///   - threshold: The least count that may be shown, beside 0; 0 and 1 hide nothing.
    ///   - slotLimit: The most combinations of type and region of a month, each counted twice.
    ///   - threads: The most threads that decide.
    /// - Complexity: O(*m* *s*²) for *m* months of *s* combinations.
    init(
        _ cube: [KPICell],
        threshold: Int,
        slotLimit: Int = BoundedCube.slotLimit,
        threads: Int = .max
    ) {
        let cells = Dictionary(grouping: cube) { ValueBytes($0.month) }
        let names = cells.keys.filter { $0.text != KPICell.all }.sorted()
        months = Parallel.map(names.count, grain: 1, threads: threads) { place in
            let (name, own) = (names[place].text, cells[names[place], default: []])
            return threshold <= 1
                ? SuppressedMonth(whole: name, own)
                : SuppressedMonth(name, own, threshold: threshold, slotLimit: slotLimit)
        }
    }

    /// Sums over the months, each hidden where a month hides its part.
    ///
    /// So they say nothing that the months do not. The true ones would give a number that one month hides, and what
    /// it takes to prevent that would differ from generation to generation.
    var rowsOverMonths: [SuppressedMonth.Row] {
        let rows = months.map { month in
            Dictionary(uniqueKeysWithValues: month.rows.map { ($0.place, $0.values) })
        }
        return Set(rows.flatMap(\.keys)).sorted().map { place in
            let parts = zip(months, rows).map { month, rows in
                rows[place] ?? month.valuesBesideRows(place)
            }
            return SuppressedMonth.Row(
                tripType: place.tripType.text,
                region: place.region.text,
                values: parts.reduce(SuppressedMonth.Row.zero) { sums, part in
                    zip(sums, part).map { sum, value in
                        sum.flatMap { sum in value.map { sum + $0 } }
                    }
                }
            )
        }
    }
}
