/// What a person reads of two file names: which of them is the earlier, by numbers and months, the
/// year first.
///
/// Names are ordered as bytes, so that no guess decides a number. This only tells where a person
/// would have expected another order, `2` before `10`, `sep` before `oct`, `12-2025` before
/// `01-2026`, `31-08-2026` before `01-09-2026`, and where names tell none, as `oct` and
/// `oct_final` do.
enum NaturalOrder {
    /// What two names tell.
    enum Answer {
        /// The first is the earlier one.
        case before
        /// The first is the later one.
        case after
        /// Nothing.
        case unknown
    }

    private enum Part: Equatable {
        case number(Int)
        case text(String)
    }

    /// Compares two names.
    static func read(_ first: String, _ second: String) -> Answer {
        let (left, right) = (runs(first), runs(second))
        // A day of two digits, a month, a year of two digits may as well be a year, a month, a day.
        guard !hasShortDate(left), !hasShortDate(right) else { return .unknown }
        let isDayFirst = showsDayFirst(left) || showsDayFirst(right)
        let (one, other) = (parts(left, isDayFirst), parts(right, isDayFirst))
        for (part, counterpart) in zip(one, other) where part != counterpart {
            guard case .number(let number) = part, case .number(let second) = counterpart else {
                return .unknown
            }
            return number < second ? .before : .after
        }
        let rest = one.count < other.count ? other[one.count...] : one[other.count...]
        let hasWord = rest.contains { part in
            if case .text(let text) = part { return text.unicodeScalars.contains(where: isLetter) }
            return false
        }
        guard !rest.isEmpty, !hasWord else { return .unknown }
        return one.count < other.count ? .before : .after
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic
    }

    /// The numbers and words of a name, its years first and days behind their month.
    private static func parts(_ runs: [String], _ isDayFirst: Bool) -> [Part] {
        var parts: [Part] = []
        var years: [Part] = []
        for (index, run) in runs.enumerated() {
            guard let number = Int(run), run.utf8.count <= 18 else {
                parts.append(word(run))
                continue
            }
            // MMDDYYYY or DDMMYYYY, unless it reads as YYYYMMDD.
            if isYearLast(run, number) {
                years.append(.number(number % 10_000))
                let days = number / 10_000
                parts.append(.number(isDayFirst ? days % 100 * 100 + days / 100 : days))
            } else if run.utf8.count == 4, plausibleYears.contains(number) {
                years.append(.number(number))
                // The day and the month before it.
                if isDayFirst, isDate(runs, endingAt: index), parts.count >= 4 {
                    parts.swapAt(parts.count - 4, parts.count - 2)
                }
            } else {
                parts.append(.number(number))
            }
        }
        return years + parts
    }

    private static func word(_ run: String) -> Part {
        let month = months.firstIndex { run.lowercased().hasPrefix($0) }
        guard let month, run.count == 3 || longMonths.contains(run.lowercased()) else {
            return .text(run)
        }
        return .number(month + 1)
    }

    private static func isYearLast(_ run: String, _ number: Int) -> Bool {
        run.utf8.count == 8 && !plausibleYears.contains(number / 10_000)
            && plausibleYears.contains(number % 10_000)
    }

    /// Whether two numbers of at most two digits and a year end at a run, one mark between them.
    private static func isDate(_ runs: [String], endingAt index: Int) -> Bool {
        guard index >= 4, runs[index - 1] == runs[index - 3], runs[index - 1].count == 1 else {
            return false
        }
        return [index - 4, index - 2].allSatisfy { Int(runs[$0]) != nil && runs[$0].count <= 2 }
    }

    /// Whether a name has a date whose first number can only be a day.
    private static func showsDayFirst(_ runs: [String]) -> Bool {
        runs.indices.contains { index in
            guard let number = Int(runs[index]) else { return false }
            if isYearLast(runs[index], number) { return number / 1_000_000 > 12 }
            guard runs[index].utf8.count == 4, plausibleYears.contains(number),
                isDate(runs, endingAt: index), let first = Int(runs[index - 4])
            else { return false }
            return first > 12
        }
    }

    /// Whether a name has three numbers of two digits with one mark between them, and no year:
    /// behind a date they are a time of day.
    private static func hasShortDate(_ runs: [String]) -> Bool {
        let hasYear = runs.contains { run in
            guard let number = Int(run) else { return false }
            return run.utf8.count == 4 && plausibleYears.contains(number)
                || run.utf8.count >= 8 && plausibleYears.contains(number / leading(run))
                || isYearLast(run, number)
        }
        return !hasYear
            && runs.indices.contains { index in
                isDate(runs, endingAt: index) && Int(runs[index]) != nil && runs[index].count == 2
            }
    }

    /// What divides the first four digits off a number of eight or more.
    private static func leading(_ run: String) -> Int {
        (4..<min(18, run.utf8.count)).reduce(1) { power, _ in power * 10 }
    }

    private static let plausibleYears = 1990...2099
    private static let longMonths: Set<String> = [
        "january", "february", "march", "april", "june", "july", "august", "september", "sept",
        "october", "november", "december",
    ]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The runs of digits, of letters and of other characters.
    private static func runs(_ name: String) -> [String] {
        var runs: [String] = []
        var kind = -1
        for character in name.unicodeScalars {
            let isDigit = ("0"..."9").contains(character)
            let next = isDigit ? 0 : character.properties.isAlphabetic ? 1 : 2
            if next == kind {
                runs[runs.count - 1].unicodeScalars.append(character)
            } else {
                runs.append(String(character))
            }
            kind = next
        }
        return runs
    }
}
