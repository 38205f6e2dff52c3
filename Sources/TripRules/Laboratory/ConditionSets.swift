internal import TripDomain

/// For a condition over one name: the values that make it true, and those that make it false.
struct TruthSets {
    /// The column of the flattened scope.
    let name: Int
    var whenTrue: ValueSet
    var whenFalse: ValueSet

    var swapped: TruthSets { TruthSets(name: name, whenTrue: whenFalse, whenFalse: whenTrue) }
}

/// A combination of values per name; a name that is missing may have any.
struct TripBox: Sendable {
    var sets: [Int: ValueSet] = [:]
    /// Whether the condition holds for every trip in the box; if false, perhaps only for some of
    /// them.
    var isExact = true

    /// The trips in both boxes; nil where there are none.
    func intersection(_ other: TripBox) -> TripBox? {
        var result = self
        result.isExact = isExact && other.isExact
        for (name, set) in other.sets {
            let common = result.sets[name]?.intersection(set) ?? set
            guard !common.isEmpty else { return nil }
            result.sets[name] = common
        }
        return result
    }

    /// The trips of this box that are not in another, as disjoint boxes.
    ///
    /// - Parameters:
    ///   - other: The other box.
    ///   - domain: The values that a name missing from this box can have.
    /// - Returns: Boxes that hold exactly those trips.
    func subtracting(_ other: TripBox, domain: (Int) -> ValueSet) -> [TripBox] {
        guard intersection(other) != nil else { return [self] }
        var pieces: [TripBox] = []
        var rest = self
        for (name, set) in other.sets.sorted(by: { $0.key < $1.key }) {
            let own = rest.sets[name] ?? domain(name)
            let outside = own.subtracting(set)
            if !outside.isEmpty {
                var piece = rest
                piece.sets[name] = outside
                pieces.append(piece)
            }
            rest.sets[name] = own.intersection(set)
        }
        return pieces
    }
}

/// Finds which trips a condition can hold for.
///
/// The analysis is exact for conditions that compare one name with constants, also under AND, OR
/// and NOT. Any other condition counts as possible for every trip, and makes its box inexact.
struct ConditionSets {
    /// The analysis gives up a condition that needs more boxes than this.
    static let boxLimit = 64

    let scope: ExpressionScope

    /// Boxes that hold every trip for which a condition is true (or false); nil for too many.
    func boxes(_ node: TruthNode, whenTrue: Bool = true) -> [TripBox]? {
        if let sets = sets(node) {
            let set = (whenTrue ? sets.whenTrue : sets.whenFalse).intersection(domain(sets.name))
            return set.isEmpty ? [] : [TripBox(sets: [sets.name: set])]
        }
        switch node.operation {
        case .constant(let truth): return truth == (whenTrue ? .yes : .no) ? [TripBox()] : []
        case .not(let inner): return boxes(inner, whenTrue: !whenTrue)
        case .all(let parts): return whenTrue ? product(parts, true) : sum(parts, false)
        case .any(let parts): return whenTrue ? sum(parts, true) : product(parts, false)
        default: return [TripBox(isExact: false)]
        }
    }

    private func product(_ parts: [TruthNode], _ whenTrue: Bool) -> [TripBox]? {
        var result = [TripBox()]
        for part in parts {
            guard let boxes = boxes(part, whenTrue: whenTrue) else { return nil }
            result = result.flatMap { box in boxes.compactMap { box.intersection($0) } }
            guard result.count <= Self.boxLimit else { return nil }
        }
        return result
    }

    private func sum(_ parts: [TruthNode], _ whenTrue: Bool) -> [TripBox]? {
        var result: [TripBox] = []
        for part in parts {
            guard let boxes = boxes(part, whenTrue: whenTrue) else { return nil }
            result += boxes
            guard result.count <= Self.boxLimit else { return nil }
        }
        return result
    }

    /// The values a column can have at all.
    func domain(_ name: Int) -> ValueSet {
        let column = scope.columns[name]
        let zeroOrOne = ValueSet(from: .before(.integer(0)), to: .after(.integer(1)))
        if column.name.hasSuffix(".\(ScopeLookup.matched)") { return zeroOrOne }
        if column.name.hasSuffix(".\(ScopeLookup.matchCount)") {
            return ValueSet(from: .before(.integer(0)), to: .end)
        }
        return column.kind == .boolean ? zeroOrOne.union(.null) : .everything
    }

    // MARK: Conditions over one name

    /// The values that make a condition over one name true and false; nil for any other condition.
    private func sets(_ node: TruthNode) -> TruthSets? {
        switch node.operation {
        case .not(let inner): return sets(inner)?.swapped
        case .all(let parts): return combined(parts.map(sets), isAll: true)
        case .any(let parts): return combined(parts.map(sets), isAll: false)
        case .nonzero(let value): return nonzero(value)
        case .isNull(let value):
            guard let subject = Subject(value), subject.isPlain else { return nil }
            return TruthSets(name: subject.name, whenTrue: .null, whenFalse: .known)
        case .comparison(let comparison, let left, let right):
            return compared(comparison, left, right)
                ?? compared(comparison.mirrored, right, left)
        case .between(let value, let low, let high):
            return combined(
                [compared(.greaterOrEqual, value, low), compared(.lessOrEqual, value, high)],
                isAll: true
            )
        case .isIn(let value, let items):
            return combined(items.map { compared(.equal, value, $0) }, isAll: false)
        case .constant, .lookedUp, .matches: return nil
        }
    }

