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
