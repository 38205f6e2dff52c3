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
        run(Array(String(decoding: text, as: UTF8.self).unicodeScalars), mustReachEnd: true)
            != nil
    }

    /// The first group of the leftmost match anywhere in a text; the whole match where the
    /// pattern has no group; nil where nothing matches.
    public func capture(in text: String) -> String? {
        let scalars = Array(text.unicodeScalars)
        for start in 0...scalars.count {
            guard let found = run(Array(scalars[start...]), mustReachEnd: false) else { continue }
            var view = String.UnicodeScalarView()
            view.append(
                contentsOf: scalars[(start + found.lowerBound)..<(start + found.upperBound)]
            )
            return String(view)
        }
        return nil
    }

    private struct Thread {
        var step: Int
        var group: (start: Int, end: Int)
    }

    /// Runs the machine from the text's start; the range is the group's, or the whole match's.
    private func run(_ scalars: [Unicode.Scalar], mustReachEnd: Bool) -> Range<Int>? {
        var current: [Thread] = []
        var best: Range<Int>?
        var seen = [Int](repeating: -1, count: steps.count)
        add(Thread(step: 0, group: (-1, -1)), at: 0, to: &current, seen: &seen)
        for position in 0...scalars.count {
            var next: [Thread] = []
            threads: for thread in current {
                switch steps[thread.step] {
                case .match:
                    guard !mustReachEnd || position == scalars.count else { continue threads }
                    best =
                        thread.group.end >= 0
                        ? thread.group.start..<thread.group.end : 0..<position
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
            if current.isEmpty { break }
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
}
