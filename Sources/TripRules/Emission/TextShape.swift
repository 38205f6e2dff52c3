internal import TripDomain

/// What is known of how a text looks, where it is not NULL.
enum TextShape: Hashable {
    /// Nothing.
    case any
    /// `YYYY-MM-DD`, a day that exists.
    case day
    /// `YYYY-MM-DD HH:MM:SS`, a time that exists.
    case stamp
    /// So many digits.
    case digits(Int)

    /// The shape of a column of a kind.
    init(_ kind: ColumnKind) {
        switch kind {
        case .date: self = .day
        case .timestamp: self = .stamp
        default: self = .any
        }
    }

    /// The shape of a constant.
    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if CivilDate(text: text) != nil {
            self = .day
        } else if !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) {
            self = .digits(bytes.count)
        } else {
            self = .any
        }
    }

    /// The shape of a part of a text, counted in characters from 1.
    func part(_ start: Int64, _ length: Int64) -> TextShape {
        guard self == .day || self == .stamp else { return .any }
        if start == 1, length == 10 { return .day }
        let groups: [ClosedRange<Int64>] = [1...4, 6...7, 9...10, 12...13, 15...16, 18...19]
        let isInside = groups.prefix(self == .day ? 3 : 6).contains {
            length > 0 && $0.contains(start) && $0.contains(start + length - 1)
        }
        return isInside ? .digits(Int(length)) : .any
    }
}

extension ExpressionSQL {
    /// What is known of how a text looks.
    func shape(_ node: TextNode) -> TextShape {
        switch node.operation {
        case .constant(let bytes): return bytes.map { TextShape($0) } ?? .any
        case .column(let index): return columns[index].shape
        case .substring(let inner, let start, let length):
            guard case .constant(let start?) = start.operation,
                case .constant(let length?)? = length?.operation
            else { return .any }
            return shape(inner).part(start, length)
        case .date(let format, let inner, _):
            let isMoment = shape(inner) == .day || shape(inner) == .stamp
            return isMoment ? format.shape : .any
        case .firstKnown(let parts): return union(parts)
        case .nullIfEqual(let left, _): return shape(left)
        case .choice(let choice): return union(choice.results + [choice.otherwise])
        case .joined, .upper, .lower, .trimmed, .digits, .reference, .lookedUp: return .any
        }
    }

    private func union(_ parts: [TextNode]) -> TextShape {
        let shapes = Set(parts.filter { !$0.isNull }.map(shape))
        return shapes.count == 1 ? shapes.first ?? .any : .any
    }
}

extension DateFormat {
    /// What its texts look like, for moments of the years 0 to 9999.
    var shape: TextShape {
        if self == .date || self == DateFormat(Array("%Y-%m-%d".utf8)) { return .day }
        if self == DateFormat(Array("%Y-%m-%d %H:%M:%S".utf8)) { return .stamp }
        guard pieces.count == 1, case .part(let letter) = pieces[0] else { return .any }
        switch letter {
        case UInt8(ascii: "Y"): return .digits(4)
        case UInt8(ascii: "j"): return .digits(3)
        case UInt8(ascii: "w"): return .digits(1)
        case UInt8(ascii: "s"), UInt8(ascii: "%"): return .any
        default: return .digits(2)
        }
    }

    /// The format as strftime takes it.
    var text: String {
        String(
            decoding: pieces.flatMap { piece -> [UInt8] in
                switch piece {
                case .literal(let bytes): bytes
                case .part(let letter): [UInt8(ascii: "%"), letter]
                }
            },
            as: UTF8.self
        )
    }
}

extension DateModifier {
    /// The step as SQLite takes it.
    var text: String {
        switch self {
        case .startOf(let unit): "start of \(unit.rawValue)"
        case .weekday(let day): "weekday \(day)"
        case .add(let count, let unit): "\(count < 0 ? "" : "+")\(count) \(unit.rawValue)s"
        }
    }

    /// Whether the step is shorter than a day.
    var isBelowDay: Bool {
        switch self {
        case .add(_, .second), .add(_, .minute), .add(_, .hour): true
        default: false
        }
    }
}
