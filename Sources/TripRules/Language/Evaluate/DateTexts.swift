internal import TripDomain

/// Turns columns of days and seconds into the texts that rules read.
enum DateTexts {
    /// Days further apart than this are found by hash instead of by a table.
    private static let tableLimit = 1 << 16

    /// A column of dates as texts: each distinct day once.
    static func dates(_ days: IntegerColumn) -> TextColumn {
        var pool = TextPool()
        var codes = [UInt32](repeating: 0, count: days.values.count)
        var scratch: [UInt8] = []
        func add(_ day: Int64) -> UInt32 {
            scratch.removeAll(keepingCapacity: true)
            appendDate(day, to: &scratch)
            return pool.append(scratch[...])
        }
        var known: [Int64: UInt32] = [:]
        let low = days.values.min() ?? 0
        let (width, isTooWide) = (days.values.max() ?? 0).subtractingReportingOverflow(low)
        if !isTooWide && width < tableLimit {
            var table = [UInt32](repeating: 0, count: Int(width) + 1)
            for (row, day) in days.values.enumerated() where !days.isNull(row) {
                let index = Int(day - low)
                if table[index] == 0 { table[index] = add(day) }
                codes[row] = table[index]
            }
        } else {
            for (row, day) in days.values.enumerated() where !days.isNull(row) {
                let code = known[day] ?? add(day)
                known[day] = code
                codes[row] = code
            }
        }
        return TextColumn(codes: codes, pool: pool)
    }

    /// A column of time stamps as texts: an entry per row, because they hardly ever repeat.
    static func timestamps(_ seconds: IntegerColumn) -> TextColumn {
        var pool = TextPool()
        let count = seconds.values.count
        pool.reserveCapacity(entries: count + 1, bytes: count * 19)
        var codes = [UInt32](repeating: 0, count: count)
        var scratch: [UInt8] = []
        for (row, value) in seconds.values.enumerated() where !seconds.isNull(row) {
            scratch.removeAll(keepingCapacity: true)
            appendTimestamp(value, to: &scratch)
            codes[row] = pool.append(scratch[...])
        }
        return TextColumn(codes: codes, pool: pool)
    }

    /// Appends `YYYY-MM-DD`.
    static func appendDate(_ day: Int64, to text: inout [UInt8]) {
        let (year, month, dayOfMonth) = CivilDate(dayNumber: Int32(clamping: day)).parts
        append(year / 100, to: &text)
        append(year % 100, to: &text)
        text.append(UInt8(ascii: "-"))
        append(month, to: &text)
        text.append(UInt8(ascii: "-"))
        append(dayOfMonth, to: &text)
    }

    /// Appends `YYYY-MM-DD HH:MM:SS`.
    static func appendTimestamp(_ seconds: Int64, to text: inout [UInt8]) {
        let day = CivilTime.floorDivide(seconds, CivilTime.daySeconds)
        let ofDay = Int(seconds - day * CivilTime.daySeconds)
        appendDate(day, to: &text)
        text.append(UInt8(ascii: " "))
        append(ofDay / 3600, to: &text)
        text.append(UInt8(ascii: ":"))
        append(ofDay / 60 % 60, to: &text)
        text.append(UInt8(ascii: ":"))
        append(ofDay % 60, to: &text)
    }

    private static func append(_ twoDigits: Int, to text: inout [UInt8]) {
        text.append(UInt8(truncatingIfNeeded: 0x30 + twoDigits / 10))
        text.append(UInt8(truncatingIfNeeded: 0x30 + twoDigits % 10))
    }

    /// The days of the years 0 to 9999, whose texts are ordered as their numbers are.
    private static let dayLimits: ClosedRange<Int64> = -719_528...2_932_896

    /// The first day or second whose text is not less than the given one.
    ///
    /// Texts of one form are ordered as the numbers they stand for, so that comparing a date with a
    /// constant needs no text per trip.
    ///
    /// - Parameters:
    ///   - text: Any text, a date or not.
    ///   - isTimestamp: Whether the numbers are seconds instead of days.
    /// - Returns: The number, one past the year 9999 where no text is so great; and whether its
    ///   text is the given one.
    static func threshold(_ text: [UInt8], isTimestamp: Bool) -> (number: Int64, isEqual: Bool) {
        let perDay = isTimestamp ? CivilTime.daySeconds : 1
        var low = dayLimits.lowerBound * perDay
        var high = (dayLimits.upperBound + 1) * perDay
        func written(_ number: Int64) -> [UInt8] {
            var bytes: [UInt8] = []
            if isTimestamp {
                appendTimestamp(number, to: &bytes)
            } else {
                appendDate(number, to: &bytes)
            }
            return bytes
        }
        let end = high
        while low < high {
            let middle = CivilTime.floorDivide(low + high, 2)
            if written(middle).lexicographicallyPrecedes(text) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return (low, low < end && written(low) == text)
    }
}
