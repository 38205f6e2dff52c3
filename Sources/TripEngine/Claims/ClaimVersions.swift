internal import TripDomain

/// What the versions of one claim come to: the lines in force, and what became of the others.
///
/// Versions are taken in order of exports. A version replaces the one before it as a whole; one
/// that takes amounts back is added to it; a void leaves nothing.
struct ClaimState: Sendable {
    /// The lines in force, in order of exports.
    var inForce: [Int] = []
    /// The lines that are not, each with its term and the line whose trip it belongs to.
    var setAside: [(line: Int, term: LedgerTerm, trip: Int)] = []
    /// The lines of versions without a base line.
    var orphans: [Int] = []
    /// The claims that it replaces or voids.
    var links: [(claim: UInt32, isVoid: Bool)] = []
    /// Pairs of lines of which the later one's version replaced the earlier one's.
    var replacements: [(earlier: Int, later: Int)] = []
    /// Base lines whose trips a later version of the claim lacks, and its first line.
    var lost: [(earlier: Int, later: Int)] = []
    /// The first line of each replacement and void, with the other claims that it names, or with
    /// none where it names none and no earlier line has its own number.
    var references: [(line: Int, claims: [UInt32])] = []
    /// Its last line in order of versions; -1 where it has none.
    var lastLine = -1
}

/// Divides the lines of one claim into its versions, and decides which is in force.
struct ClaimVersions {
    /// What the lines of one version have in common.
    private struct Origin: Hashable {
        let delivery: Int
        let billing: ClaimLineDefinition.Billing
        /// The first line with the same text in the field that orders versions; -1 without one.
        let order: Int
    }

    /// The lines of a claim that one delivery brought together.
    private struct Version {
        let billing: ClaimLineDefinition.Billing
        var lines: [Int]
        /// Its lines by their numbers in the claim.
        var numbers: LineIndex?
    }

    private let claimLines: ClaimLines
    private var state = ClaimState()
    /// The lines in force by their values; nil until they are asked for.
    private var inForce: LineIndex?

    private init(_ claimLines: ClaimLines) {
        self.claimLines = claimLines
    }

    /// The state of one claim.
    ///
    /// - Parameters:
    ///   - lines: All its lines, in order of exports.
    ///   - claimLines: The lines of the source.
    /// - Returns: What is in force, and what became of the other lines.
    /// - Complexity: O(*n* log *n*) in the lines, however many versions they are; more where lines
    ///   that are set aside lack shared values, see ``ClaimTrips``.
    static func state(of lines: ArraySlice<UInt32>, _ claimLines: ClaimLines) -> ClaimState {
        var claim = ClaimVersions(claimLines)
        var before: [Int] = []
        for version in claim.versions(of: lines) {
            let own = claim.distinct(version.lines)
            if claim.isEqual(own, before) {
                claim.setAside(own, .duplicate, within: own)
                continue
            }
            if claim.take(own, version.billing) { before = own }
        }
        return claim.state
    }

    /// The versions in order of exports.
    private func versions(of lines: ArraySlice<UInt32>) -> [Version] {
        var versions: [Version] = []
        // The last version of each origin.
        var last: [Origin: Int] = [:]
        var orders = claimLines.order.map { LineIndex($0) }
        for line in lines.lazy.map({ Int($0) }) {
            let origin = Origin(
                delivery: claimLines.deliveries[line],
                billing: billing(line),
                order: orders?.first(equalTo: line) ?? -1
            )
            if let index = last[origin], !repeatsNumber(line, of: &versions[index]) {
                versions[index].lines.append(line)
                continue
            }
            var numbers = claimLines.number.map { LineIndex($0) }
            _ = numbers?.first(equalTo: line)
            last[origin] = versions.count
            versions.append(Version(billing: origin.billing, lines: [line], numbers: numbers))
        }
        guard let order = claimLines.order, versions.count > 1 else { return versions }
        return versions.enumerated().sorted { left, right in
            let first = order.text(left.element.lines[0], field: 0)
            let second = order.text(right.element.lines[0], field: 0)
            return isEqualText(first, second)
                ? left.offset < right.offset : precedesText(first, second)
        }.map(\.element)
    }

