/// Seconds since 1970-01-01 00:00:00 on some clock: a facility's own, or UTC.
public enum CivilTime {
    /// Seconds in a day; leap seconds do not occur on these clocks.
    public static let daySeconds: Int64 = 86_400

    /// The day a local time stamp falls on.
    ///
    /// A time stamp beyond the range of ``CivilDate`` gives the first or the last date of it.
    public static func date(ofSeconds seconds: Int64) -> CivilDate {
        CivilDate(dayNumber: Int32(clamping: floorDivide(seconds, daySeconds)))
    }

    /// `YYYY-MM-DD HH:MM:SS`.
    ///
    /// A time beyond the range of ``CivilDate`` is printed with the first or the last date of it.
    public static func text(ofSeconds seconds: Int64) -> String {
        let date = date(ofSeconds: seconds)
        let rest = Int(seconds % daySeconds)
        let second = rest < 0 ? rest + Int(daySeconds) : rest
        let clockSize = 9
        return String(upTo: String.smallSize + clockSize) { writer in
            date.write(&writer)
            writer.put(0x20)
            writer.put(decimal: second / 3600, width: 2)
            writer.put(0x3A)
            writer.put(decimal: second / 60 % 60, width: 2)
            writer.put(0x3A)
            writer.put(decimal: second % 60, width: 2)
        }
    }

    /// Integer division that rounds towards negative infinity.
    public static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
