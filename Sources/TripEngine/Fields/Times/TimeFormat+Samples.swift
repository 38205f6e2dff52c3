import TripDomain

/// Two formats of one field: the first that fits a text reads it, so that a text which both read
/// has the meaning of the first, whatever its sender meant.
extension TimeFormat {
    /// A text that two formats read as different times.
    public struct Conflict: Sendable, Hashable {
        /// The text.
        public let text: String
        /// What the first of the formats reads, as `YYYY-MM-DD HH:MM:SS`.
        public let first: String
        /// What the other reads.
        public let second: String
    }

    /// Finds a text that this format and a later one read differently.
    ///
    /// - Parameters:
    ///   - other: The later format of the same field.
    ///   - needsTime: Whether the field needs the time of the day.
    /// - Returns: The first such text of some samples written in either format; nil where both
    ///   formats read all of these alike, or one of them does not read them.
    public func conflict(with other: TimeFormat, needsTime: Bool) -> Conflict? {
        for text in samples + other.samples {
            guard let first = read(text, needsTime: needsTime),
                let second = other.read(text, needsTime: needsTime)
            else { continue }
            let isSame =
                needsTime
                ? first == second
                : CivilTime.date(ofSeconds: first.seconds)
                    == CivilTime.date(ofSeconds: second.seconds)
            guard !isSame else { continue }
            return Conflict(text: text, first: first.text, second: second.text)
        }
        return nil
    }

    private func read(_ text: String, needsTime: Bool) -> Reading? {
        Array(text.utf8).withUnsafeBufferPointer { read($0, needsTime: needsTime) }
    }

    /// Days and times of which no two numbers are equal, so that exchanged parts show.
    private static let moments: [(year: Int, month: Int, day: Int, hour: Int, minute: Int)] = [
        (2026, 4, 3, 9, 8), (2026, 11, 10, 17, 36), (2005, 4, 3, 1, 2), (2011, 10, 12, 22, 47),
    ]

    /// Texts in this format: some moments, with and without zeros before single digits.
    private var samples: [String] {
        let forms = parts.isEmpty ? Self.isoForms : [parts]
        return Self.moments.flatMap { moment in
            forms.flatMap { form in
                [true, false].map { isPadded in
                    form.map { Self.text(of: $0, moment, isPadded: isPadded) }.joined()
                }
            }
        }
    }

    /// The forms of `iso8601` as parts.
    private static let isoForms = [
        "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mmZ",
    ].compactMap { text in
        // These forms are in order.
        (try? TimeFormat(text))?.parts
    }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func text(
        of part: Part,
        _ moment: (year: Int, month: Int, day: Int, hour: Int, minute: Int),
        isPadded: Bool
    ) -> String {
        func digits(_ value: Int, padded: Bool) -> String {
            padded && value < 10 ? "0\(value)" : "\(value)"
        }
        return switch part {
        case .year4: String(moment.year)
        case .year2: digits(moment.year % 100, padded: true)
        case .month: digits(moment.month, padded: isPadded)
        case .monthName: monthNames[moment.month - 1]
        case .day: digits(moment.day, padded: isPadded)
        case .hour24: digits(moment.hour, padded: isPadded)
        case .hour12: digits((moment.hour + 11) % 12 + 1, padded: isPadded)
        case .minute: digits(moment.minute, padded: true)
        case .second: "05"
        case .fraction: "0"
        case .dayHalf: moment.hour < 12 ? "AM" : "PM"
        case .offset: "Z"
        case .literal(let byte): String(UnicodeScalar(byte))
        }
    }
}

extension TimeFormat.Reading {
    /// The time as written, and its clock where that is not the local one.
    fileprivate var text: String {
        let time = CivilTime.text(ofSeconds: seconds)
        return switch clock {
        case .local: time
        case .instant: time + " UTC"
        case .offset(let seconds): time + " at \(seconds) s from UTC"
        }
    }
}
