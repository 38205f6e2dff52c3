import Glibc
import TripDomain

/// The time of a run: the system's, or the one that a test gives.
public enum RunClock {
    /// Now, in seconds of UTC.
    public static func current() -> Int64 { Int64(time(nil)) }

    /// Reads `YYYY-MM-DDTHH:MM:SSZ` into seconds of UTC; nil for anything else.
    public static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[10] == 0x54, bytes[13] == 0x3A, bytes[16] == 0x3A,
            bytes[19] == 0x5A, let date = CivilDate(text: String(text.prefix(10))),
            let hour = Int(text.dropFirst(11).prefix(2)), hour < 24,
            let minute = Int(text.dropFirst(14).prefix(2)), minute < 60,
            let second = Int(text.dropFirst(17).prefix(2)), second < 60
        else { return nil }
        return Int64(date.dayNumber) * CivilTime.daySeconds
            + Int64(hour * 3600 + minute * 60 + second)
    }
}