    /// Whether a version has a line of the same number already; else its number is kept.
    private func repeatsNumber(_ line: Int, of version: inout Version) -> Bool {
        guard let number = claimLines.number, number.isWhole(line) else { return false }
        return version.numbers?.first(equalTo: line) != line
    }

    private func billing(_ line: Int) -> ClaimLineDefinition.Billing {
        claimLines.billings.isEmpty ? .original : claimLines.billings[line]
    }

    /// The lines of a version, each once; the others are duplicates.
    private mutating func distinct(_ lines: [Int]) -> [Int] {
        guard lines.count > 1 else { return lines }
        var known = LineIndex(claimLines.all)
        var distinct: [Int] = []
        for line in lines {
            let first = known.first(equalTo: line)
            if first == line {
                distinct.append(line)
            } else {
                state.setAside.append((line, .duplicate, line))
            }
        }
        return distinct
    }

    /// Whether two versions have equal lines, in any order.
    private func isEqual(_ left: [Int], _ right: [Int]) -> Bool {
        guard left.count == right.count else { return false }
        var known = LineIndex(claimLines.all)
        for line in left { _ = known.first(equalTo: line) }
        return right.allSatisfy { known.find($0) != nil }
    }

    /// Takes the next version; false where it changes nothing.
    private mutating func take(_ lines: [Int], _ billing: ClaimLineDefinition.Billing) -> Bool {
        let names = claimLines.replaced.isEmpty ? [] : lines.map { claimLines.replaced[$0] }
        let links = Set(names.filter { $0 != 0 }).sorted().map { ($0, billing == .void) }
        noteReference(from: lines, billing, to: links.map(\.0))
        if billing == .void {
            setAside(state.inForce, .withdrawn, within: state.inForce)
            setAside(lines, .withdrawn, within: lines)
            (state.inForce, inForce) = ([], nil)
            state.links += links
        } else if lines.contains(where: claimLines.isReversal) {
            state.inForce += lines
            for line in lines { _ = inForce?.first(equalTo: line) }
            state.links += links
        } else if lines.contains(where: { claimLines.kinds[$0] == .base }) {
            noteReplacement(by: lines, billing)
            setAside(state.inForce, .superseded, within: state.inForce)
            (state.inForce, inForce) = (lines, nil)
            state.links = links
        } else {
            reject(lines)
            return false
        }
        state.lastLine = lines.last ?? state.lastLine
        return true
    }

    /// Notes what a replacement or void is about, unless it is about an earlier version of its own
    /// claim.
    private mutating func noteReference(
        from lines: [Int],
        _ billing: ClaimLineDefinition.Billing,
        to names: [UInt32]
    ) {
        guard billing != .original, state.lastLine < 0, let first = lines.first else { return }
        state.references.append((first, names.filter { $0 != claimLines.claims[first] }))
    }

    /// Notes that a version replaces the lines in force, and which of their trips it lacks.
    private mutating func noteReplacement(
        by lines: [Int],
        _ billing: ClaimLineDefinition.Billing
    ) {
        guard let earlier = state.inForce.first, let later = lines.first else { return }
        state.replacements.append((earlier, later))
        guard billing == .original else { return }
        var ids = LineIndex(claimLines.tripID)
        for line in lines where claimLines.kinds[line] == .base { _ = ids.first(equalTo: line) }
        let bases = ClaimTrips(state.inForce, claimLines).trips.map(\.base)
        state.lost += bases.filter { ids.find($0) == nil }.map { ($0, later) }
    }

    /// Sets aside a version without a base line: it changes nothing.
    ///
    /// Lines that are in force already are duplicates: a part of the claim was sent again.
    private mutating func reject(_ lines: [Int]) {
        var known = inForce ?? LineIndex(claimLines.all)
        if inForce == nil {
            for line in state.inForce { _ = known.first(equalTo: line) }
            inForce = known
        }
        for line in lines {
            if known.find(line) != nil {
                state.setAside.append((line, .duplicate, line))
            } else {
                state.orphans.append(line)
            }
        }
    }

    /// Gives lines a term, each with the trip that it would belong to.
    private mutating func setAside(_ lines: [Int], _ term: LedgerTerm, within claim: [Int]) {
        guard !lines.isEmpty else { return }
        state.setAside += ClaimTrips.trips(of: claim, claimLines).map { ($0, term, $1) }
    }
}
