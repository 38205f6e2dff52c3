/// One modifier of a date function, such as `+1 month`.
enum DateModifier: Sendable, Hashable {
    /// A part of the calendar.
    enum Unit: String, Sendable, CaseIterable {
        case second, minute, hour, day, month, year

        /// SQLite refuses counts at or beyond this limit, which it keeps as a C float.
        fileprivate var limit: Float {
            switch self {
            case .second: 4.6427e+14
            case .minute: 7.7379e+12
            case .hour: 1.2897e+11
            case .day: 5_373_485
            case .month: 176_546
            case .year: 14_713
            }
        }

        /// The length in seconds of the units that have a fixed one.
        fileprivate var seconds: Double {
            switch self {
            case .second: 1
            case .minute: 60
            case .hour: 3600
            case .day, .month, .year: 86_400
            }
        }
    }

    /// `start of month`, `start of year`, `start of day`.
    case startOf(Unit)
    /// `weekday N`, 0 being Sunday.
    case weekday(Int)
    /// `+N days` and the like.
    case add(Int64, Unit)

    /// Reads a modifier as written in a rule; nil where it is not supported.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 3 where words[0] == "start" && words[1] == "of":
            guard let unit = Unit(rawValue: String(words[2])),
                unit == .day || unit == .month || unit == .year
            else { return nil }
            self = .startOf(unit)
        case 2 where words[0] == "weekday":
            guard words[1].utf8.count == 1, let day = Int(words[1]), day < 7 else { return nil }
            self = .weekday(day)
        case 2:
            var name = words[1]
            if name.hasSuffix("s") { name = name.dropLast() }
            guard words[0].utf8.count <= 16, let count = Int64(words[0]),
                let unit = Unit(rawValue: String(name)), Double(abs(count)) < Double(unit.limit)
            else { return nil }
            self = .add(count, unit)
        default: return nil
        }
    }

    /// Applies the step.
    ///
    /// - Parameter moment: What is moved.
    /// - Returns: Whether the result can still be counted.
    func apply(to moment: inout DateMoment) -> Bool {
        switch self {
        case .startOf(let unit): moment.moveToStart(of: unit)
        case .weekday(let day): moment.moveToWeekday(day)
        case .add(let count, .month): moment.add(months: Int(count))
        case .add(let count, .year): moment.add(years: Int(count))
        case .add(let count, let unit):
            // In doubles, as SQLite does it: only counts beyond all calendars round at all.
            moment.add(
                milliseconds: Int64(
                    Double(count) * 1000.0 * unit.seconds + (count < 0 ? -0.5 : 0.5)
                )
            )
        }
    }
}
