/// Reads the texts that SQLite's date functions take as a moment.
///
///     YYYY-MM-DD   YYYY-MM-DD HH:MM   YYYY-MM-DDTHH:MM:SS.SSS   HH:MM:SS   …+HH:MM   …Z
///     2460000.5    a Julian day number
enum DateReading {
    /// A time of day, and the zone its text names.
    struct Clock {
        var hour = 0
        var minute = 0
        var second = 0.0
        /// Minutes east of UTC.
        var zone = 0
    }

    /// The moment a text means; nil where it means none.
    ///
    /// The word `now` means none: a rule must give the same answer tomorrow.
    static func moment(_ text: Span<UInt8>) -> DateMoment? {
        let end = TextFunctions.countToNUL(text)
        if let moment = fullDate(text, end) { return moment }
        if let clock = clock(text, 0, end) { return DateMoment(date: nil, clock: clock) }
        let number = NumberReading.real(text.extracting(0..<end))
        return number.isWhole ? DateMoment(julianDay: number.value) : nil
    }

    private static func fullDate(_ text: Span<UInt8>, _ end: Int) -> DateMoment? {
        let isNegative = byte(text, 0, end) == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard let year = digits(text, start, 4, 0...9999, end),
            byte(text, start + 4, end) == UInt8(ascii: "-"),
            let month = digits(text, start + 5, 2, 1...12, end),
            byte(text, start + 7, end) == UInt8(ascii: "-"),
            let day = digits(text, start + 8, 2, 1...31, end)
        else { return nil }
        var offset = start + 10
        while let next = byte(text, offset, end),
            NumberReading.isSpace(next) || next == UInt8(ascii: "T")
        {
            offset += 1
        }
        let clock = clock(text, offset, end)
        guard clock != nil || offset == end else { return nil }
        var moment = DateMoment(date: (isNegative ? -year : year, month, day), clock: clock)
        if let clock, clock.zone != 0 {
            // The year is in range of what can be counted, so this cannot fail.
            guard moment.computeJulian() else { return nil }
        }
        return moment
    }

    private static func clock(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Clock? {
        var clock = Clock()
        guard let hour = digits(text, start, 2, 0...24, end),
            byte(text, start + 2, end) == UInt8(ascii: ":"),
            let minute = digits(text, start + 3, 2, 0...59, end)
        else { return nil }
        clock.hour = hour
        clock.minute = minute
        var offset = start + 5
        if byte(text, offset, end) == UInt8(ascii: ":") {
            guard let second = digits(text, offset + 1, 2, 0...59, end) else { return nil }
            offset += 3
            clock.second = Double(second) + fraction(text, &offset, end)
        }
        guard let zone = zone(text, offset, end) else { return nil }
        clock.zone = zone
        return clock
    }

    private static func fraction(_ text: Span<UInt8>, _ offset: inout Int, _ end: Int) -> Double {
        guard byte(text, offset, end) == UInt8(ascii: "."), digit(text, offset + 1, end) != nil
        else { return 0 }
        offset += 1
        var value = 0.0
        var scale = 1.0
        while let digit = digit(text, offset, end) {
            value = value * 10.0 + Double(digit)
            scale *= 10.0
            offset += 1
        }
        return value / scale
    }

    /// The zone in minutes that ends a text; nil where it ends otherwise.
    private static func zone(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var offset = skipSpaces(text, start, end)
        guard let sign = byte(text, offset, end) else { return 0 }
        var minutes = 0
        offset += 1
        switch sign {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): break
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard let hour = digits(text, offset, 2, 0...14, end),
                byte(text, offset + 2, end) == UInt8(ascii: ":"),
                let minute = digits(text, offset + 3, 2, 0...59, end)
            else { return nil }
            minutes = (hour * 60 + minute) * (sign == UInt8(ascii: "-") ? -1 : 1)
            offset += 5
        default: return nil
        }
        return skipSpaces(text, offset, end) == end ? minutes : nil
    }

    private static func skipSpaces(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        var offset = start
        while let next = byte(text, offset, end), NumberReading.isSpace(next) { offset += 1 }
        return offset
    }

    private static func byte(_ text: Span<UInt8>, _ offset: Int, _ end: Int) -> UInt8? {
        offset < end ? text[offset] : nil
    }

    private static func digit(_ text: Span<UInt8>, _ offset: Int, _ end: Int) -> Int? {
        guard offset < end, text[offset] >= 0x30, text[offset] <= 0x39 else { return nil }
        return Int(text[offset] - 0x30)
    }

    /// A number of exactly so many digits within a range.
    private static func digits(
        _ text: Span<UInt8>,
        _ start: Int,
        _ count: Int,
        _ allowed: ClosedRange<Int>,
        _ end: Int
    ) -> Int? {
        var value = 0
        for offset in start..<start + count {
            guard let digit = digit(text, offset, end) else { return nil }
            value = value * 10 + digit
        }
        return allowed.contains(value) ? value : nil
    }
}
