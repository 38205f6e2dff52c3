import TripDomain
import TripRuns

/// The way from one generation to another as bars, one for each cause: trips, and in-house %.
///
/// The bars sum exactly as the parts do, each beginning where the one before it ends.
enum DifferenceWaterfall {
    /// One cause less says nothing that its line in the table does not.
    private static let leastCount = 2
    /// Two columns of bars stand beside each other.
    private static let width = 14

    /// The lines of a group.
    ///
    /// - Parameters:
    ///   - group: The group: its numbers before and after, and the parts between.
    ///   - names: What the generations are called.
    ///   - screen: What they are shown on.
    /// - Returns: The lines; none for a single cause.
    static func lines(
        _ group: DifferenceTable.Group,
        names: (first: String, second: String),
        on screen: Screen
    ) -> [String] {
        guard group.parts.count >= leastCount else { return [] }
        let states = [group.start] + group.parts.map(\.after)
        let trips = zip(states, states.dropFirst()).map { $1.trips - $0.trips }
        let shares = states.compactMap(\.inHousePercentHundredths)
        // A state without decided trips has no share to begin or to end at.
        let points =
            shares.count == states.count ? zip(shares, shares.dropFirst()).map { $1 - $0 } : nil
        let tripBars = Waterfall.bars(trips, width: width)
        let pointBars = Waterfall.bars(points ?? [], width: width)
        var text = TextTable(
            [
                TextTable.Column(title: "", alignment: .prose),
                TextTable.Column(title: "trips", alignment: .right),
                TextTable.Column(title: Waterfall.legend, alignment: .left, rank: 2),
            ]
                + (points == nil
                    ? []
                    : [
                        TextTable.Column(title: "in-house %", alignment: .right),
                        TextTable.Column(title: Waterfall.legend, alignment: .left, rank: 1),
                    ])
        )
        func add(_ name: String, _ trips: [String], _ share: [String]) {
            text.add([name] + trips + (points == nil ? [] : share))
        }
        func end(_ name: String, _ sums: KPISums) {
            let share = NumberFormat.percent(sums.inHousePercentHundredths)
            add(name, [NumberFormat.count(sums.trips), ""], [share, ""])
        }
        end(names.first, group.start)
        for (index, part) in group.parts.enumerated() {
            add(
                "  " + part.cause.name,
                [NumberFormat.change(trips[index]), tripBars[index]],
                points.map { [NumberFormat.points($0[index]), pointBars[index]] } ?? []
            )
        }
        end(names.second, group.end)
        return text.lines(on: screen)
    }
}
