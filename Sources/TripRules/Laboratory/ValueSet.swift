/// A value as the analysis orders it; only values of one type are ever compared.
enum Scalar: Comparable, Hashable, Sendable {
    case text([UInt8])
    case integer(Int64)
    case real(Double)

    static func < (left: Scalar, right: Scalar) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        default: preconditionFailure("values of one name are of one type")
        }
    }
}

/// A position between two values of an ordered type, or an end of it.
enum Position: Comparable, Hashable, Sendable {
    case start
    case cut(Scalar, isAfter: Bool)
    case end

    /// Right before a value; nothing lies before the least text or integer.
    static func before(_ value: Scalar) -> Position {
        switch value {
        case .text([]), .integer(.min): .start
        default: .cut(value, isAfter: false)
        }
    }

    /// Right after a value; of integers, that is right before the next.
    static func after(_ value: Scalar) -> Position {
        switch value {
        case .integer(.max): .end
        case .integer(let number): .cut(.integer(number + 1), isAfter: false)
        default: .cut(value, isAfter: true)
        }
    }

    static func < (left: Position, right: Position) -> Bool {
        switch (left, right) {
        case (.start, .start), (.end, _), (_, .start): false
        case (.start, _), (_, .end): true
        case (.cut(let left, let isLeftAfter), .cut(let right, let isRightAfter)):
            left == right ? !isLeftAfter && isRightAfter : left < right
        }
    }
}

/// A set of the values one name can have: ranges of an ordered type, and perhaps NULL.
///
/// The set is kept as the sorted positions at which membership changes, so that union, intersection
/// and complement are exact for any number of ranges.
struct ValueSet: Hashable, Sendable {
    /// The positions where the set begins, ends, begins again …; strictly ascending, of even count.
    private(set) var edges: [Position]
    /// Whether NULL belongs to the set.
    var hasNull: Bool

    private init(edges: [Position], hasNull: Bool) {
        self.edges = edges
        self.hasNull = hasNull
    }

    /// The values between two positions.
    init(from low: Position, to high: Position) {
        edges = low < high ? [low, high] : []
        hasNull = false
    }

    /// Nothing.
    static let empty = ValueSet(edges: [], hasNull: false)
    /// Every value but NULL.
    static let known = ValueSet(edges: [.start, .end], hasNull: false)
    /// NULL alone.
    static let null = ValueSet(edges: [], hasNull: true)
    /// Everything.
    static let everything = ValueSet(edges: [.start, .end], hasNull: true)

    var isEmpty: Bool { edges.isEmpty && !hasNull }

    func contains(_ value: Scalar) -> Bool {
        let edge = Position.before(value)
        return edges.count { $0 <= edge } % 2 == 1
    }

    func intersection(_ other: ValueSet) -> ValueSet {
        combined(other, hasNull && other.hasNull) { $0 && $1 }
    }

    func union(_ other: ValueSet) -> ValueSet {
        combined(other, hasNull || other.hasNull) { $0 || $1 }
    }

    func subtracting(_ other: ValueSet) -> ValueSet {
        combined(other, hasNull && !other.hasNull) { $0 && !$1 }
    }

    private func combined(
        _ other: ValueSet,
        _ hasNull: Bool,
        _ isInside: (Bool, Bool) -> Bool
    ) -> ValueSet {
        var result: [Position] = []
        var (left, right) = (edges[...], other.edges[...])
        var (isInLeft, isInRight, wasInside) = (false, false, false)
        while let edge = [left.first, right.first].compactMap({ $0 }).min() {
            if left.first == edge {
                isInLeft.toggle()
                left.removeFirst()
            }
            if right.first == edge {
                isInRight.toggle()
                right.removeFirst()
            }
            let isNowInside = isInside(isInLeft, isInRight)
            if isNowInside != wasInside { result.append(edge) }
            wasInside = isNowInside
        }
        return ValueSet(edges: result, hasNull: hasNull)
    }
}
