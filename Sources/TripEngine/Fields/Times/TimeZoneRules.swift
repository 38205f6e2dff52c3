import TripDomain

/// The offsets of one time zone through time, from a compiled zone file.
///
/// - SeeAlso: RFC 8536 (TZif), versions 2 and later; POSIX `TZ` for times after the last entry.
public struct TimeZoneRules: Sendable {
    /// The zone's name, such as `America/New_York`.
    public let name: String
    /// Instants at which the offset changes, ascending.
    private let transitions: [Int64]
    /// The offset from each transition on, in seconds east of UTC.
    private let offsets: [Int32]
    /// The offset before the first transition.
    private let firstOffset: Int32
    /// The rule for instants after the last transition.
    private let footer: PosixZone?

    /// Reads a compiled zone file of version 2 or later; nil for other bytes.
    ///
    /// - Parameters:
    ///   - name: The zone's name.
    ///   - bytes: The whole file.
    public init?(name: String, bytes: [UInt8]) {
        var reader = ZoneFileReader(bytes)
        guard let first = reader.header(), first.version >= 2 else { return nil }
        reader.position += first.bodySize(timeSize: 4)
        guard let header = reader.header(),
            reader.position + header.bodySize(timeSize: 8) <= bytes.count, header.typeCount > 0
        else { return nil }
        let times = (0..<header.transitionCount).map { _ in reader.integer(8) }
        let kinds = (0..<header.transitionCount).map { _ in Int(reader.byte()) }
        let types = (0..<header.typeCount).map { _ in
            let offset = Int32(truncatingIfNeeded: reader.integer(4))
            _ = reader.byte()
            _ = reader.byte()
            return offset
        }
        guard kinds.allSatisfy({ $0 < types.count }) else { return nil }
        reader.position += header.tailSize
        self.name = name
        transitions = times
        offsets = kinds.map { types[$0] }
        firstOffset = types[0]
        footer = PosixZone(reader.footer())
    }

    /// A zone that never changes.
    public init(name: String, fixedOffset: Int32) {
        self.name = name
        transitions = []
        offsets = []
        firstOffset = fixedOffset
        footer = nil
    }

    /// The offset in force at an instant, in seconds east of UTC.
    ///
    /// - Complexity: O(log *n*) in the zone's transitions.
    public func offset(atUTC seconds: Int64) -> Int32 {
        guard let last = transitions.last else {
            return footer?.offset(atUTC: seconds) ?? firstOffset
        }
        if seconds >= last, let footer { return footer.offset(atUTC: seconds) }
        let next = transitions.partitioningIndex { $0 > seconds }
        return next == 0 ? firstOffset : offsets[next - 1]
    }

    /// The offset at an instant, with a range around it in which the offset does not change.
    ///
    /// The offset may be in force beyond the range.
    ///
    /// - Complexity: O(log *n*) in the zone's transitions.
    func steadyOffset(atUTC seconds: Int64) -> (instants: Range<Int64>, offset: Int32) {
        let last = transitions.last ?? .min
        if seconds >= last, let footer {
            let (instants, offset) = footer.steadyOffset(atUTC: seconds)
            return (instants.clamped(to: last..<Int64.max), offset)
        }
        let next = transitions.partitioningIndex { $0 > seconds }
        return (
            (next == 0 ? .min : transitions[next - 1])..<(next == transitions.count
                ? .max : transitions[next]),
            next == 0 ? firstOffset : offsets[next - 1]
        )
    }

    /// The instant of a local time, in seconds of UTC.
    ///
    /// A time that occurs twice, when clocks are set back, means its first occurrence. A time that
    /// is skipped, when clocks are set forward, is read on the clock before the change.
    public func utc(ofLocal seconds: Int64) -> Int64 {
        let day = CivilTime.daySeconds
        let before = offset(atUTC: seconds - Int64(firstOffset) - day)
        let after = offset(atUTC: seconds - Int64(firstOffset) + day)
        let early = seconds - Int64(before)
        if offset(atUTC: early) == before { return early }
        let late = seconds - Int64(after)
        return offset(atUTC: late) == after ? late : early
    }
}

