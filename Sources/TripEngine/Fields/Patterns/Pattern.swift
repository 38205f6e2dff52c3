import TripRules

/// A pattern over text in a documented subset of regular expressions, matched in linear time.
///
/// Literals, `.`, classes `[A-Z0-9]` and `[^…]`, `\d` `\w` `\s`, escaped punctuation, groups,
/// alternatives `|`, and the repeats `?` `*` `+` `{m}` `{m,}` `{m,n}`. The first group can be
/// captured. Back-references do not exist, so no input can make a pattern slow.
///
/// - SeeAlso: Russ Cox, "Regular Expression Matching: the Virtual Machine Approach".
public struct Pattern: Sendable, Hashable {
    /// One step of the compiled machine.
    enum Step: Sendable, Hashable {
        /// Consumes one scalar of a set.
        case set([ClosedRange<UInt32>], negated: Bool)
        /// Continues at both steps; the first is preferred.
        case fork(Int, Int)
        /// Continues at another step.
        case jump(Int)
        /// Stores the position in a capture slot: 0 begins the first group, 1 ends it.
        case save(Int)
        /// The pattern has matched.
        case match
    }

    /// The pattern as written.
    public let text: String
    let steps: [Step]

    /// Compiles a pattern.
    ///
    /// - Throws: ``PatternFault`` naming the character that cannot be understood.
    public init(_ text: String) throws(PatternFault) {
        self.text = text
        var parser = PatternParser(text)
        steps = try parser.parse()
    }

    /// Whether the whole text matches.
    ///
    /// - Complexity: O(*n* · *m*) in the scalars of the text and the steps of the pattern.
    public func matches(_ text: some Collection<UInt8>) -> Bool {
        run(Array(String(decoding: text, as: UTF8.self).unicodeScalars), isWhole: true) != nil
    }

    /// The first group of the leftmost match anywhere in a text; the whole match where the
    /// pattern has no group; nil where nothing matches.
    ///
    /// - Complexity: O(*n* · *m*) in the scalars of the text and the steps of the pattern.
    public func capture(in text: String) -> String? {
        let scalars = Array(text.unicodeScalars)
        guard let found = run(scalars, isWhole: false) else { return nil }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[found])
        return String(view)
    }

    private struct Thread {
        var step: Int
        /// Where the match begins.
        let start: Int
        var group = (start: -1, end: -1)
    }

    /// Runs the machine over a text.
    ///
    /// - Parameters:
    ///   - scalars: The text.
    ///   - isWhole: Whether the whole text must match, rather than the leftmost part that does.
    /// - Returns: The range of the group, or of the whole match; nil where nothing matches.
    private func run(_ scalars: [Unicode.Scalar], isWhole: Bool) -> Range<Int>? {
        var current: [Thread] = []
        var best: Range<Int>?
        var seen = [Int](repeating: -1, count: steps.count)
        for position in 0...scalars.count {
            // Behind the threads that began further left, which are preferred.
            if best == nil, !isWhole || position == 0 {
                add(Thread(step: 0, start: position), at: position, to: &current, seen: &seen)
            }
            var next: [Thread] = []
            threads: for thread in current {
                switch steps[thread.step] {
                case .match:
                    guard !isWhole || position == scalars.count else { continue threads }
                    best =
                        thread.group.end >= 0
                        ? thread.group.start..<thread.group.end : thread.start..<position
                    break threads
                case .set(let ranges, let negated):
                    guard position < scalars.count else { continue threads }
                    let value = scalars[position].value
                    if ranges.contains(where: { $0.contains(value) }) != negated {
                        var moved = thread
                        moved.step += 1
                        add(moved, at: position + 1, to: &next, seen: &seen)
                    }
                case .fork, .jump, .save:
                    preconditionFailure("steps that consume nothing are followed when added")
                }
            }
            current = next
            if current.isEmpty, isWhole || best != nil { break }
        }
        return best
    }

    /// Adds a thread and all steps it reaches without consuming, each once per position.
    private func add(_ thread: Thread, at position: Int, to list: inout [Thread], seen: inout [Int])
    {
        var pending = [thread]
        while var next = pending.popLast() {
            guard seen[next.step] != position else { continue }
            seen[next.step] = position
            switch steps[next.step] {
            case .jump(let target):
                next.step = target
                pending.append(next)
            case .fork(let preferred, let other):
                var second = next
                second.step = other
                pending.append(second)
                next.step = preferred
                pending.append(next)
            case .save(let slot):
                if slot == 0 { next.group.start = position } else { next.group.end = position }
                next.step += 1
                pending.append(next)
            case .set, .match:
                list.append(next)
            }
        }
    }

    /// Two patterns are equal when they are written alike.
    public static func == (left: Pattern, right: Pattern) -> Bool { left.text == right.text }

    /// Hashes the pattern as written.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// What is wrong with a pattern, and where.
