internal import TripDomain

/// Days and moments.
///
/// Rules read them as texts. Where no step is taken, the parts of a moment are parts of its text;
/// else the text becomes a date of the dialect and a text again.
extension ExpressionSQL {
    /// The first day whose steps are written: further back, a step may leave the year 1, from which
    /// on dates of all dialects have equal texts.
    private static let firstDay = "0101-01-01"
    /// The most days that steps may lead back or forward.
    private static let stepLimit: Int64 = 36_524

    /// date() or strftime().
    mutating func date(
        _ format: DateFormat,
        _ inner: TextNode,
        _ steps: [DateModifier]
    ) throws(SQLRefusal) -> SQLPiece {
        let piece = try text(inner)
        let shape = shape(inner)
        if dialect == .sqlite { return try sqliteDate(format, piece, shape, steps) }
        if shape == .day || shape == .stamp { return try date(format, piece, shape, steps) }
        return try naming(piece) { (writer, text) throws(SQLRefusal) in
            try writer.naming(writer.stamp(ofAny: text)) { (writer, text) throws(SQLRefusal) in
                try writer.date(format, SQLPiece(text), .stamp, steps)
            }
        }
    }

    private mutating func date(
        _ format: DateFormat,
        _ piece: SQLPiece,
        _ shape: TextShape,
        _ steps: [DateModifier]
    ) throws(SQLRefusal) -> SQLPiece {
        guard !steps.isEmpty else { return try written(format, piece, shape) }
        try requireWithinCentury(steps)
        let end = try Self.firstBeyond(steps, shape)
        return try naming(piece) { (writer, text) throws(SQLRefusal) in
            let first = writer.dialect.literal(Self.firstDay)
            let moved = try writer.moved(format, SQLPiece(text), shape, steps[...]).text
            let error = writer.error("date: a step from a day before \(Self.firstDay)")
            let condition =
                end.map { "WHEN \(text) < \(writer.dialect.literal($0)) THEN" } ?? "ELSE"
            return SQLPiece("CASE WHEN \(text) < \(first) THEN \(error) \(condition) \(moved) END")
        }
    }

    /// The time stamp that a text means of which nothing is known.
    ///
    /// A text that SQLite may read in another way, as a time with a zone or a Julian day number,
    /// ends with an error; one that means no moment is NULL.
    private func stamp(ofAny text: String) -> SQLPiece {
        let day = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
        let clock = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
        let number = "[\\t-\\r ]*[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?[\\t-\\r ]*"
        let plain = dialect.literal("^\(day)( \(clock))?\\z")
        let moment = dialect.literal("^(-?\(day)|[0-9]{2}:[0-9]{2}|\(number)\\z)")
        let date = dialect == .spark ? "try_cast" : "TRY_CAST"
        let exists = "\(date)(substr(\(text), 1, 10) AS DATE) IS NOT NULL"
        return SQLPiece(
            "CASE WHEN \(fits(text, plain)) AND \(exists) "
                + "THEN substr(\(text) || ' 00:00:00', 1, 19) WHEN \(fits(text, moment)) "
                + "THEN \(error("date: a text that is no day and no time stamp")) END"
        )
    }

    /// A moment without steps, or one that SQLite reads itself.
    private mutating func sqliteDate(
        _ format: DateFormat,
        _ piece: SQLPiece,
        _ shape: TextShape,
        _ steps: [DateModifier]
    ) throws(SQLRefusal) -> SQLPiece {
        let words = steps.map { SQLPiece(dialect.literal($0.text)) }
        let format = format == .date ? nil : SQLPiece(dialect.literal(format.text))
        func call(_ text: String) -> SQLPiece {
            let values = [format, SQLPiece(text)].compactMap(\.self) + words
            let list = values.map(\.text).joined(separator: ", ")
            return SQLPiece("\(format == nil ? "date" : "strftime")(\(list))")
        }
        guard shape == .any else { return call(piece.text) }
        // A text that says `now` means no moment; SQLite would read the clock.
        return try naming(piece) { (_, text) throws(SQLRefusal) in
            call("CASE WHEN lower(\(text)) <> 'now' THEN \(text) END")
        }
    }

