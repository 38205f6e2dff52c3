internal import TripDomain

extension Syntax {
    /// The literals that a name is compared with anywhere below the node, in order.
    func constants(comparedWith name: String) -> [ExpressionValue] {
        switch kind {
        case .comparison(_, let left, let right): return Self.pairs([left, right], name)
        case .between(let value, let low, let high, _): return Self.pairs([value, low, high], name)
        case .inList(let value, let items, _): return Self.pairs([value] + items, name)
        case .name(let found) where found.text == name: return [.integer(1), .integer(0)]
        default: return parts.flatMap { $0.constants(comparedWith: name) }
        }
    }

    /// A text for each pattern that a name is matched against anywhere below the node: the pattern
    /// without its `%` and `*`, and with `x` for each `_` and `?`.
    func textsMatched(against name: String) -> [ExpressionValue] {
        guard case .matches(_, let value, let pattern, _) = kind, value.reads(name),
            case .text(let bytes)? = pattern.literal
        else { return parts.flatMap { $0.textsMatched(against: name) } }
        return [.text(bytes.filter { !"%*".contains($0) }.replacing(/[_?]/, with: "x"))]
    }

    private static func pairs(_ parts: [Syntax], _ name: String) -> [ExpressionValue] {
        guard parts.contains(where: { $0.reads(name) }) else { return [] }
        let literals = parts.compactMap(\.literal)
        return literals
            + parts.flatMap { part in
                part.isName ? [] : part.constants(comparedWith: name)
            }
    }

    private var isName: Bool {
        if case .name = kind { true } else { false }
    }

    /// Whether the name occurs anywhere below the node.
    private func reads(_ name: String) -> Bool {
        if case .name(let found) = kind { return found.text == name }
        return parts.contains { $0.reads(name) }
    }

    /// The value of a literal; nil for any other node.
    private var literal: ExpressionValue? {
        switch kind {
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .integer(let value?) where value <= UInt64(Int64.max): .integer(Int64(value))
        case .real(let value): .real(value)
        case .negated(let inner):
            switch inner.literal {
            case .integer(let value): .integer(-value)
            case .real(let value): .real(-value)
            default: nil
            }
        default: nil
        }
    }

    /// The nodes directly below this one.
    var parts: [Syntax] {
        switch kind {
        case .null, .text, .integer, .real, .name: []
        case .negated(let inner), .not(let inner), .cast(let inner, _): [inner]
        case .all(let parts), .any(let parts), .call(_, _, let parts): parts
        case .comparison(_, let left, let right), .arithmetic(_, let left, let right),
            .joined(let left, let right), .matches(_, let left, let right, _):
            [left, right]
        case .between(let value, let low, let high, _): [value, low, high]
        case .inList(let value, let items, _): [value] + items
        case .choice(let choice):
            [choice.subject, choice.otherwise].compactMap { $0 }
                + choice.branches.flatMap { [$0.when, $0.then] }
        }
    }
}

extension ExpressionValue {
    /// Whether a column of a kind can hold the value.
    func fits(_ kind: ColumnKind) -> Bool {
        switch (self, kind) {
        case (.null, _), (.text, .text), (.real, .decimal): true
        case (.integer(let value), .boolean): value == 0 || value == 1
        case (.integer, .integer), (.integer, .money), (.integer, .miles): true
        case (.text, .date), (.text, .timestamp): FlatTrips.stored(self, kind) != nil
        default: false
        }
    }

    /// The values next to this one, for conditions that exclude their bound.
    func neighbors(_ kind: ColumnKind) -> [ExpressionValue] {
        switch self {
        case .null: return []
        case .integer(let value):
            return [.integer(value &+ 1), .integer(value &- 1)]
        case .real(let value): return [.real(value.nextUp), .real(value.nextDown)]
        case .text(let text):
            guard kind == .date || kind == .timestamp, let number = FlatTrips.stored(self, kind)
            else { return [.text(text + "x")] }
            return [number + 1, number - 1].map { number in
                kind == .date
                    ? .text(CivilDate(dayNumber: Int32(clamping: number)).text)
                    : .text(CivilTime.text(ofSeconds: number))
            }
        }
    }
}
