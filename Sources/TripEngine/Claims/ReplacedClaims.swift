internal import TripDomain

/// Which claims another claim replaced or voided, by name.
///
/// The name decides and not the order of exports: an export of everything repeats an original after
/// its replacement.
struct ReplacedClaims {
    /// Per claim, the term of its lines; nil where they stay in force.
    private(set) var terms: [LedgerTerm?]

    /// Follows the names.
    ///
    /// - Parameter states: The state of each claim, by number.
    /// - Complexity: O(*n*) in the claims and their links.
    init(_ states: [ClaimState]) {
        terms = [LedgerTerm?](repeating: nil, count: states.count)
        let circles = Self.circles(states)
        for (claim, state) in states.enumerated() {
            for link in state.links where Int(link.claim) != claim {
                let other = Int(link.claim)
                // Of claims that replace each other in a circle, the last one is meant.
                let isCircle = circles[claim] != nil && circles[claim] == circles[other]
                if isCircle, state.lastLine < states[other].lastLine { continue }
                terms[other] = link.isVoid ? .withdrawn : terms[other] ?? .superseded
            }
        }
    }

    /// Per claim with a link, the number of the circle that it is in, or a number of its own.
    ///
    /// Two claims are in one circle where links lead from each to the other. The claims are taken
    /// in the order in which a search along the links leaves them, last first; what a search
    /// against the links finds from there is one circle (Kosaraju's method).
    private static func circles(_ states: [ClaimState]) -> [Int: Int] {
        var forward: [Int: [Int]] = [:]
        var backward: [Int: [Int]] = [:]
        for (claim, state) in states.enumerated() {
            for link in state.links where Int(link.claim) != claim {
                forward[claim, default: []].append(Int(link.claim))
                backward[Int(link.claim), default: []].append(claim)
            }
        }
        guard !forward.isEmpty else { return [:] }
        var seen: Set<Int> = []
        let left = Set(forward.keys).union(backward.keys).sorted().flatMap {
            found(from: $0, along: forward, unless: &seen)
        }
        var circles: [Int: Int] = [:]
        seen = []
        for claim in left.reversed() {
            for other in found(from: claim, along: backward, unless: &seen) {
                circles[other] = claim
            }
        }
        return circles
    }

    /// The claims that links lead to, in the order in which a search leaves them.
    private static func found(
        from start: Int,
        along links: [Int: [Int]],
        unless seen: inout Set<Int>
    ) -> [Int] {
        guard seen.insert(start).inserted else { return [] }
        var left: [Int] = []
        // A list instead of calls: a chain of replacements may be long.
        var path = [(claim: start, next: 0)]
        while let (claim, next) = path.last {
            let others = links[claim] ?? []
            guard next < others.count else {
                left.append(claim)
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            if seen.insert(others[next]).inserted { path.append((others[next], 0)) }
        }
        return left
    }
}
