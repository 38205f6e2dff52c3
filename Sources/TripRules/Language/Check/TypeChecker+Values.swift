internal import TripDomain

/// Names, arithmetic, joined texts, CAST and CASE.
extension TypeChecker {
    mutating func arithmetic(
        _ operation: Arithmetic,
        _ left: Syntax,
        _ right: Syntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        let what = "`\(operation.rawValue)`"
        let left = try number(left, of: what)
        let right = try number(right, of: what)
        let source = left.source + right.source
        if case .integer(let left) = left, case .integer(let right) = right {
            return .integer(
                try build.integer(
                    .arithmetic(
                        operation,
                        build.settled(left, in: source),
                        build.settled(right, in: source)
                    ),
                    source,
                    range
                )
            )
        }
        if operation == .remainder {
            return .real(
                try build.real(
                    .remainder(
                        build.settled(try whole(left, range), in: source),
                        build.settled(try whole(right, range), in: source)
                    ),
                    source,
                    range
                )
            )
        }
        return .real(
            try build.real(
                .arithmetic(
                    operation,
                    build.settled(try wide(left, range), in: source),
                    build.settled(try wide(right, range), in: source)
                ),
                source,
                range
            )
        )
    }

    /// A number as a double.
    func wide(_ node: ValueNode, _ range: Range<Int>) throws(ExpressionFault) -> RealNode {
        switch node {
        case .real(let node): node
        case .integer(let node): try build.real(.widened(node), node.source, range)
        case .text: preconditionFailure("a number was asked for")
        }
    }

