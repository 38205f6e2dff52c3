internal import TripDomain

/// Between which numbers a value lies, so that nothing is written about what cannot happen.
extension ExpressionSQL {
    /// The length of a text, and a position in it, at most: SQLite's own limit.
    private static let lengthLimit: Int64 = 1_000_000_000

    private static let all = Int64.min...Int64.max

    /// The numbers that a whole number can be, NULL apart.
    func bounds(_ node: IntegerNode) -> ClosedRange<Int64> {
        switch node.operation {
        case .constant(let value): return (value ?? 0)...(value ?? 0)
        case .column(let index): return columns[index].kind == .boolean ? 0...1 : Self.all
        case .negated(let inner): return Self.bounds(.subtract, 0...0, bounds(inner)) ?? Self.all
        case .magnitude(let inner):
            let bounds = bounds(inner)
            guard bounds.lowerBound != .min else { return 0...Int64.max }
            return 0...max(abs(bounds.lowerBound), abs(bounds.upperBound))
        case .arithmetic(let operation, let left, let right):
            return Self.bounds(operation, bounds(left), bounds(right)) ?? Self.all
        case .truth: return 0...1
        case .length, .position: return 0...Self.lengthLimit
        case .reading(let inner):
            guard case .digits(let count) = shape(inner), count <= 18 else { return Self.all }
            return 0...((0..<count).reduce(1) { product, _ in product * 10 } - 1)
        case .firstKnown(let parts): return Self.union(parts.map(bounds))
        case .nullIfEqual(let left, _): return bounds(left)
        case .choice(let choice):
            return Self.union((choice.results + [choice.otherwise]).map(bounds))
        case .truncated, .reference, .isMatched, .matchCount, .lookedUp: return Self.all
        }
    }

    private static func union(_ ranges: [ClosedRange<Int64>]) -> ClosedRange<Int64> {
        let (low, high) = (ranges.map(\.lowerBound).min(), ranges.map(\.upperBound).max())
        return (low ?? .min)...(high ?? .max)
    }

    /// The numbers that a sum can be; nil where it may leave 64 bits.
    static func bounds(
        _ operation: Arithmetic,
        _ left: ClosedRange<Int64>,
        _ right: ClosedRange<Int64>
    ) -> ClosedRange<Int64>? {
        var corners: [Int64] = []
        for a in [left.lowerBound, left.upperBound] {
            for b in [right.lowerBound, right.upperBound] {
                let (value, leaves64Bits) =
                    switch operation {
                    case .add: a.addingReportingOverflow(b)
                    case .subtract: a.subtractingReportingOverflow(b)
                    case .multiply: a.multipliedReportingOverflow(by: b)
                    // A quotient is no greater than what is divided, nor is what remains.
                    case .divide, .remainder: (a, a == .min && right.contains(-1))
                    }
                if leaves64Bits && operation != .remainder { return nil }
                corners.append(value)
            }
        }
        guard operation == .divide || operation == .remainder else {
            return (corners.min() ?? 0)...(corners.max() ?? 0)
        }
        let greatest = corners.map { $0 == .min ? .max : abs($0) }.max() ?? 0
        return (left.lowerBound == .min ? .min : -greatest)...greatest
    }

    /// The greatest magnitude that a double can have; infinite where it is not known.
    func magnitude(_ node: RealNode) -> Double {
        switch node.operation {
        case .constant(let value): return abs(value ?? 0)
        case .negated(let inner), .magnitude(let inner): return magnitude(inner)
        case .arithmetic(.add, let left, let right), .arithmetic(.subtract, let left, let right):
            return magnitude(left) + magnitude(right)
        case .arithmetic(.multiply, let left, let right):
            let (left, right) = (magnitude(left), magnitude(right))
            // Nothing times infinity is nothing known.
            return left == 0 || right == 0 ? (left + right).isFinite ? 0 : .infinity : left * right
        case .arithmetic(.divide, let left, let right):
            guard case .constant(let divisor?) = right.operation, divisor != 0 else {
                return .infinity
            }
            return magnitude(left) / abs(divisor)
        case .remainder, .widened: return 0x1p63
        case .rounded(let inner, _): return magnitude(inner) + 1
        case .reading(let inner):
            guard case .digits(let count) = shape(inner), count <= 15 else { return .infinity }
            return 1e15
        case .firstKnown(let parts): return parts.map(magnitude).max() ?? .infinity
        case .nullIfEqual(let left, _): return magnitude(left)
        case .choice(let choice):
            return (choice.results + [choice.otherwise]).map(magnitude).max() ?? .infinity
        case .column, .arithmetic, .reference, .lookedUp: return .infinity
        }
    }
}
