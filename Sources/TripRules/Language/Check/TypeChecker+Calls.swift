internal import TripDomain

/// Functions: how many values each takes, of which types, and where literals are required.
extension TypeChecker {
    /// The functions and how many values each takes.
    static let functions: [String: ClosedRange<Int>] = [
        "abs": 1...1, "coalesce": 2...Int.max, "date": 1...Int.max, "instr": 2...2,
        "length": 1...1, "lower": 1...1, "nullif": 2...2, "round": 1...2,
        "strftime": 2...Int.max, "substr": 2...3, "trim": 1...2, "upper": 1...1,
    ]

    mutating func call(
        _ name: String,
        _ nameRange: Range<Int>,
        _ arguments: [Syntax],
        _ range: Range<Int>
    ) throws(ExpressionFault) -> Checked {
        let function = name.lowercased()
        guard let count = Self.functions[function] else {
            throw Self.unknownFunction(name, nameRange)
        }
        guard count.contains(arguments.count) else {
            let wanted =
                count.lowerBound == count.upperBound
                ? Counted.text(count.lowerBound, "value")
                : count.upperBound == .max
                    ? "at least " + Counted.text(count.lowerBound, "value")
                    : "\(count.lowerBound) or " + Counted.text(count.upperBound, "value")
            throw ExpressionFault(
                .wrongArguments,
                at: range,
                "`\(function)` takes \(wanted), and \(arguments.count) "
                    + (arguments.count == 1 ? "is given" : "are given")
            )
        }
        switch function {
        case "upper", "lower":
            let text = try text(arguments[0], of: function)
            let operation: TextOperation = function == "upper" ? .upper(text) : .lower(text)
            return .value(.text(try build.text(operation, text.source, range)))
        case "length":
            let text = try text(arguments[0], of: function)
            return .value(.integer(try build.integer(.length(text), text.source, range)))
        case "trim": return .value(try trim(arguments, range))
        case "substr": return .value(try substring(arguments, range))
        case "instr": return .value(try position(arguments, range))
        case "abs": return .value(try magnitude(arguments[0], range))
        case "round": return .value(try rounded(arguments, range))
        case "coalesce": return try firstKnown(arguments, range)
        case "nullif": return try nullIfEqual(arguments, range)
        case "date": return .value(try date(.date, arguments[...], function, range))
        case "strftime":
            let format = try format(arguments[0])
            return .value(try date(format, arguments.dropFirst(), function, range))
        default: preconditionFailure("every function in the list is handled")
        }
    }

    private static func unknownFunction(
        _ name: String,
        _ range: Range<Int>
    ) -> ExpressionFault {
        let known = functions.keys.sorted()
        let instead: [String: String] = [
            "ifnull": "coalesce", "iif": "CASE", "substring": "substr", "ltrim": "trim",
            "rtrim": "trim", "replace": "CASE", "datetime": "strftime", "time": "strftime",
            "julianday": "strftime", "unixepoch": "strftime",
        ]
        let suggestion =
            instead[name.lowercased()].map { "use \($0)" }
            ?? NearestName.suggestion(name, among: known)
            ?? "there are \(known.joined(separator: ", "))"
        return ExpressionFault(
            .unknownName,
            at: range,
            "there is no function `\(name)`",
            suggestion: suggestion
        )
    }

    private mutating func trim(
        _ arguments: [Syntax],
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        let text = try text(arguments[0], of: "trim")
        let set =
            arguments.count == 2
            ? try self.text(arguments[1], of: "trim")
            : TextNode(.constant([UInt8(ascii: " ")]), .nothing)
        let source = text.source + set.source
        return .text(
            try build.text(
                .trimmed(build.settled(text, in: source), of: build.settled(set, in: source)),
                source,
                range
            )
        )
    }

    private mutating func substring(
        _ arguments: [Syntax],
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        let text = try text(arguments[0], of: "substr")
        let start = try integer(arguments[1], of: "the start in substr")
        let length =
            arguments.count == 3 ? try integer(arguments[2], of: "the length in substr") : nil
        let source = text.source + start.source + (length?.source ?? .nothing)
        return .text(
            try build.text(
                .substring(
                    build.settled(text, in: source),
                    start: build.settled(start, in: source),
                    length: length.map { build.settled($0, in: source) }
                ),
                source,
                range
            )
        )
    }

    private mutating func position(
        _ arguments: [Syntax],
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        let text = try text(arguments[0], of: "instr")
        let needle = try self.text(arguments[1], of: "instr")
        let source = text.source + needle.source
        return .integer(
            try build.integer(
                .position(
                    of: build.settled(needle, in: source),
                    in: build.settled(text, in: source)
                ),
                source,
                range
            )
        )
    }