    // MARK: Steps

    /// A moment after some steps, each of which makes a text of the same form.
    private mutating func moved(
        _ format: DateFormat,
        _ base: SQLPiece,
        _ shape: TextShape,
        _ steps: ArraySlice<DateModifier>
    ) throws(SQLRefusal) -> SQLPiece {
        guard let first = steps.first else { return try written(format, base, shape) }
        if first.isBelowDay {
            let run = steps.prefix { $0.isBelowDay }
            let stamp = shifted(base, seconds: run.map(\.seconds).reduce(0, +))
            let rest = steps.dropFirst(run.count)
            return try naming(stamp) { (writer, text) throws(SQLRefusal) in
                try writer.moved(format, SQLPiece(text), .stamp, rest)
            }
        }
        let run = steps.prefix { !$0.isBelowDay }
        var day = SQLPiece(
            "CAST(\(shape == .day ? base.text : "substr(\(base.text), 1, 10)") AS DATE)"
        )
        // The first of a month needs no care for months that are shorter.
        var isFirst = false
        for step in run {
            day = try self.day(day, after: step, isFirst: isFirst)
            isFirst = step.givesFirst(of: isFirst)
        }
        let text = SQLPiece("CAST(\(day.text) AS \(dialect.typeName(.text)))")
        let rest = steps.dropFirst(run.count)
        let hasNoClock = run.contains { if case .startOf = $0 { true } else { false } }
        if shape == .day || hasNoClock || !format.readsClock && rest.isEmpty {
            guard !rest.isEmpty else { return try written(format, text, .day) }
            return try naming(text) { (writer, text) throws(SQLRefusal) in
                try writer.moved(format, SQLPiece(text), .day, rest)
            }
        }
        let stamp = SQLPiece("\(text.text) || substr(\(base.text), 11)", .operation)
        return try naming(stamp) { (writer, text) throws(SQLRefusal) in
            try writer.moved(format, SQLPiece(text), .stamp, rest)
        }
    }

    /// A date of the dialect, moved by a step of whole days.
    private mutating func day(
        _ day: SQLPiece,
        after step: DateModifier,
        isFirst: Bool
    ) throws(SQLRefusal) -> SQLPiece {
        let isSpark = dialect == .spark
        func start(_ unit: String) -> SQLPiece {
            isSpark
                ? SQLPiece("trunc(\(day.text), '\(unit)')")
                : SQLPiece("CAST(date_trunc('\(unit)', \(day.text)) AS DATE)")
        }
        switch step {
        case .startOf(.month): return start("month")
        case .startOf(.year): return start("year")
        case .startOf: return day
        case .weekday(let number):
            return try naming(day) { (_, day) throws(SQLRefusal) in
                let current = isSpark ? "dayofweek(\(day)) - 1" : "dayofweek(\(day))"
                let days = "(\(number + 7) - (\(current))) % 7"
                return isSpark
                    ? SQLPiece("date_add(\(day), \(days))")
                    : SQLPiece("(\(day) + CAST(\(days) AS INTEGER))")
            }
        case .add(let count, .month), .add(let count, .year):
            let months = if case .add(_, .year) = step { count * 12 } else { count }
            func moved(_ day: String) -> String {
                isSpark
                    ? "add_months(\(day), \(months))"
                    : "CAST(\(day) + INTERVAL (\(months)) MONTH AS DATE)"
            }
            guard !isFirst else { return SQLPiece(moved(day.text)) }
            // A day that the month does not have runs over into the next one.
            return try naming(day) { (_, day) throws(SQLRefusal) in
                isSpark
                    ? SQLPiece("date_add(\(moved("trunc(\(day), 'month')")), day(\(day)) - 1)")
                    : SQLPiece(
                        "(\(moved("date_trunc('month', \(day))")) + CAST(day(\(day)) - 1 AS INTEGER))"
                    )
            }
        case .add(let count, _):
            return isSpark
                ? SQLPiece("date_add(\(day.text), \(count))")
                : SQLPiece("(\(day.text) \(count < 0 ? "-" : "+") \(abs(count)))")
        }
    }