/// The last line of a zone file: standard and daylight time with the days on which they begin.
struct PosixZone: Sendable {
    /// The *n*-th weekday of a month, or its last (5), and the local second of the day.
    struct Change: Sendable {
        let month: Int
        let week: Int
        let weekday: Int
        let second: Int64

        /// The local second, since 1970, at which the change happens in a year.
        func localSeconds(year: Int) -> Int64 {
            let first = Month(year: year, month: month).firstDay.dayNumber
            // 1970-01-01 was a Thursday, weekday 4.
            let firstWeekday = Int((first % 7 + 11) % 7)
            var day = 1 + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if day > CivilDate.lastDay(year: year, month: month) { day -= 7 }
            return Int64(first + Int32(day - 1)) * CivilTime.daySeconds + second
        }
    }

    let standardOffset: Int32
    let daylight: (offset: Int32, start: Change, end: Change)?

    /// Reads the form `EST5EDT,M3.2.0,M11.1.0`, `MST7` or `<-03>3`; nil for any other text.
    init?(_ text: String) {
        var scanner = PosixScanner(text)
        guard scanner.skipName(), let west = scanner.offset() else { return nil }
        standardOffset = -west
        guard !scanner.isAtEnd else {
            daylight = nil
            return
        }
        guard scanner.skipName() else { return nil }
        var offset = standardOffset + 3600
        if scanner.peek != "," {
            guard let written = scanner.offset() else { return nil }
            offset = -written
        }
        guard let start = scanner.change(), let end = scanner.change(), scanner.isAtEnd else {
            return nil
        }
        daylight = (offset, start, end)
    }

    func offset(atUTC seconds: Int64) -> Int32 { steadyOffset(atUTC: seconds).offset }

    /// The offset with the instants around it that lie in the same year, by standard time.
    func steadyOffset(atUTC seconds: Int64) -> (instants: Range<Int64>, offset: Int32) {
        guard let daylight else { return (.min..<Int64.max, standardOffset) }
        let year = CivilTime.date(ofSeconds: seconds + Int64(standardOffset)).parts.year
        let start = daylight.start.localSeconds(year: year) - Int64(standardOffset)
        let end = daylight.end.localSeconds(year: year) - Int64(daylight.offset)
        let (first, second) = (min(start, end), max(start, end))
        let isBetween = (first..<second).contains(seconds)
        let isDaylight = isBetween == (start < end)
        func newYear(_ year: Int) -> Int64 {
            Int64(Month(year: year, month: 1).firstDay.dayNumber) * CivilTime.daySeconds
                - Int64(standardOffset)
        }
        let instants =
            isBetween
            ? first..<second
            : seconds < first ? newYear(year)..<first : second..<newYear(year + 1)
        return (instants, isDaylight ? daylight.offset : standardOffset)
    }
}

/// A zone's clock that caches the last offset, for times that mostly lie close together.
struct SteadyClock {
    private let rules: TimeZoneRules
    private var instants: Range<Int64> = 0..<0
    private var offset: Int64 = 0

    init(_ rules: TimeZoneRules) { self.rules = rules }

    /// The same as ``TimeZoneRules/offset(atUTC:)``.
    @inline(__always)
    mutating func offset(atUTC seconds: Int64) -> Int64 {
        if !instants.contains(seconds) { remember(seconds) }
        return offset
    }

    /// The same as ``TimeZoneRules/utc(ofLocal:)``.
    @inline(__always)
    mutating func utc(ofLocal seconds: Int64) -> Int64 {
        // Far from any change, the cached offset is enough.
        let instant = seconds - offset
        if instant >= instants.lowerBound + Self.margin, instant < instants.upperBound - Self.margin
        {
            return instant
        }
        let answer = rules.utc(ofLocal: seconds)
        remember(answer)
        return answer
    }

    /// More than the greatest difference of two offsets of a zone, plus the day that
    /// ``TimeZoneRules/utc(ofLocal:)`` checks on either side.
    private static let margin = 3 * CivilTime.daySeconds

