import TripDomain
import TripEngine

/// The ways of writing days and times that are tried, and how many texts of a column each reads.
struct TimeReading: Sendable {
    /// The formats, the first that fits being taken.
    let formats: [String]
    /// The records whose cell they read.
    let readCount: Int
    /// Whether they read a time of the day.
    let hasTime: Bool
    /// The same format with day and month exchanged, where it reads every cell as well.
    let twin: String?
    /// Whether cells are written for UTC, so that the month depends on the zone.
    let hasInstants: Bool
    /// Whether a weekday stands before each day, which the formats leave out.
    let isBehindWeekday: Bool

    /// The pattern that takes what stands behind a weekday; nil where there is none.
    var take: String? { isBehindWeekday ? "[A-Za-z]+[,.]? +(.+)" : nil }

    /// Ways to write a day; month before day first, as in the US.
    static let days = [
        "M/d/yyyy", "d/M/yyyy", "M/d/yy", "d/M/yy", "M-d-yyyy", "d-M-yyyy", "d.M.yyyy", "d.M.yy",
        "yyyy/M/d", "yyyy.M.d", "yyyyMMdd", "d-MMM-yyyy", "d-MMM-yy", "d MMM yyyy", "MMM d yyyy",
        "MMM d, yyyy", "dMMMyyyy",
    ]
    /// Ways to write a time of the day.
    static let times = ["H:mm", "H:mm:ss", "h:mm a", "h:mm:ss a", "H:mm:ss.S", "HHmm", "HHmmss"]
    /// Ways to write both in one cell.
    private static let stamps =
        days.flatMap { day in times.map { "\(day) \($0)" } }
        + [
            "yyyyMMddHHmm", "yyyyMMddHHmmss", "M/d/yyyy h:mma", "yyyy-MM-dd h:mm a",
            "yyyy-MM-dd H:mm",
        ]
        + ["yyyy-MM-dd H:mm:ss", "yyyy-MM-dd h:mm:ss a"]
    /// More formats of one field make a pipeline that reads anything.
    private static let formatCountMax = 3
    /// The texts that a format is first tried on.
    private static let trialCount = 64

    /// Looks at the cells of a column.
    ///
    /// - Parameter column: The column.
    /// - Returns: The formats; nil where they do not read half of the cells together.
    static func find(in column: SampleColumn) -> TimeReading? {
        find(in: column, behindWeekday: false) ?? find(in: column, behindWeekday: true)
    }

    private static func find(in column: SampleColumn, behindWeekday: Bool) -> TimeReading? {
        let trial = Trial(column, limit: trialCount, behindWeekday)
        guard trial.filledCount > 0 else { return nil }
        let names = [TimeFormat.iso8601Name] + days + stamps
        // Of days that are written in three ways the most frequent is a third.
        let likely = names.filter { trial.count($0) * (formatCountMax + 1) > trial.filledCount }
        guard !likely.isEmpty else { return nil }
        var whole = Trial(column, limit: .max, behindWeekday)
        let counts = likely.map { (name: $0, count: whole.count($0)) }
        // Of equal counts the first is taken, so that no result depends on a sorting.
        var best = counts.first
        for one in counts where one.count > (best?.count ?? 0) { best = one }
        guard let best, best.count > 0 else { return nil }
        whole.needsTime = whole.hasTimes(best.name)
        var formats = [best.name]
        var rest = whole.unread(by: formats)
        while rest.filledCount > 0, formats.count < formatCountMax {
            let further = names.map { ($0, rest.count($0)) }.filter { $0.1 > 0 }
                .max { $0.1 < $1.1 }
            guard let further, !whole.areDifferent(formats, further.0) else { break }
            formats.append(further.0)
            rest = whole.unread(by: formats)
        }
        guard (whole.filledCount - rest.filledCount) * 2 > whole.filledCount else { return nil }
        let (twin, count) = (exchanged(best.name), whole.count(best.name))
        return TimeReading(
            formats: formats,
            readCount: whole.filledCount - rest.filledCount,
            hasTime: whole.needsTime,
            twin: twin.flatMap { whole.count($0) == count ? $0 : nil },
            hasInstants: whole.hasInstants(formats),
            isBehindWeekday: behindWeekday
        )
    }

    /// A format with day and month exchanged; nil where it names the month or begins with the year.
    static func exchanged(_ format: String) -> String? {
        for (one, other) in [("M/d", "d/M"), ("M-d", "d-M")] {
            if format.hasPrefix(one) { return other + format.dropFirst(3) }
            if format.hasPrefix(other) { return one + format.dropFirst(3) }
        }
        return nil
    }

