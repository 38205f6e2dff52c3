import TripDomain

/// The earlier months that the open months of a generation are compared with, as they read at the
/// same age.
///
/// Vendors' claims arrive late, so that a young month has too few contracted trips. The same day of
/// the month, or the month as it is now, would be compared with something older.
struct EarlierMonths: Sendable {
    /// One earlier month.
    struct Entry: Sendable {
        let month: Month
        /// The row of the generation it is read from.
        let header: GenerationHeader
        /// Its numbers; nil where they are those of the served generation.
        let numbers: EarlierNumbers?
    }

    /// The number of days by which data of equal age may differ, since exports come a day late.
    static let toleranceDays: Int32 = 3
    /// Generations whose data ended so much earlier than what is looked for end the search.
    private static let marginDays: Int32 = 31

    private let found: [Month: [Entry]]
    /// Equal texts, equal content.
    let mark: String

    /// The months that a month is compared with, the best first.
    static func candidates(of month: Month) -> [Month] {
        [12, 1].map { Month(monthNumber: month.monthNumber - $0) }
    }

    /// Finds the earlier months of a generation in the history files, and reads them.
    ///
    /// - Parameters:
    ///   - header: The generation's own row.
    ///   - open: Its open months.
    ///   - history: The history of its mart.
    /// - Complexity: O(*n*) in the generations of a year; one month of a cube for each comparison.
    init(_ header: GenerationHeader, open: [Month], history: HistoryIndex) {
        let wanted = Self.wanted(header, open)
        guard let earliest = wanted.map(\.day).min() else {
            (found, mark) = ([:], "")
            return
        }
        let entries = history.inForce(
            before: header.number,
            backTo: CivilDate(dayNumber: earliest.dayNumber - Self.marginDays)
        ).filter { $0.isSynthetic == header.isSynthetic }
        var (found, marks) = ([Month: [Entry]](), [String]())
        for (month, earlier, day) in wanted {
            let numbers = Self.nearest(entries, to: day).lazy.compactMap { entry in
                // A damaged file, or one of an older version, leads to the next best.
                try? EarlierNumbers(entry.number, month: earlier, in: history.folder)
            }.first
            guard let numbers else { continue }
            let entry = Entry(month: earlier, header: numbers.header, numbers: numbers)
            found[month, default: []].append(entry)
            marks.append("\(month.text) \(earlier.text) \(numbers.header.number)")
        }
        (self.found, mark) = (found, marks.joined(separator: ","))
    }

    /// For each open month the months it may be compared with, and the day on which the data ended
    /// when they were as old.
    private static func wanted(
        _ header: GenerationHeader,
        _ open: [Month]
    ) -> [(month: Month, earlier: Month, day: CivilDate)] {
        guard let through = header.dataThrough else { return [] }
        return open.flatMap { month in
            let age = through.dayNumber - month.lastDay.dayNumber
            return candidates(of: month).map { earlier in
                (month, earlier, CivilDate(dayNumber: earlier.lastDay.dayNumber + age))
            }
        }
    }

    /// The generations whose data ended on about a day, the nearest first.
    private static func nearest(
        _ entries: [HistoryIndex.Entry],
        to day: CivilDate
    ) -> [HistoryIndex.Entry] {
        func distance(_ entry: HistoryIndex.Entry) -> Int32 {
            entry.dataThrough.map { abs($0.dayNumber - day.dayNumber) } ?? .max
        }
        // Of two generations at the same distance, the later has the corrections made in between.
        return entries.filter { distance($0) <= toleranceDays }
            .sorted { (distance($0), -$0.number) < (distance($1), -$1.number) }
    }

    /// The earlier months of an open month, the best first.
    subscript(month: Month) -> [Entry] { found[month] ?? [] }
}