    private mutating func remember(_ seconds: Int64) {
        let (instants, offset) = rules.steadyOffset(atUTC: seconds)
        // Kept away from the ends of the type, so that adding the margin never overflows.
        self.instants = instants.clamped(to: Int64.min / 4..<Int64.max / 4)
        self.offset = Int64(offset)
    }
}

/// Reads the bytes of a compiled zone file in order.
///
/// - SeeAlso: RFC 8536, section 3.
struct ZoneFileReader {
    /// The counts at the head of a block.
    struct Header {
        let version: Int
        let utcMarkCount: Int
        let standardMarkCount: Int
        let leapCount: Int
        let transitionCount: Int
        let typeCount: Int
        let nameSize: Int

        func bodySize(timeSize: Int) -> Int {
            transitionCount * (timeSize + 1) + typeCount * 6 + nameSize
                + leapCount * (timeSize + 4) + standardMarkCount + utcMarkCount
        }

        /// The size of the data after the types in a block of 8-byte times.
        var tailSize: Int { nameSize + leapCount * 12 + standardMarkCount + utcMarkCount }
    }

    private let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func header() -> Header? {
        guard position + 44 <= bytes.count,
            bytes[position..<(position + 4)].elementsEqual("TZif".utf8)
        else { return nil }
        let version = bytes[position + 4]
        position += 20
        let counts = (0..<6).map { _ in Int(integer(4)) }
        guard counts.allSatisfy({ $0 >= 0 && $0 < 1 << 20 }) else { return nil }
        return Header(
            version: version >= 0x30 ? Int(version - 0x30) : 1,
            utcMarkCount: counts[0],
            standardMarkCount: counts[1],
            leapCount: counts[2],
            transitionCount: counts[3],
            typeCount: counts[4],
            nameSize: counts[5]
        )
    }

    /// A big-endian integer of 4 or 8 bytes, signed.
    mutating func integer(_ size: Int) -> Int64 {
        var value: UInt64 = 0
        for _ in 0..<size { value = value << 8 | UInt64(byte()) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }

    mutating func byte() -> UInt8 {
        defer { position += 1 }
        return position < bytes.count ? bytes[position] : 0
    }

    /// The text between the two line ends at the file's end.
    func footer() -> String {
        guard position < bytes.count, bytes[position] == 0x0A else { return "" }
        return String(decoding: bytes[(position + 1)...].prefix { $0 != 0x0A }, as: UTF8.self)
    }
}

/// Reads the parts of a POSIX `TZ` text.
struct PosixScanner {
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }
    var peek: Character? { rest.first }

    /// Skips a zone's name: letters, or anything between angle brackets.
    mutating func skipName() -> Bool {
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    /// Reads `[+-]h[h][:mm[:ss]]` into seconds.
    mutating func offset() -> Int32? {
        var sign: Int32 = 1
        if let first = rest.first, first == "-" || first == "+" {
            sign = first == "-" ? -1 : 1
            rest = rest.dropFirst()
        }
        guard let hours = number() else { return nil }
        var seconds = Int32(hours) * 3600
        for unit: Int32 in [60, 1] where rest.first == ":" {
            rest = rest.dropFirst()
            guard let value = number() else { return nil }
            seconds += Int32(value) * unit
        }
        return sign * seconds
    }

    /// Reads `,Mm.w.d[/time]`.
    mutating func change() -> PosixZone.Change? {
        guard rest.hasPrefix(",M") else { return nil }
        rest = rest.dropFirst(2)
        guard let month = number(), dropPoint(), let week = number(), dropPoint(),
            let weekday = number(), (1...12).contains(month), (1...5).contains(week), weekday < 7
        else { return nil }
        var second: Int32 = 7200
        if rest.first == "/" {
            rest = rest.dropFirst()
            guard let written = offset() else { return nil }
            second = written
        }
        return PosixZone.Change(
            month: month,
            week: week,
            weekday: weekday,
            second: Int64(second)
        )
    }

    private mutating func dropPoint() -> Bool {
        guard rest.first == "." else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func number() -> Int? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return digits.count <= 4 ? Int(digits) : nil
    }
}
