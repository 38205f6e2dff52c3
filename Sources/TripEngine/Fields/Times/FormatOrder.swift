/// The order in which the parts of a time are written.
enum FormatOrder {
    /// Checks that every part stands where it can be meant.
    ///
    /// - Parameter parts: The parts of a format.
    /// - Throws: ``PatternFault`` about the first part that stands twice, is missing, or follows
    ///   another one than it must.
    static func check(_ parts: [TimeFormat.Part]) throws(PatternFault) {
        let fields = parts.filter(\.isField)
        try checkCounts(fields)
        for (index, field) in fields.enumerated() {
            let before = index > 0 ? fields[index - 1] : nil
            guard let fault = fault(field, after: before) else { continue }
            throw PatternFault(characterNumber: 1, message: fault)
        }
        // A reader of `07:08Z` means an instant; as a literal, the letter would be passed over.
        let isZulu = zip(parts, parts.dropFirst()).contains { part, next in
            part.isOfClock && next == .literal(UInt8(ascii: "Z"))
        }
        guard !isZulu || fields.contains(.offset) else {
            throw PatternFault(
                characterNumber: 1,
                message: "a literal Z after the time, which says that it is UTC and would be read "
                    + "as local"
            )
        }
        guard fields.contains(.hour12) == fields.contains(.dayHalf) else {
            throw PatternFault(
                characterNumber: 1,
                message: fields.contains(.hour12)
                    ? "a 12-hour clock (h) without AM or PM (a)"
                    : "AM or PM (a) without a 12-hour clock (h)"
            )
        }
    }

    private static func checkCounts(_ fields: [TimeFormat.Part]) throws(PatternFault) {
        let kinds = Dictionary(grouping: fields, by: \.name)
        // In the order of the format, so that the same fault is reported every time.
        if let twice = fields.first(where: { (kinds[$0.name]?.count ?? 0) > 1 }) {
            throw PatternFault(
                characterNumber: 1,
                message: "the \(twice.name) (\(twice.letter)) twice"
            )
        }
        for part in [TimeFormat.Part.year4, .month, .day] where kinds[part.name] == nil {
            throw PatternFault(
                characterNumber: 1,
                message: "a format without year (y), month (M) or day (d)"
            )
        }
    }

    private static func fault(
        _ field: TimeFormat.Part,
        after before: TimeFormat.Part?
    ) -> String? {
        let isAfterHour = before == .hour24 || before == .hour12
        switch field {
        case .minute where !isAfterHour:
            return "minutes (m) that do not follow the hour (H or h)"
        case .month where isAfterHour, .monthName where isAfterHour:
            return "the month (M) right after the hour, where minutes (m) stand"
        case .second where before != .minute:
            return "seconds (s) that do not follow the minutes (m)"
        case .fraction where before != .second:
            return "a fraction of a second (S) that does not follow the seconds (s)"
        default: return nil
        }
    }
}

extension TimeFormat.Part {
    /// Whether the part is read as a value, and is no literal.
    var isField: Bool { if case .literal = self { false } else { true } }

    /// Whether it is read as digits.
    var isNumber: Bool {
        switch self {
        case .year4, .year2, .month, .day, .hour24, .hour12, .minute, .second, .fraction: true
        case .monthName, .dayHalf, .offset, .literal: false
        }
    }

    /// Whether it is a part of the time of the day.
    var isOfClock: Bool {
        switch self {
        case .hour24, .hour12, .minute, .second, .fraction, .dayHalf: true
        default: false
        }
    }

    /// What it is called in messages; parts of one name may not stand together.
    var name: String {
        switch self {
        case .year4, .year2: "year"
        case .month, .monthName: "month"
        case .day: "day"
        case .hour24, .hour12: "hour"
        case .minute: "minute"
        case .second: "second"
        case .fraction: "fraction"
        case .dayHalf: "half of the day"
        case .offset: "offset"
        case .literal: "mark"
        }
    }

    /// The letter it is written with.
    var letter: String {
        switch self {
        case .year4, .year2: "y"
        case .month, .monthName: "M"
        case .day: "d"
        case .hour24: "H"
        case .hour12: "h"
        case .minute: "m"
        case .second: "s"
        case .fraction: "S"
        case .dayHalf: "a"
        case .offset: "Z"
        case .literal: ""
        }
    }
}
