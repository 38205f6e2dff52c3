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
