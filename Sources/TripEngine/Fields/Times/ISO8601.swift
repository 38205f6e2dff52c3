import TripDomain

/// The ISO 8601 profile that exports use; hand-written for speed, since it reads every trip.
enum ISO8601 {
    /// Reads `YYYY-MM-DD`, optionally followed by `T` or a space, `HH:MM[:SS[.fraction]]` and an
    /// offset; nil for anything else and for days and times that do not exist.
    static func read(
        _ text: UnsafeBufferPointer<UInt8>,
        needsTime: Bool
    ) -> TimeFormat.Reading? {
        guard text.count >= 10, text[4] == 0x2D, text[7] == 0x2D,
            let century = twoDigits(text, 0), let yearOfCentury = twoDigits(text, 2),
            let month = twoDigits(text, 5), let day = twoDigits(text, 8),
            let date = CivilDate(year: century * 100 + yearOfCentury, month: month, day: day)
        else { return nil }
        let daySeconds = Int64(date.dayNumber) * CivilTime.daySeconds
        if text.count == 10 {
            return needsTime ? nil : TimeFormat.Reading(seconds: daySeconds, clock: .local)
        }
        guard text.count >= 16, text[10] == 0x54 || text[10] == 0x20 || text[10] == 0x74,
            text[13] == 0x3A, let hour = twoDigits(text, 11), let minute = twoDigits(text, 14),
            hour < 24, minute < 60
        else { return nil }
        var second = 0
        var position = 16
        if position < text.count, text[position] == 0x3A {
            guard position + 3 <= text.count, let read = twoDigits(text, position + 1), read < 60
            else { return nil }
            second = read
            position += 3
            if position < text.count, text[position] == 0x2E || text[position] == 0x2C {
                let start = position + 1
                position = start
                while position < text.count, text[position] &- 0x30 <= 9 { position += 1 }
                guard position > start else { return nil }
            }
        }
        let seconds = daySeconds + Int64(hour * 3600 + minute * 60 + second)
        guard position < text.count else {
            return TimeFormat.Reading(seconds: seconds, clock: .local)
        }
        guard let (offset, size) = offset(UnsafeBufferPointer(rebasing: text[position...])),
            position + size == text.count
        else { return nil }
        return TimeFormat.Reading(seconds: seconds, clock: offset == 0 ? .instant : .offset(offset))
    }

    /// Reads an offset at the start of a text: its seconds east of UTC and its size in bytes.
    static func offset(_ text: UnsafeBufferPointer<UInt8>) -> (seconds: Int32, size: Int)? {
        guard let sign = text.first else { return nil }
        if sign == 0x5A || sign == 0x7A { return (0, 1) }
        guard sign == 0x2B || sign == 0x2D, let hours = twoDigits(text, 1), hours <= 14 else {
            return nil
        }
        var minutes = 0
        var size = 3
        if text.count >= 6, text[3] == 0x3A, let read = twoDigits(text, 4) {
            minutes = read
            size = 6
        } else if text.count >= 5, let read = twoDigits(text, 3) {
            minutes = read
            size = 5
        }
        guard minutes < 60 else { return nil }
        let seconds = Int32(hours * 3600 + minutes * 60)
        return (sign == 0x2D ? -seconds : seconds, size)
    }

    @inline(__always)
    private static func twoDigits(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        guard index + 2 <= text.count else { return nil }
        let tens = text[index] &- 0x30
        let ones = text[index + 1] &- 0x30
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }
}
