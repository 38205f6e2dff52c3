import TripDomain

@testable import TripEngine
@testable import TripRules

/// One record or reject of a file, on which the scanner and its slow twin must agree.
enum Found: Hashable {
    case record(fields: [[UInt8]], number: Int, line: Int, lines: Int, offset: Int, size: Int)
    case reject(RejectReason, number: Int, line: Int, lines: Int, offset: Int, size: Int)

    var isRecord: Bool {
        if case .record = self { true } else { false }
    }
    var line: Int {
        switch self {
        case .record(_, _, let line, _, _, _), .reject(_, _, let line, _, _, _): line
        }
    }
    var lines: Int {
        switch self {
        case .record(_, _, _, let lines, _, _), .reject(_, _, _, let lines, _, _): lines
        }
    }
    var reason: RejectReason? {
        if case .reject(let reason, _, _, _, _, _) = self { reason } else { nil }
    }
    /// The fields of a record as strings; empty for a reject.
    var texts: [String] {
        guard case .record(let fields, _, _, _, _, _) = self else { return [] }
        return fields.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The slow twin: the plainest definition of a record, byte by byte and line by line.
struct SlowRecords {
    /// A physical line: its bytes, and where the next one begins.
    struct Line {
        let start: Int
        let end: Int
        let next: Int
    }

    let bytes: [UInt8]
    let dialect: CSVDialect
    let fieldCount: Int
    var headerNames: [[UInt8]] = []

    /// A record, or the reason why none starts here and whether its first line decided that.
    private enum Attempt {
        case record(fields: [[UInt8]], lastLine: Int)
        case failure(RejectReason, inFirstLine: Bool)
    }

    func lines(from start: Int) -> [Line] {
        var lines: [Line] = []
        var lineStart = start
        for index in start..<max(start, bytes.count) {
            let followsCR = index > lineStart && bytes[index - 1] == 13
            let ends =
                switch dialect.lineEnd {
                case .any, .lf: bytes[index] == 10
                case .crlf: bytes[index] == 10 && followsCR
                case .cr: bytes[index] == 13
                }
            guard ends else { continue }
            let dropsCR = followsCR && (dialect.lineEnd == .any || dialect.lineEnd == .crlf)
            lines.append(Line(start: lineStart, end: dropsCR ? index - 1 : index, next: index + 1))
            lineStart = index + 1
        }
        if lineStart < bytes.count {
            let dropsCR =
                bytes[bytes.count - 1] == 13
                && (dialect.lineEnd == .any || dialect.lineEnd == .crlf)
            let end = dropsCR ? bytes.count - 1 : bytes.count
            lines.append(Line(start: lineStart, end: end, next: bytes.count))
        }
        return lines
    }

    /// All records and rejects from a byte on, and the number of blank lines.
    func scan(from start: Int, firstLine: Int) -> (found: [Found], blank: Int, lines: Int) {
        let lines = lines(from: start)
        var found: [Found] = []
        var blank = 0
        var index = 0
        while index < lines.count {
            let line = lines[index]
            if line.end == line.start {
                blank += 1
                index += 1
                continue
            }
            let number = found.count + 1
            let lineNumber = firstLine + index
            switch attempt(lines, index) {
            case .record(let fields, let last):
                let size = lines[last].end - line.start
                let count = last - index + 1
                let text = Array(bytes[line.start..<lines[last].end])
                if let reason = objection(text, fields) {
                    found.append(
                        .reject(
                            reason,
                            number: number,
                            line: lineNumber,
                            lines: count,
                            offset: line.start,
                            size: size
                        )
                    )
                } else {
                    found.append(
                        .record(
                            fields: fields.map(decoded),
                            number: number,
                            line: lineNumber,
                            lines: count,
                            offset: line.start,
                            size: size
                        )
                    )
                }
                index = last + 1
            case .failure(let reason, let inFirstLine):
                var reason = reason
                if !inFirstLine && reason != .tooManyFields && reason != .tooFewFields {
                    reason = .unclosedQuote
                }
                let shown = bytes[line.start..<line.end].prefix(dialect.recordSizeMax)
                if reason != .recordTooLong && shown.contains(0) { reason = .nulByte }
                found.append(
                    .reject(
                        reason,
                        number: number,
                        line: lineNumber,
                        lines: 1,
                        offset: line.start,
                        size: line.end - line.start
                    )
                )
                index += 1
            }
        }
        return (found, blank, lines.count)
    }

    private func attempt(_ lines: [Line], _ first: Int) -> Attempt {
        let start = lines[first].start
        var fields: [[UInt8]] = []
        var field: [UInt8] = []
        var isAtFieldStart = true
        var isQuoted = false
        var isClosed = false
        var line = first
        var index = start
        func failure(_ reason: RejectReason) -> Attempt {
            .failure(reason, inFirstLine: line == first)
        }
        while true {
            if index == lines[line].end {
                guard isQuoted else {
                    let count = fields.count + 1
                    if count < fieldCount { return failure(.tooFewFields) }
                    return .record(fields: fields + [field], lastLine: line)
                }
                let next = lines[line].next
                if let failure = lineBreakFailure(lines, first, line) { return failure }
                field += bytes[index..<next]
                line += 1
                index = next
                continue
            }
            if index - start >= dialect.recordSizeMax { return failure(.recordTooLong) }
            let byte = bytes[index]
            index += 1
            if isQuoted {
                let next = index < bytes.count ? bytes[index] : 0
                if byte == dialect.escape {
                    if next != 10 && next != 13 && index < bytes.count {
                        field.append(next)
                        index += 1
                    }
                } else if byte == dialect.quote {
                    if dialect.escape == nil && next == byte && index < bytes.count {
                        field.append(byte)
                        index += 1
                    } else {
                        isQuoted = false
                        isClosed = true
                    }
                } else {
                    field.append(byte)
                }
            } else if byte == dialect.delimiter {
                fields.append(field)
                if fields.count == fieldCount { return failure(.tooManyFields) }
                field = []
                isAtFieldStart = true
                isClosed = false
            } else if isClosed {
                return failure(.strayQuote)
            } else if byte == dialect.quote {
                guard isAtFieldStart else { return failure(.strayQuote) }
                isQuoted = true
                isAtFieldStart = false
            } else if byte == 10 || byte == 13 {
                return failure(.invalidEncoding)
            } else {
                field.append(byte)
                isAtFieldStart = false
            }
        }
    }

    /// Why a quoted field cannot continue beyond the end of a line; nil where it can.
    private func lineBreakFailure(_ lines: [Line], _ first: Int, _ line: Int) -> Attempt? {
        let next = lines[line].next
        let size = next - lines[first].start
        func failure(whereSizeIs size: Int) -> Attempt {
            .failure(
                size > dialect.recordSizeMax ? .recordTooLong : .unclosedQuote,
                inFirstLine: line == first
            )
        }
        if line == lines.count - 1 && !endsWithLineEnd(lines[line]) {
            return failure(whereSizeIs: size)
        }
        if !dialect.lineBreaksInQuotes { return failure(whereSizeIs: size - 1) }
        if size > dialect.recordSizeMax { return failure(whereSizeIs: size) }
        if line - first + 2 > dialect.recordLinesMax || line == lines.count - 1 {
            return .failure(.unclosedQuote, inFirstLine: false)
        }
        return nil
    }

    /// Whether a line was ended by a line end rather than by the end of the file.
    private func endsWithLineEnd(_ line: Line) -> Bool {
        let last = bytes[line.next - 1]
        return dialect.lineEnd == .cr ? last == 13 : last == 10 && line.end < line.next
    }

    private func objection(_ text: [UInt8], _ fields: [[UInt8]]) -> RejectReason? {
        if text.contains(0) { return .nulByte }
        switch dialect.encoding {
        case .utf8: if String(validating: text, as: UTF8.self) == nil { return .invalidEncoding }
        case .latin1: break
        case .windows1252:
            let unused: [UInt8] = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
            if text.contains(where: { unused.contains($0) }) {
                return .invalidEncoding
            }
        }
        guard !headerNames.isEmpty else { return nil }
        var unmarked = fields
        if unmarked[0].starts(with: [0xEF, 0xBB, 0xBF]) { unmarked[0].removeFirst(3) }
        return [fields, unmarked].contains { $0.map(decoded) == headerNames }
            ? .repeatedHeader : nil
    }

    private func decoded(_ field: [UInt8]) -> [UInt8] {
        guard dialect.encoding != .utf8 else { return field }
        var text = ""
        for byte in field {
            let isMoved = dialect.encoding == .windows1252 && byte >= 0x80 && byte < 0xA0
            let scalar = isMoved ? windows1252[Int(byte) - 0x80] : UInt32(byte)
            text.unicodeScalars.append(Unicode.Scalar(scalar) ?? "?")
        }
        return Array(text.utf8)
    }

    /// Unicode's own table of code page 1252, 80 … 9F.
    private var windows1252: [UInt32] {
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars.map(\.value)
    }
}