    /// The formats of time that read the cells of a column that holds no day.
    ///
    /// - Parameter column: The column.
    /// - Returns: The format that reads most, and the codes of the texts it reads; nil where none
    ///   reads 98 of 100: the records of the others would be set aside.
    static func timeOfDay(in column: SampleColumn) -> (format: String, reads: [Bool])? {
        var best: (format: String, reads: [Bool], count: Int)?
        for time in times {
            let reads = flags(of: column, format: "yyyy-MM-dd " + time, prefix: "2026-01-01 ")
            let count = zip(reads, column.counts).reduce(0) { $0 + ($1.0 ? $1.1 : 0) }
            if count > (best?.count ?? 0) { best = (time, reads, count) }
        }
        guard let best, best.count * 100 >= column.filledCount * 98 else { return nil }
        return (best.format, best.reads)
    }

    /// For each code of a column, whether a format reads its text.
    static func flags(
        of column: SampleColumn,
        format: String,
        prefix: String = "",
        behindWeekday: Bool = false
    ) -> [Bool] {
        // The formats are those of this file, which can all be read.
        guard let format = try? TimeFormat(format) else { return [] }
        var flags = [false]
        column.forEachText { text, _ in
            let whole = Array(prefix.utf8) + (behindWeekday ? Weekday.rest(of: text) : Array(text))
            flags.append(whole.withUnsafeBufferPointer { format.plausible($0) != nil })
        }
        return flags
    }
}

/// The texts of a column with the number of records that have each.
private struct Trial {
    private var texts: [(text: [UInt8], count: Int)] = []
    private(set) var filledCount = 0
    /// Whether a day alone does not count as read.
    var needsTime = false

    init(_ column: SampleColumn, limit: Int, _ behindWeekday: Bool) {
        column.forEachText(limit: limit) { text, count in
            guard ColumnProfile.nullWord(text) == nil else { return }
            texts.append((behindWeekday ? Weekday.rest(of: text) : Array(text), count))
            filledCount += count
        }
    }

    private static func format(_ name: String) -> TimeFormat? {
        // A format that is none reads nothing.
        try? TimeFormat(name)
    }

    func count(_ name: String) -> Int {
        guard let format = Self.format(name) else { return 0 }
        return texts.reduce(0) { sum, one in
            sum + (reading(one.text, [format]) == nil ? 0 : one.count)
        }
    }

    /// The texts that none of some formats reads.
    func unread(by names: [String]) -> Trial {
        let formats = names.compactMap(Self.format)
        var rest = self
        rest.texts = texts.filter { reading($0.text, formats) == nil }
        rest.filledCount = rest.texts.reduce(0) { $0 + $1.count }
        return rest
    }

    /// Whether a further format reads a text otherwise than the others.
    func areDifferent(_ names: [String], _ further: String) -> Bool {
        let formats = names.compactMap(Self.format)
        guard let other = Self.format(further) else { return true }
        return texts.contains { one in
            guard let first = reading(one.text, formats), let second = reading(one.text, [other])
            else { return false }
            return first != second
        }
    }

    /// Whether most of the texts that a format reads hold a time of the day.
    func hasTimes(_ name: String) -> Bool {
        guard let format = Self.format(name) else { return false }
        func count(needsTime: Bool) -> Int {
            texts.count { one in
                one.text.withUnsafeBufferPointer { format.read($0, needsTime: needsTime) } != nil
            }
        }
        return count(needsTime: true) * 2 > count(needsTime: false)
    }

    func hasInstants(_ names: [String]) -> Bool {
        let formats = names.compactMap(Self.format)
        return texts.contains { reading($0.text, formats)?.clock == .instant }
    }

    /// What the first format that reads a text makes of it.
    private func reading(_ text: [UInt8], _ formats: [TimeFormat]) -> TimeFormat.Reading? {
        text.withUnsafeBufferPointer { text in
            formats.lazy.compactMap { $0.plausible(text, needsTime: needsTime) }.first
        }
    }
}

extension TimeFormat {
    /// The years a run takes for a pick-up: 1900 to 2199.
    private static let plausibleSeconds: Range<Int64> = -2_208_988_800..<7_258_118_400

    /// The day or time that a text stands for; nil where it is none that a pick-up could have.
    fileprivate func plausible(
        _ text: UnsafeBufferPointer<UInt8>,
        needsTime: Bool = false
    ) -> Reading? {
        guard let reading = read(text, needsTime: needsTime),
            Self.plausibleSeconds.contains(reading.seconds)
        else { return nil }
        return reading
    }
}