    /// The text of a moment, moved by seconds.
    private func shifted(_ base: SQLPiece, seconds: Int64) -> SQLPiece {
        switch dialect {
        case .spark:
            SQLPiece(
                "date_format(CAST(\(base.text) AS TIMESTAMP_NTZ) + INTERVAL '\(seconds)' SECOND, "
                    + "'yyyy-MM-dd HH:mm:ss')"
            )
        default:
            SQLPiece(
                "strftime(CAST(\(base.text) AS TIMESTAMP) + INTERVAL (\(seconds)) SECOND, "
                    + "'%Y-%m-%d %H:%M:%S')"
            )
        }
    }

    private func requireWithinCentury(_ steps: [DateModifier]) throws(SQLRefusal) {
        let back = steps.map(\.daysBack).reduce(0, +)
        let forward = steps.map(\.daysForward).reduce(0, +)
        guard max(back, forward) <= Self.stepLimit else {
            throw SQLRefusal(
                what: "steps by more than 100 years, perhaps to a year before 1 or after 9999",
                remedy: "take shorter steps"
            )
        }
    }

    /// The first day or second from which the steps lead beyond the year 9999; nil where none do.
    ///
    /// Each day that the steps can lead so far is tried, at its first and its last second. Steps of
    /// which a later moment leads less far than an earlier one are refused: no single day tells.
    private static func firstBeyond(
        _ steps: [DateModifier],
        _ shape: TextShape
    ) throws(SQLRefusal) -> String? {
        func isBeyond(_ seconds: Int64) -> Bool {
            let text =
                shape == .day
                ? CivilTime.date(ofSeconds: seconds).text : CivilTime.text(ofSeconds: seconds)
            var result: [UInt8] = []
            return !DateFormat.date.append(Array(text.utf8).span, steps, to: &result)
        }
        let last: Int64 = 2_932_896
        let window = steps.map(\.daysForward).reduce(40, +)
        var first: Int64?
        for day in (last - window)...last {
            for second in [day * 86_400, day * 86_400 + 86_399] {
                let isBeyond = isBeyond(second)
                if isBeyond, first == nil { first = second }
                guard isBeyond || first == nil else {
                    throw SQLRefusal(
                        what: "steps of which a later moment leads less far than an earlier one",
                        remedy: "take steps below a day before others, and months last"
                    )
                }
            }
        }
        guard var high = first else { return nil }
        // The second within the day.
        var low = high - high % 86_400
        while low < high {
            let middle = low + (high - low) / 2
            (low, high) = isBeyond(middle) ? (low, middle) : (middle + 1, high)
        }
        return CivilTime.text(ofSeconds: low).replacing(" 00:00:00", with: "")
    }
}

extension DateModifier {
    /// Whether the step gives the first day of a month.
    fileprivate func givesFirst(of isFirst: Bool) -> Bool {
        switch self {
        case .startOf(.month), .startOf(.year): true
        case .startOf, .add(_, .month), .add(_, .year): isFirst
        default: false
        }
    }

    /// How many seconds a step below a day takes.
    fileprivate var seconds: Int64 {
        switch self {
        case .add(let count, .second): count
        case .add(let count, .minute): count * 60
        case .add(let count, .hour): count * 3600
        default: 0
        }
    }

    /// How many days the step may lead forward, at most.
    fileprivate var daysForward: Int64 {
        switch self {
        case .startOf: 0
        case .weekday: 6
        case .add(let count, let unit): count > 0 ? DateModifier.add(-count, unit).daysBack : 0
        }
    }

    /// How many days the step may lead back, at most.
    fileprivate var daysBack: Int64 {
        switch self {
        case .startOf(.day): 1
        case .startOf(.month): 31
        case .startOf: 366
        case .weekday: 0
        case .add(let count, let unit):
            switch unit {
            case .second, .minute, .hour: count < 0 ? -(seconds / 86_400) + 1 : 0
            case .day: max(0, -count)
            case .month: max(0, -count * 31)
            case .year: max(0, -count * 366)
            }
        }
    }
}