    private mutating func magnitude(
        _ argument: Syntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        switch try number(argument, of: "abs") {
        case .integer(let node):
            .integer(try build.integer(.magnitude(node), node.source, range))
        case .real(let node): .real(try build.real(.magnitude(node), node.source, range))
        case .text: preconditionFailure("a number was asked for")
        }
    }

    private mutating func rounded(
        _ arguments: [Syntax],
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        var digits = 0
        if arguments.count == 2 {
            guard case .integer(let value?) = arguments[1].kind, value <= 15 else {
                throw ExpressionFault(
                    .wrongArguments,
                    at: arguments[1].range,
                    "the digits in round must be a literal from 0 to 15"
                )
            }
            digits = Int(value)
        }
        let node = try wide(try number(arguments[0], of: "round"), arguments[0].range)
        return .real(try build.real(.rounded(node, digits: digits), node.source, range))
    }

    private mutating func firstKnown(
        _ arguments: [Syntax],
        _ range: Range<Int>
    ) throws(ExpressionFault) -> Checked {
        var values: [(ValueNode?, Range<Int>)] = []
        for argument in arguments { values.append((try value(argument), argument.range)) }
        guard let nodes = try unified(values, in: "the values of coalesce") else { return .null }
        let source = nodes.map(\.source).reduce(.nothing, +)
        switch nodes[0].type {
        case .text:
            let parts = nodes.map { build.settled($0.asText, in: source) }
            return .value(.text(try build.text(.firstKnown(parts), source, range)))
        case .integer:
            let parts = nodes.map { build.settled($0.asInteger, in: source) }
            return .value(.integer(try build.integer(.firstKnown(parts), source, range)))
        case .real:
            let parts = nodes.map { build.settled($0.asReal, in: source) }
            return .value(.real(try build.real(.firstKnown(parts), source, range)))
        }
    }

    private mutating func nullIfEqual(
        _ arguments: [Syntax],
        _ range: Range<Int>
    ) throws(ExpressionFault) -> Checked {
        let left = (try value(arguments[0]), arguments[0].range)
        let right = (try value(arguments[1]), arguments[1].range)
        guard left.0 != nil, let nodes = try unified([left, right], in: "the values of nullif")
        else { return .null }
        let source = nodes[0].source + nodes[1].source
        let other = build.settled(nodes[1], in: source)
        switch build.settled(nodes[0], in: source) {
        case .text(let node):
            return .value(
                .text(try build.text(.nullIfEqual(node, other.asText), source, range))
            )
        case .integer(let node):
            return .value(.integer(try build.integer(.nullIfEqual(node, other), source, range)))
        case .real(let node):
            return .value(.real(try build.real(.nullIfEqual(node, other), source, range)))
        }
    }

    private func format(_ syntax: Syntax) throws(ExpressionFault) -> DateFormat {
        let letters = String(decoding: DateFormat.letters, as: UTF8.self)
        guard case .text(let bytes) = syntax.kind, let format = DateFormat(bytes) else {
            throw ExpressionFault(
                .wrongArguments,
                at: syntax.range,
                "the format of strftime must be a literal, with one of \(letters) after each %",
                suggestion: "as in strftime('%Y-%m', pickup_date)"
            )
        }
        return format
    }

    private mutating func date(
        _ format: DateFormat,
        _ arguments: ArraySlice<Syntax>,
        _ function: String,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        let moment = arguments[arguments.startIndex]
        if case .text(let bytes) = moment.kind, String(decoding: bytes, as: UTF8.self).isNow {
            throw ExpressionFault(
                .notSupported,
                at: moment.range,
                "'now' is refused: a trip must get the same class tomorrow",
                suggestion: "compare with a date of the trip, or give the rule `from` and `to`"
            )
        }
        let text = try text(moment, of: function)
        var modifiers: [DateModifier] = []
        for argument in arguments.dropFirst() {
            guard case .text(let bytes) = argument.kind,
                let modifier = DateModifier(String(decoding: bytes, as: UTF8.self))
            else {
                throw ExpressionFault(
                    .wrongArguments,
                    at: argument.range,
                    "a step of \(function) must be one of the literals 'start of day', 'start of "
                        + "month', 'start of year', 'weekday 0' to 'weekday 6' and '+N days', with "
                        + "seconds, minutes, hours, days, months or years",
                    suggestion: "'localtime', 'utc' and 'now' are refused: they depend on the "
                        + "machine and the hour"
                )
            }
            modifiers.append(modifier)
        }
        return .text(try build.text(.date(format, text, modifiers), text.source, range))
    }
}

extension String {
    /// Whether the text is the word with which SQLite reads the clock.
    fileprivate var isNow: Bool { lowercased() == "now" }
}