    private func combined(_ parts: [TruthSets?], isAll: Bool) -> TruthSets? {
        guard var result = parts.first ?? nil else { return nil }
        for part in parts.dropFirst() {
            guard let part, part.name == result.name else { return nil }
            if isAll {
                result.whenTrue = result.whenTrue.intersection(part.whenTrue)
                result.whenFalse = result.whenFalse.union(part.whenFalse)
            } else {
                result.whenTrue = result.whenTrue.union(part.whenTrue)
                result.whenFalse = result.whenFalse.intersection(part.whenFalse)
            }
        }
        return result
    }

    private func nonzero(_ value: ValueNode) -> TruthSets? {
        guard let subject = Subject(value), subject.isPlain, value.type != .text else { return nil }
        let zero: Scalar = value.type == .integer ? .integer(0) : .real(0)
        let isZero = ValueSet(from: .before(zero), to: .after(zero))
        return TruthSets(
            name: subject.name,
            whenTrue: ValueSet.known.subtracting(isZero),
            whenFalse: isZero
        )
    }

    private func compared(
        _ comparison: Comparison,
        _ value: ValueNode,
        _ constant: ValueNode
    ) -> TruthSets? {
        guard let subject = Subject(value), let constant = Constant(constant) else { return nil }
        let isIdentity = comparison == .same || comparison == .different
        var result: TruthSets
        if let scalar = constant.scalar {
            guard let span = Self.span(scalar, value.type) else { return nil }
            let whenTrue = Self.values(comparison, span)
            result = TruthSets(
                name: subject.name,
                whenTrue: whenTrue,
                whenFalse: ValueSet.known.subtracting(whenTrue)
            )
        } else {
            let sets = isIdentity ? (ValueSet.empty, ValueSet.known) : (.empty, .empty)
            result = TruthSets(name: subject.name, whenTrue: sets.0, whenFalse: sets.1)
            if comparison == .different { result = result.swapped }
        }
        switch subject.replacement {
        case nil:
            guard isIdentity else { return result }
            let isTrueForNull = (constant.scalar == nil) == (comparison == .same)
            result.whenTrue.hasNull = isTrueForNull
            result.whenFalse.hasNull = !isTrueForNull
        case .some(let replacement):
            // coalesce(name, constant): NULL compares as the constant does.
            result.whenTrue.hasNull = result.whenTrue.contains(replacement)
            result.whenFalse.hasNull = result.whenFalse.contains(replacement)
        }
        return result
    }

    private static func values(
        _ comparison: Comparison,
        _ span: (before: Position, after: Position)
    ) -> ValueSet {
        switch comparison {
        case .equal, .same: ValueSet(from: span.before, to: span.after)
        case .notEqual, .different:
            ValueSet.known.subtracting(ValueSet(from: span.before, to: span.after))
        case .less: ValueSet(from: .start, to: span.before)
        case .lessOrEqual: ValueSet(from: .start, to: span.after)
        case .greater: ValueSet(from: span.after, to: .end)
        case .greaterOrEqual: ValueSet(from: span.before, to: .end)
        }
    }

    /// The positions right before and after a constant among the values of a type; nil where the
    /// constant has no exact position.
    private static func span(
        _ constant: Scalar,
        _ type: ValueType
    ) -> (before: Position, after: Position)? {
        switch (constant, type) {
        case (.text, .text), (.integer, .integer), (.real, .real):
            return (.before(constant), .after(constant))
        case (.integer(let number), .real):
            guard let exact = Double(exactly: number) else { return nil }
            return (.before(.real(exact)), .after(.real(exact)))
        case (.real(let number), .integer):
            if number < -0x1p63 { return (.start, .start) }
            if number >= 0x1p63 { return (.end, .end) }
            let whole = Int64(number)
            let low = Double(whole) > number ? whole - 1 : whole
            let isWhole = Double(low) == number
            return (isWhole ? .before(.integer(low)) : .after(.integer(low)), .after(.integer(low)))
        default: return nil
        }
    }
}

/// A column, or coalesce of a column and a constant.
private struct Subject {
    let name: Int
    /// The value that replaces NULL; nil where NULL stays NULL.
    var replacement: Scalar?

    var isPlain: Bool { replacement == nil }

    init?(_ value: ValueNode) {
        switch value {
        case .text(let node):
            switch node.operation {
            case .column(let index): name = index
            case .firstKnown(let parts):
                guard parts.count == 2, case .column(let index) = parts[0].operation,
                    let constant = Constant(.text(parts[1]))?.scalar
                else { return nil }
                (name, replacement) = (index, constant)
            default: return nil
            }
        case .integer(let node):
            switch node.operation {
            case .column(let index): name = index
            case .firstKnown(let parts):
                guard parts.count == 2, case .column(let index) = parts[0].operation,
                    let constant = Constant(.integer(parts[1]))?.scalar
                else { return nil }
                (name, replacement) = (index, constant)
            default: return nil
            }
        case .real(let node):
            guard case .column(let index) = node.operation else { return nil }
            name = index
        }
    }
}

/// A constant, NULL included.
private struct Constant {
    let scalar: Scalar?

    init?(_ value: ValueNode) {
        switch value {
        case .text(let node):
            guard case .constant(let text) = node.operation else { return nil }
            scalar = text.map { .text($0) }
        case .integer(let node):
            guard case .constant(let number) = node.operation else { return nil }
            scalar = number.map { .integer($0) }
        case .real(let node):
            guard case .constant(let number) = node.operation else { return nil }
            scalar = number.map { .real($0) }
        }
    }
}
