internal import TripDomain

/// Joins the lines of one claim: which base line each of the others belongs to.
struct ClaimTrips: Sendable {
    /// The trips: a base line each, and the lines that are merged into it, in order of exports.
    private(set) var trips: [(base: Int, merged: [Int])] = []
    /// Lines that cancel each other.
    private(set) var cancelled: [Int] = []
    /// Lines without a base line, each with the shared field in which it differs from the base
    /// lines of its claim; nil where the claim has none.
    private(set) var orphans: [(line: Int, field: Int?)] = []

    /// Joins lines.
    ///
    /// 1. A line that takes an amount back cancels the first line of the same service with that
    ///    amount. What is left of a service cancels where it adds up to nothing.
    /// 2. Each base line that is left is a trip, unless it takes an amount back.
    /// 3. The others belong to a base line with the same shared values. Where several fit, the
    ///    first line of a service belongs to the first of them, the second to the second; further
    ///    ones belong to the last.
    ///
    /// - Parameters:
    ///   - lines: The lines of a claim, in order of exports.
    ///   - claimLines: The lines of the source.
    /// - Complexity: O(*n* log *n*) in the lines; O(*n* *b*) in the services without all shared
    ///   values and the base lines.
    init(_ lines: [Int], _ claimLines: ClaimLines) {
        let services = Self.services(lines, claimLines).map { service in
            let left = Self.netted(service, claimLines)
            cancelled += left.count == service.count ? [] : Self.difference(service, left)
            return left
        }
        cancelled.sort()
        let left = services.flatMap(\.self).sorted()
        let bases = left.filter { claimLines.kinds[$0] == .base && !claimLines.isReversal($0) }
        guard !bases.isEmpty else {
            orphans = left.map { ($0, nil) }
            return
        }
        var merged = [[Int]](repeating: [], count: bases.count)
        let finder = SharedValueSearch(bases, claimLines)
        for service in services {
            join(service, finder, claimLines, into: &merged)
        }
        orphans.sort { $0.line < $1.line }
        trips = zip(bases, merged).map { ($0, $1.sorted()) }
    }

    /// The trip of each of some lines of a claim: its base line, or the line itself where there is
    /// none.
    static func trips(of lines: [Int], _ claimLines: ClaimLines) -> [(line: Int, trip: Int)] {
        guard lines.count > 1 else { return lines.map { ($0, $0) } }
        let join = ClaimTrips(lines, claimLines)
        var trips = (join.cancelled + join.orphans.map(\.line)).map { ($0, $0) }
        for trip in join.trips {
            trips.append((trip.base, trip.base))
            trips += trip.merged.map { ($0, trip.base) }
        }
        return trips.sorted { $0.0 < $1.0 }
    }

    /// The lines by service, that is by kind and shared values, in order of first appearance.
    private static func services(_ lines: [Int], _ claimLines: ClaimLines) -> [[Int]] {
        guard lines.count > 1 else { return [lines] }
        var known = LineIndex(claimLines.service)
        var numbers: [Int: Int] = [:]
        var services: [[Int]] = []
        for line in lines {
            let first = known.first(equalTo: line)
            if let number = numbers[first] {
                services[number].append(line)
            } else {
                numbers[first] = services.count
                services.append([line])
            }
        }
        return services
    }

    /// The lines of a service without those that cancel each other.
    private static func netted(_ service: [Int], _ claimLines: ClaimLines) -> [Int] {
        let reversals = service.filter(claimLines.isReversal)
        guard !reversals.isEmpty, reversals.count < service.count else { return service }
        var charges: [[Int64?]: [Int]] = [:]
        for line in service.reversed() where !claimLines.isReversal(line) {
            charges[amounts(of: line, claimLines, sign: 1), default: []].append(line)
        }
        var gone: Set<Int> = []
        for reversal in reversals {
            // The last element is the first line.
            guard let charge = charges[amounts(of: reversal, claimLines, sign: -1)]?.popLast()
            else {
                continue
            }
            gone.formUnion([charge, reversal])
        }
        let left = service.filter { !gone.contains($0) }
        return left.contains(where: claimLines.isReversal) && isNothing(left, claimLines)
            ? [] : left
    }

    /// The numbers that a reversal must have to cancel a line; all but the amount itself are taken
    /// back by some exports as they were, and by others with a sign.
    private static func amounts(of line: Int, _ claimLines: ClaimLines, sign: Int64) -> [Int64?] {
        claimLines.limits.indices.map { field in
            claimLines.sums.integer(line, field: field).map { value in
                field == claimLines.amount
                    ? value &* sign : Int64(truncatingIfNeeded: value.magnitude)
            }
        }
    }

    /// Whether the amounts of some lines add up to nothing, and some line is no reversal.
    private static func isNothing(_ lines: [Int], _ claimLines: ClaimLines) -> Bool {
        guard let amount = claimLines.amount, lines.contains(where: { !claimLines.isReversal($0) })
        else { return false }
        return lines.reduce(Int64(0)) { $0 &+ (claimLines.sums.integer($1, field: amount) ?? 0) }
            == 0
    }

    private static func difference(_ lines: [Int], _ left: [Int]) -> [Int] {
        let left = Set(left)
        return lines.filter { !left.contains($0) }
    }

    /// Joins the lines of one service to their base lines.
    private mutating func join(
        _ service: [Int],
        _ finder: SharedValueSearch,
        _ claimLines: ClaimLines,
        into merged: inout [[Int]]
    ) {
        guard let first = service.first else { return }
        guard claimLines.kinds[first] != .base else {
            // What takes a part of a base line's amount back belongs to the first of them.
            let base = service.first { !claimLines.isReversal($0) }.flatMap { finder.place(of: $0) }
            for line in service where claimLines.isReversal(line) {
                if let base { merged[base].append(line) } else { orphans.append((line, nil)) }
            }
            return
        }
        let places = finder.places(fitting: first)
        guard !places.isEmpty else {
            let field = finder.fieldThatDiffers(first)
            orphans += service.map { ($0, field) }
            return
        }
        for (number, line) in service.enumerated() {
            merged[places[min(number, places.count - 1)]].append(line)
        }
    }
}

/// Finds the base lines of a claim that have the shared values of a line.
private struct SharedValueSearch {
    private let claimLines: ClaimLines
    private let bases: [Int]
    private var known: LineIndex
    /// The places of base lines, by the first base line that has their shared values.
    private var placesOfFirst: [Int: [Int]] = [:]

    init(_ bases: [Int], _ claimLines: ClaimLines) {
        self.claimLines = claimLines
        self.bases = bases
        known = LineIndex(claimLines.shared)
        for (place, base) in bases.enumerated() {
            placesOfFirst[known.first(equalTo: base), default: []].append(place)
        }
    }

    /// The place of a base line among all, which stand in order of exports.
    func place(of base: Int) -> Int? {
        let place = bases.partitioningIndex { $0 >= base }
        return place < bases.count && bases[place] == base ? place : nil
    }

    /// The first shared field in which a line differs from the base line that it differs from in
    /// the fewest.
    func fieldThatDiffers(_ line: Int) -> Int? {
        bases.map { claimLines.shared.differences(of: line, from: $0) }
            .min { $0.count < $1.count }?.first
    }

    /// The places of the base lines that have a line's shared values wherever it has one.
    func places(fitting line: Int) -> [Int] {
        guard !claimLines.shared.isWhole(line) else {
            return known.find(line).flatMap { placesOfFirst[$0] } ?? []
        }
        return bases.indices.filter { claimLines.shared.isEqualWhereKnown(line, to: bases[$0]) }
    }
}
