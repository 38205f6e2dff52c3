internal import TripDomain

/// What became of all lines of some claims.
struct ClaimOutcome: Sendable {
    /// The trips: a base line each, and the lines that are merged into it.
    private(set) var trips: [(base: Int, merged: [Int])] = []
    private(set) var setAside: [(line: Int, term: LedgerTerm, trip: Int)] = []
    /// Lines without a base line, each with a base line of its claim, if it has one, and with the
    /// shared field in which it differs from them.
    private(set) var orphans: [(line: Int, trip: Int?, field: Int?)] = []
    private(set) var replacements: [(earlier: Int, later: Int)] = []
    private(set) var lost: [(earlier: Int, later: Int)] = []
    /// Lines that would take the sum of a trip beyond what a field can have, with its base line.
    private(set) var excessive: [(line: Int, trip: Int, field: Int)] = []

    /// Adds one claim.
    ///
    /// - Parameters:
    ///   - state: Its lines in force and its other lines.
    ///   - term: The term of its lines in force where another claim replaced it.
    ///   - claimLines: The lines of the source.
    mutating func add(_ state: ClaimState, term: LedgerTerm?, _ claimLines: ClaimLines) {
        setAside += state.setAside
        replacements += state.replacements
        if let term {
            setAside += ClaimTrips.trips(of: state.inForce, claimLines).map { ($0, term, $1) }
            orphans += state.orphans.map { ($0, nil, nil) }
            return
        }
        lost += state.lost
        let join = ClaimTrips(state.inForce, claimLines)
        trips += join.trips.map { limited($0, claimLines) }
        setAside += join.cancelled.map { ($0, .withdrawn, $0) }
        let trip = join.trips.first?.base
        orphans += state.orphans.map { ($0, trip, nil) }
        orphans += join.orphans.map { ($0.line, trip, $0.field) }
    }

    /// A trip without the lines with which a sum would leave the limit of one amount.
    private mutating func limited(
        _ trip: (base: Int, merged: [Int]),
        _ claimLines: ClaimLines
    ) -> (base: Int, merged: [Int]) {
        var sums = claimLines.limits.indices.map {
            claimLines.sums.integer(trip.base, field: $0) ?? 0
        }
        var merged: [Int] = []
        for line in trip.merged {
            var next = sums
            var excess: Int?
            for field in sums.indices {
                let value = claimLines.sums.integer(line, field: field) ?? 0
                let (sum, isOverflow) = sums[field].addingReportingOverflow(value)
                next[field] = sum
                let isOver = isOverflow || sum.magnitude > claimLines.limits[field]
                if isOver, excess == nil { excess = field }
            }
            if let excess {
                excessive.append((line, trip.base, excess))
            } else {
                merged.append(line)
                sums = next
            }
        }
        return (trip.base, merged)
    }

    mutating func append(_ other: ClaimOutcome) {
        trips += other.trips
        setAside += other.setAside
        orphans += other.orphans
        replacements += other.replacements
        lost += other.lost
        excessive += other.excessive
    }

    /// Brings everything into order of exports.
    mutating func sort() {
        trips.sort { $0.base < $1.base }
        setAside.sort { $0.line < $1.line }
        orphans.sort { $0.line < $1.line }
        lost.sort { ($0.later, $0.earlier) < ($1.later, $1.earlier) }
    }
}

/// The trips of joined lines by column: the fields of base lines, with sums over all lines.
struct SummedTrips {
    /// A batch for each batch of lines that has trips, in order of exports.
    private(set) var batches: [TripBatch] = []

    /// Gathers the trips.
    ///
    /// - Parameters:
    ///   - trips: The lines of each trip, by base line.
    ///   - claimLines: The lines of the source.
    ///   - delivered: The same lines by column.
    ///   - shape: Their columns.
    /// - Complexity: O(*n*) in the lines.
    init(
        _ trips: [(base: Int, merged: [Int])],
        _ claimLines: ClaimLines,
        _ delivered: DeliveredLines,
        _ shape: TripShape
    ) {
        let fieldCount = shape.columns.count { !$0.isDerived }
        var start = 0
        while start < trips.count {
            let batch = claimLines.positions[trips[start].base].batch
            var end = start
            while end < trips.count, claimLines.positions[trips[end].base].batch == batch {
                end += 1
            }
            let own = trips[start..<end]
            var gathered = delivered.batches[Int(batch)].gathered(
                own.map { Int(claimLines.positions[$0.base].row) },
                columnCount: fieldCount
            )
            for (field, sum) in delivered.definition.sums.enumerated() {
                guard let column = shape.column(ofField: sum.field) else { continue }
                gathered.columns[column] = .integer(
                    IntegerColumn(
                        own.map {
                            Self.sum(of: [$0.base] + $0.merged, sum.kinds, field, claimLines)
                        }
                    )
                )
            }
            batches.append(gathered)
            start = end
        }
    }

    /// The sum of the known values; nil where none is known.
    private static func sum(
        of lines: [Int],
        _ kinds: Set<ClaimLineDefinition.Kind>,
        _ field: Int,
        _ claimLines: ClaimLines
    ) -> Int64? {
        var sum: Int64?
        for line in lines where kinds.contains(claimLines.kinds[line]) {
            guard let value = claimLines.sums.integer(line, field: field) else { continue }
            sum = (sum ?? 0) + value
        }
        return sum
    }
}

extension IntegerColumn {
    /// A column of values, some of which may be NULL.
    fileprivate init(_ values: [Int64?]) {
        self.init(
            values: values.map { $0 ?? 0 },
            nulls: values.contains(nil) ? values.map { $0 == nil } : []
        )
    }
}
