public import TripDomain

/// The way of some trips' numbers from an earlier generation to the served one, cause by cause.
public struct GenerationSteps: Sendable {
    /// What one cause did.
    public struct Step: Sendable {
        /// The cause.
        public let cause: GenerationChanges.Cause
        /// The sums after it less those before.
        public let change: KPISums
        /// The change of the in-house share, in hundredths of a point; nil where one of the two
        /// states has no share.
        public let inHouseHundredths: Int64?
    }

    /// The earlier generation.
    public let from: GenerationHeader
    /// The numbers in it.
    public let start: ServedCell
    /// The numbers in the served generation.
    public let end: ServedCell
    /// The causes that changed something, in the order in which they are applied; they sum exactly
    /// to the change.
    public let steps: [Step]
    /// The declared measures at both ends; none where neither declares any.
    ///
    /// A cause has none: the median of parts is no part of a median.
    public let measures: [MeasureChange]

    /// Follows the numbers of a filter.
    ///
    /// The result is nil where the changes do not lead from the one to the other: the file is
    /// damaged, or of another mart. So it is where the measures of the earlier one cannot be read.
    ///
    /// - Parameters:
    ///   - changes: The saved changes.
    ///   - earlier: The numbers of the generation they begin at.
    ///   - served: The generation they end at.
    ///   - filter: Which trips.
    init?(
        _ changes: GenerationChanges,
        from earlier: EarlierNumbers,
        to served: ServedGeneration,
        _ filter: ServedFilter
    ) {
        guard changes.from == earlier.header.number, changes.to == served.header.number else {
            return nil
        }
        (start, end) = (earlier.cube.cell(filter), served.whole.cell(filter))
        guard let first = start.sums(showing: .all), let last = end.sums(showing: .all) else {
            return nil
        }
        var sums = changes.causes.map { _ in KPISums() }
        for cell in changes.cells where filter.lets(through: cell) { sums[cell.cause] += cell.sums }
        var (now, steps) = (first, [Step]())
        for (cause, change) in zip(changes.causes, sums) where change != KPISums() {
            let share = now[.inHousePercent]
            now += change
            let next = now[.inHousePercent]
            let points = share.flatMap { share in next.map { $0 - share } }
            steps.append(Step(cause: cause, change: change, inHouseHundredths: points))
        }
        // A damaged file says nothing.
        guard now == last, let measured = try? earlier.measures(filter) else { return nil }
        (from, self.steps) = (earlier.header, steps)
        measures = MeasureChange.all(measured, served.measures.states(filter))
    }
}

extension ServedFilter {
    /// Whether trips of a month, type and region are asked for, and visible to their reader.
    fileprivate func lets(through cell: GenerationChanges.Cell) -> Bool {
        guard let month = Month(text: cell.month), months?.contains(month) ?? true,
            tripType.map(cell.tripType.isSameBytes(as:)) ?? true,
            region.map(cell.region.isSameBytes(as:)) ?? true
        else { return false }
        return hasNationalTotals && region == nil || mayShow(region: cell.region)
    }
}

extension ServingFolder {
    /// The way of some trips' numbers to the served generation from the one before it; called on a
    /// thread that may block.
    ///
    /// - Parameters:
    ///   - served: The served generation.
    ///   - filter: Which trips; their reader sees every number of them.
    /// - Returns: nil where no changes are saved, or they cannot be read.
    /// - Complexity: O(*n*) in the cells that changed, and in the rows of the earlier generation's
    ///   measures.
    public func steps(to served: ServedGeneration, _ filter: ServedFilter) -> GenerationSteps? {
        // A damaged file says nothing.
        guard let changes = try? GenerationChanges(to: served.header.number, in: history.folder),
            let earlier = earlier(changes.from, than: served)
        else { return nil }
        return GenerationSteps(changes, from: earlier, to: served, filter)
    }
}
