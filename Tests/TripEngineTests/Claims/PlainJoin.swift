import TripDomain

@testable import TripEngine

/// One line of a claim in a test.
struct TestLine: Hashable {
    var claim: String?
    var number: String?
    var code: String?
    var modifier: String?
    var frequency: String?
    var replaced: String?
    var cents: Int64?
    var miles: Int64?
    /// The file, which is also the delivery.
    var file = 0
    var id = ""

    static let kinds: [String: ClaimLineDefinition.Kind] = [
        "B1": .base, "B2": .base, "M1": .mileage, "X1": .ancillary,
    ]
    static let billings: [String: ClaimLineDefinition.Billing] = [
        "1": .original, "7": .replacement, "8": .void,
    ]

    var kind: ClaimLineDefinition.Kind? { code.flatMap { Self.kinds[$0] } }
    var billing: ClaimLineDefinition.Billing? { frequency.map { Self.billings[$0] } ?? .original }
    var takesBack: Bool { cents ?? 0 < 0 }

    func isSameService(_ other: TestLine) -> Bool {
        code == other.code && modifier == other.modifier
    }

    /// Whether the other takes back this line.
    func isTakenBack(by other: TestLine) -> Bool {
        !takesBack && other.takesBack && isSameService(other) && cents == other.cents.map { -$0 }
            && miles.map(abs) == other.miles.map(abs)
    }
}

/// What becomes of one line.
enum LineFate: Hashable {
    case trip(cents: Int64?, miles: Int64?)
    case merged(into: Int)
    case term(LedgerTerm)
    case fault(RejectReason)
}

/// The join of lines as `docs/PIPELINE.md` says it, by plain search: the slow twin of
/// ``JoinedClaims``.
///
/// Lines are named by their index in the list.
struct PlainJoin {
    private let lines: [TestLine]
    private(set) var fates: [Int: LineFate] = [:]
    /// The orphans whose claim has a base line in force, of another modifier.
    private(set) var orphansByModifier: Set<Int> = []
    /// The first line of each replacement and void that finds no claim which it is about.
    private(set) var unmatched: Set<Int> = []
    private var claims: Set<String> = []

    init(_ lines: [TestLine]) {
        self.lines = lines
        for (index, line) in lines.enumerated() {
            if line.claim == nil || line.code == nil {
                fates[index] = .fault(.missingValue)
            } else if line.kind == nil || line.billing == nil {
                fates[index] = .fault(.unknownValue)
            }
        }
        let valid = lines.indices.filter { fates[$0] == nil }
        claims = Set(valid.compactMap { lines[$0].claim })
        var inForce: [String: [Int]] = [:]
        var links: [String: [(claim: String, isVoid: Bool)]] = [:]
        var lastLine: [String: Int] = [:]
        for claim in claims {
            let state = fold(valid.filter { lines[$0].claim == claim })
            (inForce[claim], links[claim]) = (state.inForce, state.links)
            lastLine[claim] = state.last
        }
        for claim in claims {
            let out = claims.flatMap { other in
                (links[other] ?? []).filter { link in
                    guard link.claim == claim, other != claim else { return false }
                    let isCircle = Self.leads(from: claim, to: other, links)
                    return !isCircle || lastLine[other] ?? -1 > lastLine[claim] ?? -1
                }
            }
            if out.isEmpty {
                join(inForce[claim] ?? [])
            } else {
                mark(inForce[claim] ?? [], out.contains(where: \.isVoid) ? .withdrawn : .superseded)
            }
        }
    }

    private static func leads(
        from start: String,
        to goal: String,
        _ links: [String: [(claim: String, isVoid: Bool)]]
    ) -> Bool {
        var seen: Set<String> = []
        var ahead = [start]
        while let claim = ahead.popLast() {
            if claim == goal { return true }
            if seen.insert(claim).inserted { ahead += (links[claim] ?? []).map(\.claim) }
        }
        return false
    }

    private mutating func mark(_ indexes: [Int], _ term: LedgerTerm) {
        for index in indexes { fates[index] = .term(term) }
    }

    /// All fields but the file.
    private func isEqual(_ left: Int, _ right: Int) -> Bool {
        var other = lines[right]
        other.file = lines[left].file
        return lines[left] == other
    }