public struct PatternFault: Error, Sendable, Hashable {
    /// The character at which parsing failed, counted from 1.
    public let characterNumber: Int
    /// What was found and what was expected.
    public let message: String
    /// What was probably meant; empty where nothing is near.
    public var suggestion = ""
}

/// A pattern's machine as a deterministic automaton over bytes, built lazily as texts need it.
///
/// Columns such as patient identifiers are distinct in almost every row, so their pattern is
/// matched millions of times. A state is the set of steps the machine can be in, and each byte
/// leads to the next state by one table access. Texts outside ASCII are matched by the pattern
/// itself.
struct PatternTable: Sendable {
    /// The greatest number of states; the pattern itself matches texts that need more.
    static let stateLimit = 256
    private static let dead: Int16 = -1
    private static let unknown: Int16 = -2

    private let pattern: Pattern
    /// The steps of each state, sorted.
    private var stepsOfState: [[Int]] = []
    private var stateOfSteps: [[Int]: Int16] = [:]
    private var isAccepting: [Bool] = []
    /// 128 entries per state.
    private var next: [Int16] = []
    /// The length of all texts that match, where the pattern is one set per position; else 0.
    private let length: Int
    /// For each such position, 1 for each of the 128 bytes allowed there.
    ///
    /// Positions are checked independently, so that the processor need not finish one before the
    /// next.
    private let allowed: [UInt8]

    init(_ pattern: Pattern) {
        self.pattern = pattern
        let sets = pattern.fixedSets
        length = sets.count
        allowed = sets.flatMap { set in
            (0..<UInt32(128)).map { byte in
                set.ranges.contains { $0.contains(byte) } != set.negated ? 1 : 0
            }
        }
        _ = state(of: pattern.closure(of: [0]))
    }

    /// Whether the whole text matches.
    ///
    /// - Complexity: O(*n*) in the bytes, once the states a text needs are known.
    mutating func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if length > 0, text.count == length {
            var fits: UInt8 = 1
            var all: UInt8 = 0
            allowed.withUnsafeBufferPointer { allowed in
                for index in 0..<text.count {
                    all |= text[index]
                    fits &= allowed[index &* 128 &+ Int(text[index] & 127)]
                }
            }
            if all < 128 { return fits == 1 }
        }
        return matchesByState(text)
    }

    private mutating func matchesByState(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var current = 0
        for byte in text {
            guard byte < 128 else { return pattern.matches(text) }
            var target = next[current * 128 + Int(byte)]
            if target == Self.unknown {
                let steps = pattern.advance(stepsOfState[current], by: UInt32(byte))
                guard let found = state(of: steps) else { return pattern.matches(text) }
                target = found
                next[current * 128 + Int(byte)] = found
            }
            if target == Self.dead { return false }
            current = Int(target)
        }
        return isAccepting[current]
    }

    /// The state of a set of steps, added if it is new; nil where there are too many states.
    private mutating func state(of steps: [Int]) -> Int16? {
        guard !steps.isEmpty else { return Self.dead }
        if let known = stateOfSteps[steps] { return known }
        guard stepsOfState.count < Self.stateLimit else { return nil }
        let state = Int16(stepsOfState.count)
        stepsOfState.append(steps)
        stateOfSteps[steps] = state
        isAccepting.append(steps.contains { pattern.steps[$0] == .match })
        next += [Int16](repeating: Self.unknown, count: 128)
        return state
    }
}

extension Pattern {
    /// The sets of a pattern that is a plain sequence of sets; empty for any other pattern.
    fileprivate var fixedSets: [(ranges: [ClosedRange<UInt32>], negated: Bool)] {
        var sets: [(ranges: [ClosedRange<UInt32>], negated: Bool)] = []
        for (index, step) in steps.enumerated() {
            switch step {
            case .set(let ranges, let negated): sets.append((ranges, negated))
            case .match where index == steps.count - 1: break
            case .save: continue
            case .match, .jump, .fork: return []
            }
        }
        return sets
    }

    /// All steps reached from given ones without consuming anything, sorted.
    func closure(of starts: [Int]) -> [Int] {
        var seen: Set<Int> = []
        var pending = starts
        while let step = pending.popLast() {
            guard seen.insert(step).inserted else { continue }
            switch steps[step] {
            case .jump(let target): pending.append(target)
            case .fork(let first, let second): pending += [first, second]
            case .save: pending.append(step + 1)
            case .set, .match: break
            }
        }
        return seen.filter { step in
            switch steps[step] {
            case .set, .match: true
            case .jump, .fork, .save: false
            }
        }.sorted()
    }

    /// The steps reached from given ones by consuming one scalar.
    func advance(_ current: [Int], by scalar: UInt32) -> [Int] {
        closure(
            of: current.compactMap { step in
                guard case .set(let ranges, let negated) = steps[step],
                    ranges.contains(where: { $0.contains(scalar) }) != negated
                else { return nil }
                return step + 1
            }
        )
    }
}