    /// A number without its fraction.
    private func whole(
        _ node: ValueNode,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> IntegerNode {
        switch node {
        case .integer(let node): node
        case .real(let node): try build.integer(.truncated(node), node.source, range)
        case .text: preconditionFailure("a number was asked for")
        }
    }

    mutating func joined(
        _ left: Syntax,
        _ right: Syntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        let left = try joinable(left)
        let right = try joinable(right)
        let source = left.source + right.source
        return .text(
            try build.text(
                .joined([build.settled(left, in: source), build.settled(right, in: source)]),
                source,
                range
            )
        )
    }

    /// A side of `||`: a whole number joins with its digits.
    private mutating func joinable(_ syntax: Syntax) throws(ExpressionFault) -> TextNode {
        switch try value(syntax) {
        case nil: return TextNode(.constant(nil), .nothing)
        case .text(let node): return node
        case .integer(let node):
            return try build.text(.digits(of: node), node.source, syntax.range)
        case .real:
            throw ExpressionFault(
                .typeMismatch,
                at: syntax.range,
                "`||` takes TEXT and INTEGER, and this is REAL",
                suggestion: "a REAL has no single text; CAST it to INTEGER first"
            )
        }
    }

    mutating func cast(
        _ inner: Syntax,
        _ type: ValueType,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        guard let node = try value(inner) else { return build.null(type) }
        switch (node, type) {
        case (.text, .text), (.integer, .integer), (.real, .real): return node
        case (.text(let node), .integer):
            return .integer(try build.integer(.reading(node), node.source, range))
        case (.text(let node), .real):
            return .real(try build.real(.reading(node), node.source, range))
        case (.integer(let node), .text):
            return .text(try build.text(.digits(of: node), node.source, range))
        case (.integer(let node), .real):
            return .real(try build.real(.widened(node), node.source, range))
        case (.real(let node), .integer):
            return .integer(try build.integer(.truncated(node), node.source, range))
        case (.real, .text):
            throw ExpressionFault(
                .typeMismatch,
                at: range,
                "a REAL has no single text",
                suggestion: "CAST it to INTEGER first, or round it and multiply"
            )
        }
    }

    mutating func chosen(
        _ choice: CaseSyntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> Checked {
        let conditions = try conditions(choice, range)
        var results: [(ValueNode?, Range<Int>)] = []
        for branch in choice.branches {
            results.append((try value(branch.then), branch.then.range))
        }
        if let otherwise = choice.otherwise {
            results.append((try value(otherwise), otherwise.range))
        } else {
            results.append((nil, range))
        }
        guard let nodes = try unified(results, in: "the results of CASE") else { return .null }
        let source = nodes.map(\.source).reduce(conditions.source, +)
        let settled = conditions.settled(by: build, in: source)
        switch nodes[0].type {
        case .text:
            let parts = nodes.map { build.settled($0.asText, in: source) }
            return .value(
                .text(try build.text(.choice(Self.choice(settled, parts)), source, range))
            )
        case .integer:
            let parts = nodes.map { build.settled($0.asInteger, in: source) }
            return .value(
                .integer(try build.integer(.choice(Self.choice(settled, parts)), source, range))
            )
        case .real:
            let parts = nodes.map { build.settled($0.asReal, in: source) }
            return .value(
                .real(try build.real(.choice(Self.choice(settled, parts)), source, range))
            )
        }
    }

    private static func choice<Result>(
        _ conditions: CaseConditions,
        _ parts: [Result]
    ) -> Choice<Result> {
        Choice(
            conditions: conditions,
            results: Array(parts.dropLast()),
            otherwise: parts[parts.count - 1]
        )
    }

    private mutating func conditions(
        _ choice: CaseSyntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> CaseConditions {
        guard let subject = choice.subject else {
            var nodes: [TruthNode] = []
            for branch in choice.branches { nodes.append(try condition(branch.when)) }
            return .searched(nodes)
        }
        let subjectNode = try value(subject)
        var nodes: [ValueNode] = []
        let type = subjectNode?.type
        for branch in choice.branches {
            let node = try value(branch.when) ?? build.null(type ?? .integer)
            if let type, (type == .text) != (node.type == .text) {
                throw ExpressionFault(
                    .typeMismatch,
                    at: branch.when.range,
                    "\(node.type.rawValue) cannot be compared with CASE's \(type.rawValue)",
                    suggestion: "write the number as a text, as in '42', or CAST one side"
                )
            }
            nodes.append(node)
        }
        guard let subjectNode else {
            // NULL equals nothing, so that no branch is ever taken.
            return .searched(nodes.map { _ in TruthNode(.constant(.unknown), .nothing) })
        }
        return .matching(subjectNode, nodes)
    }

    /// Values that must be of one type; NULL takes it, and nil says that all are NULL.
    func unified(
        _ values: [(ValueNode?, Range<Int>)],
        in what: String
    ) throws(ExpressionFault) -> [ValueNode]? {
        guard let type = values.compactMap({ $0.0?.type }).first else { return nil }
        for (node, range) in values {
            guard let node, node.type != type else { continue }
            let isNumbers = node.type != .text && type != .text
            throw ExpressionFault(
                .typeMismatch,
                at: range,
                "\(what) must be of one type; this is \(node.type.rawValue) after "
                    + "\(type.rawValue)",
                suggestion: isNumbers
                    ? "CAST the INTEGER to REAL, or write it with a point: 0.0"
                    : "CAST one to the other's type"
            )
        }
        return values.map { $0.0 ?? build.null(type) }
    }
}

extension CaseConditions {
    /// What the conditions depend on.
    var source: NodeSource {
        switch self {
        case .searched(let nodes): nodes.map(\.source).reduce(.nothing, +)
        case .matching(let subject, let nodes): nodes.map(\.source).reduce(subject.source, +)
        }
    }

    /// The conditions as a part of what depends on `whole`.
    func settled(by build: NodeBuilder, in whole: NodeSource) -> CaseConditions {
        switch self {
        case .searched(let nodes): .searched(nodes.map { build.settled($0, in: whole) })
        case .matching(let subject, let nodes):
            .matching(
                build.settled(subject, in: whole),
                nodes.map { build.settled($0, in: whole) }
            )
        }
    }
}

extension ValueNode {
    /// The node of a value known to be TEXT.
    var asText: TextNode {
        guard case .text(let node) = self else { preconditionFailure("the type was checked") }
        return node
    }

    /// The node of a value known to be INTEGER.
    var asInteger: IntegerNode {
        guard case .integer(let node) = self else { preconditionFailure("the type was checked") }
        return node
    }

    /// The node of a value known to be REAL.
    var asReal: RealNode {
        guard case .real(let node) = self else { preconditionFailure("the type was checked") }
        return node
    }
}