    /// The versions of a claim: by file and frequency; a number that comes again begins a new one.
    private func versions(_ indexes: [Int]) -> [[Int]] {
        var versions: [[Int]] = []
        for index in indexes {
            let line = lines[index]
            let last = versions.lastIndex { version in
                lines[version[0]].file == line.file && lines[version[0]].billing == line.billing
            }
            let isRepeated = last.map { last in
                line.number != nil && versions[last].contains { lines[$0].number == line.number }
            }
            if let last, isRepeated == false {
                versions[last].append(index)
            } else {
                versions.append([index])
            }
        }
        return versions
    }

    private mutating func fold(
        _ indexes: [Int]
    ) -> (inForce: [Int], links: [(claim: String, isVoid: Bool)], last: Int) {
        var inForce: [Int] = []
        var links: [(claim: String, isVoid: Bool)] = []
        var before: [Int] = []
        for version in versions(indexes) {
            var own: [Int] = []
            for index in version {
                if own.contains(where: { isEqual($0, index) }) {
                    mark([index], .duplicate)
                } else {
                    own.append(index)
                }
            }
            let isAgain =
                own.count == before.count
                && own.allSatisfy { index in before.contains { isEqual($0, index) } }
            guard !isAgain else {
                mark(own, .duplicate)
                continue
            }
            let billing = lines[own[0]].billing
            let named = own.filter { lines[$0].billing != .original }.compactMap {
                lines[$0].replaced.map { ($0, billing == .void) }
            }
            let isAlone = named.allSatisfy { $0.0 == lines[own[0]].claim || !claims.contains($0.0) }
            if billing != .original, before.isEmpty, isAlone { unmatched.insert(own[0]) }
            if billing == .void {
                mark(inForce + own, .withdrawn)
                inForce = []
                links += named
            } else if own.contains(where: { lines[$0].takesBack }) {
                inForce += own
                links += named
            } else if own.contains(where: { lines[$0].kind == .base }) {
                mark(inForce, .superseded)
                inForce = own
                links = named
            } else {
                for index in own {
                    let isKnown = inForce.contains { isEqual($0, index) }
                    fates[index] = isKnown ? .term(.duplicate) : .fault(.orphanLine)
                }
                continue
            }
            before = own
        }
        return (inForce, links, before.last ?? -1)
    }

    /// Joins the lines in force of one claim.
    private mutating func join(_ inForce: [Int]) {
        var left = inForce
        for index in inForce where lines[index].takesBack {
            guard let charge = left.first(where: { lines[$0].isTakenBack(by: lines[index]) }) else {
                continue
            }
            left.removeAll { $0 == charge || $0 == index }
            mark([charge, index], .withdrawn)
        }
        for index in left where lines[index].takesBack {
            let service = left.filter { lines[$0].isSameService(lines[index]) }
            let isNothing = service.reduce(Int64(0)) { $0 + (lines[$1].cents ?? 0) } == 0
            guard isNothing, service.contains(where: { !lines[$0].takesBack }) else { continue }
            left.removeAll { service.contains($0) }
            mark(service, .withdrawn)
        }
        let bases = left.filter { lines[$0].kind == .base && !lines[$0].takesBack }
        var members = Dictionary(uniqueKeysWithValues: bases.map { ($0, [$0]) })
        for index in left where !bases.contains(index) {
            let line = lines[index]
            let fitting = bases.filter { base in
                line.kind == .base
                    ? lines[base].isSameService(line)
                    : line.modifier == nil || line.modifier == lines[base].modifier
            }
            guard let first = fitting.first else {
                fates[index] = .fault(.orphanLine)
                if line.kind != .base, !bases.isEmpty { orphansByModifier.insert(index) }
                continue
            }
            let before = left.filter { $0 < index && lines[$0].isSameService(line) }.count
            let base = line.kind == .base ? first : fitting[min(before, fitting.count - 1)]
            members[base, default: []].append(index)
            fates[index] = .merged(into: base)
        }
        for (base, own) in members {
            let cents = own.compactMap { lines[$0].cents }
            let miles = own.filter { lines[$0].kind == .mileage }.compactMap { lines[$0].miles }
            fates[base] = .trip(
                cents: cents.isEmpty ? nil : cents.reduce(0, +),
                miles: miles.isEmpty ? nil : miles.reduce(0, +)
            )
        }
    }
}
