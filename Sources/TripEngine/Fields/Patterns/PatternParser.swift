import TripRules

/// Turns a pattern's text into the steps of its machine, by recursive descent.
struct PatternParser {
    /// The greatest number of steps of a pattern, since counted repeats multiply their steps.
    static let stepLimit = 4096

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var groupCount = 0
    private var depth = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(PatternFault) -> [Pattern.Step] {
        let steps = try alternatives()
        guard position == scalars.count else { throw fault("a `)` without its `(`") }
        return steps + [.match]
    }

    private mutating func alternatives() throws(PatternFault) -> [Pattern.Step] {
        var steps = try sequence()
        while peek == "|" {
            position += 1
            let other = try sequence()
            // fork → first … jump over → second
            steps = [.fork(1, steps.count + 2)] + Self.relocated(steps, by: 1)
            steps.append(.jump(steps.count + 1 + other.count))
            steps += Self.relocated(other, by: steps.count)
            try checkSize(steps)
        }
        return steps
    }

    private mutating func sequence() throws(PatternFault) -> [Pattern.Step] {
        var steps: [Pattern.Step] = []
        while let next = peek, next != "|", next != ")" {
            let atom = try self.atom()
            let repeated = try self.repeated(atom)
            steps += Self.relocated(repeated, by: steps.count)
            try checkSize(steps)
        }
        return steps
    }

    private mutating func atom() throws(PatternFault) -> [Pattern.Step] {
        guard let scalar = peek else { throw fault("the end, where a character was expected") }
        position += 1
        switch scalar {
        case "(":
            return try group()
        case "[":
            return [try characterClass()]
        case ".":
            return [.set([], negated: true)]
        case "\\":
            return [.set(try escaped(), negated: false)]
        case "*", "+", "?", "{":
            throw fault("a repeat with nothing before it", back: 1)
        case "^", "$":
            throw fault("an anchor; write \\\(scalar) for the character itself", back: 1)
        default:
            return [.set([scalar.value...scalar.value], negated: false)]
        }
    }

    private mutating func group() throws(PatternFault) -> [Pattern.Step] {
        depth += 1
        guard depth <= 32 else { throw fault("groups nested more than 32 deep") }
        groupCount += 1
        let isFirst = groupCount == 1
        let inner = try alternatives()
        guard peek == ")" else { throw fault("a `(` that is never closed") }
        position += 1
        depth -= 1
        return isFirst ? [.save(0)] + Self.relocated(inner, by: 1) + [.save(1)] : inner
    }

    private mutating func characterClass() throws(PatternFault) -> Pattern.Step {
        var negated = false
        if peek == "^" {
            negated = true
            position += 1
        }
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = peek, scalar != "]" {
            position += 1
            if scalar == "\\" {
                ranges += try escaped()
                continue
            }
            if peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
                let upper = scalars[position + 1]
                guard scalar.value <= upper.value else {
                    throw fault("a range that runs backwards")
                }
                position += 2
                ranges.append(scalar.value...upper.value)
            } else {
                ranges.append(scalar.value...scalar.value)
            }
        }
        guard peek == "]" else { throw fault("a `[` that is never closed") }
        guard !ranges.isEmpty else { throw fault("an empty class") }
        position += 1
        return .set(ranges, negated: negated)
    }

    private mutating func escaped() throws(PatternFault) -> [ClosedRange<UInt32>] {
        guard let scalar = peek else { throw fault("a lone backslash at the end") }
        position += 1
        switch scalar {
        case "d": return [0x30...0x39]
        case "w": return [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        case "s": return [0x20...0x20, 0x09...0x0D]
        case "t": return [9...9]
        default:
            let isWordCharacter = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            guard !isWordCharacter else {
                throw fault("\\\(scalar), which is not known here", back: 1)
            }
            return [scalar.value...scalar.value]
        }
    }

    private mutating func repeated(_ atom: [Pattern.Step]) throws(PatternFault) -> [Pattern.Step] {
        guard let scalar = peek else { return atom }
        let counts: (least: Int, most: Int?)
        switch scalar {
        case "?": counts = (0, 1)
        case "*": counts = (0, nil)
        case "+": counts = (1, nil)
        case "{":
            position += 1
            counts = try bounds()
            position -= 1
        default: return atom
        }
        position += 1
        var steps: [Pattern.Step] = []
        for _ in 0..<counts.least {
            steps += Self.relocated(atom, by: steps.count)
            try checkSize(steps)
        }
        guard let most = counts.most else {
            // fork over the atom, which jumps back to the fork
            let start = steps.count
            steps.append(.fork(start + 1, start + atom.count + 2))
            steps += Self.relocated(atom, by: start + 1)
            steps.append(.jump(start))
            return steps
        }
        for _ in counts.least..<max(most, counts.least) {
            let start = steps.count
            steps.append(.fork(start + 1, start + 1 + atom.count))
            steps += Self.relocated(atom, by: start + 1)
            try checkSize(steps)
        }
        return steps
    }

    /// Reads `m}`, `m,}` or `m,n}`; `position` is then after the closing brace.
    private mutating func bounds() throws(PatternFault) -> (Int, Int?) {
        let least = try number()
        var most: Int? = least
        if peek == "," {
            position += 1
            most = peek == "}" ? nil : try number()
        }
        guard peek == "}" else { throw fault("a `{` that is never closed") }
        position += 1
        if let most, most < least { throw fault("a repeat whose end lies before its start") }
        return (least, most)
    }

    private mutating func number() throws(PatternFault) -> Int {
        var value = 0
        var digitCount = 0
        while let scalar = peek, ("0"..."9").contains(scalar), digitCount < 4 {
            value = value * 10 + Int(scalar.value - 0x30)
            digitCount += 1
            position += 1
        }
        guard digitCount > 0 else { throw fault("a repeat without a number") }
        return value
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func checkSize(_ steps: [Pattern.Step]) throws(PatternFault) {
        if steps.count > Self.stepLimit { throw fault("repeats that multiply beyond the limit") }
    }

    private func fault(_ message: String, back: Int = 0) -> PatternFault {
        PatternFault(characterNumber: position + 1 - back, message: message)
    }

    private static func relocated(_ steps: [Pattern.Step], by offset: Int) -> [Pattern.Step] {
        steps.map { step in
            switch step {
            case .fork(let first, let second): .fork(first + offset, second + offset)
            case .jump(let target): .jump(target + offset)
            case .set, .save, .match: step
            }
        }
    }
}
