/// A file name as a person orders it: by its numbers and months, the year first.
///
/// Names are ordered as bytes, so that no guess decides a number. This order only tells where a
/// person would have expected another one: `2` before `10`, `sep` before `oct`, `12-2025` before
/// `01-2026`.
struct NaturalOrder: Comparable {
    private enum Part: Comparable {
        case number(Int)
        case text(String)
    }

    private let parts: [Part]

    init(_ name: String) {
        var parts: [Part] = []
        var years: [Part] = []
        for run in Self.runs(name) {
            guard let number = Int(run), run.utf8.count <= 18 else {
                let month = Self.months.firstIndex { run.lowercased().hasPrefix($0) }
                let isMonth = run.count == 3 || Self.longMonths.contains(run.lowercased())
                if let month, isMonth {
                    parts.append(.number(month + 1))
                } else {
                    parts.append(.text(run))
                }
                continue
            }
            let isYear = run.utf8.count == 4 && Self.plausibleYears.contains(number)
            // MMDDYYYY or DDMMYYYY, unless it reads as YYYYMMDD.
            let isYearLast =
                run.utf8.count == 8 && !Self.plausibleYears.contains(number / 10_000)
                && Self.plausibleYears.contains(number % 10_000)
            if isYear {
                years.append(.number(number))
            } else if isYearLast {
                years.append(.number(number % 10_000))
                parts.append(.number(number / 10_000))
            } else {
                parts.append(.number(number))
            }
        }
        self.parts = years + parts
    }

    static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
        for (first, second) in zip(left.parts, right.parts) where first != second {
            // Names of different words say nothing of an order.
            switch (first, second) {
            case (.number(let first), .number(let second)): return first < second
            default: return false
            }
        }
        return false
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
