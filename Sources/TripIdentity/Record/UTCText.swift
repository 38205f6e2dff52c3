import Glibc

/// A second of UTC as `2026-11-23T15:04:05Z`, and back.
public enum UTCText {
    /// The second as text.
    public static func text(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return day + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    /// The day of a second as text, `2026-11-23`.
    public static func day(_ seconds: Int64) -> String { String(text(seconds).prefix(10)) }

    /// The minute of a second for people, `2026-11-23 15:04 UTC`.
    public static func minute(_ seconds: Int64) -> String {
        let text = Self.text(seconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    /// The first second of a day, `2026-11-23`; nil where the text is not a day.
    public static func seconds(ofDay day: String) -> Int64? { seconds(day + "T00:00:00Z") }

    /// The second of a text; nil where it is not exactly what ``text(_:)`` makes of some second.
    static func seconds(_ text: some StringProtocol) -> Int64? {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
        guard numbers.count == 6, text.utf8.count == 20 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
            numbers[0] - 1900, numbers[1] - 1, numbers[2]
        )
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        let seconds = Int64(timegm(&parts))
        return Self.text(seconds) == text ? seconds : nil
    }
}
