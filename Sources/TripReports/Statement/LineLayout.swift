import TripDomain

/// What a line over months is made of, as indexes of months and hundredths of a percent: what does
/// not depend on sizes and letters.
///
/// The rules are those of the dashboard's line (`charts/line.js`). Both are tested with
/// `Tests/Dashboard/cases/chart-cases.json`.
struct LineLayout {
    /// One month.
    struct Point {
        let month: Month
        let share: InHouseShare
        let isOpen: Bool
    }

    /// A goal, from its first month up to the next one.
    struct GoalStep: Hashable {
        let value: Int64
        let first: Int
        /// The first month of another goal, or of none; nil where it lasts to the end.
        let next: Int?
    }

    /// The months, without gaps.
    let points: [Point]
    /// The values at the lower and at the upper edge.
    let range: (bottom: Int64, top: Int64)
    /// The values with a line of the grid.
    let grid: [Int64]
    /// The months with an interval, in pieces without a gap.
    let band: [[Int]]
    /// The lines through settled months.
    let solid: [[Int]]
    /// The lines to and through open months.
    let dashed: [[Int]]
    /// The marks of open months.
    let open: [Int]
    /// The marks of settled months between gaps.
    let alone: [Int]
    let goals: [GoalStep]
    let firstOpen: Int?
    /// The month at the line's end.
    let last: Int

    /// Lays out a line; nil where no month has a share.
    ///
    /// - Parameters:
    ///   - points: The months, in order and without gaps; those without trips have no share.
    ///   - goals: The goal of each month, in hundredths of a percent.
    init?(_ points: [Point], goals: [Int64?]) {
        guard let last = points.lastIndex(where: { $0.share.value != nil }) else { return nil }
        let known = points.flatMap { [$0.share.value, $0.share.low, $0.share.high] } + goals
        let values = known.compactMap(\.self)
        let (least, greatest) = (values.min() ?? 0, values.max() ?? 0)
        let margin = max(50, (greatest - least) * 12 / 100)
        range = (bottom: max(0, least - margin), top: min(10_000, greatest + margin))
        grid = Self.roundValues(range.bottom, range.top)
        band = Self.runs(points) { $0.low != nil && $0.high != nil }
        let lines = Self.runs(points) { $0.value != nil }
        func settled(_ run: [Int]) -> [Int] { run.filter { !points[$0].isOpen } }
        func open(_ run: [Int]) -> [Int] { run.filter { points[$0].isOpen } }
        solid = lines.map(settled).filter { $0.count > 1 }
        // The way to an open month is as unsure as the month.
        dashed = lines.filter { !open($0).isEmpty }.map { settled($0).suffix(1) + open($0) }
            .filter { $0.count > 1 }
        self.open = lines.flatMap(open)
        alone = lines.filter { $0.count == 1 }.flatMap(settled)
        self.goals = Self.steps(goals)
        firstOpen = points.firstIndex(where: \.isOpen)
        self.last = last
        self.points = points
    }

    /// What the line shows, in words.
    ///
    /// - Parameter sentence: The sentence of its newest month.
    /// - Returns: The sentence, with the lowest and the highest month where there are two.
    func text(_ sentence: String) -> String {
        let known = points.compactMap { point in
            point.share.value.map { (name: Self.name(point), value: $0) }
        }
        // Of equal ones the first is the lowest, and the last the highest.
        guard known.count > 1, let low = known.min(by: { $0.value < $1.value }),
            let high = known.reversed().max(by: { $0.value < $1.value })
        else { return sentence }
        return "Line of \(known.count) months. \(sentence) "
            + "Lowest \(low.name) with \(NumberFormat.share(low.value)), "
            + "highest \(high.name) with "
            + "\(NumberFormat.share(high.value))."
    }

    /// `October 2026 (open)`.
    private static func name(_ point: Point) -> String {
        NumberFormat.monthLong(point.month) + (point.isOpen ? " (open)" : "")
    }

    /// A value of the grid: whole percents have no decimals.
    static func label(_ value: Int64) -> String {
        value % 100 == 0 ? "\(value / 100)%" : NumberFormat.share(value)
    }

    /// Round values between two, at most three: with the least step of 1, 2 or 5 and zeros.
    static func roundValues(_ low: Int64, _ high: Int64) -> [Int64] {
        var power: Int64 = 1
        while true {
            for step in [power, 2 * power, 5 * power] {
                let first = (low + step - 1) / step * step
                if (high - first) / step < 3 {
                    return Array(stride(from: first, through: high, by: Int(step)))
                }
            }
            power *= 10
        }
    }

    /// Which of many places have a label: the last, and others before it, evenly.
    static func labelled(_ count: Int, most: Int) -> [Int] {
        guard count > most else { return Array(0..<count) }
        let step = (count - 1 + most - 2) / (most - 1)
        return stride(from: count - 1, through: 0, by: -step).reversed()
    }

    /// Ranges of neighbouring months that have something.
    private static func runs(_ points: [Point], _ has: (InHouseShare) -> Bool) -> [[Int]] {
        var runs: [[Int]] = []
        for index in points.indices where has(points[index].share) {
            if let last = runs.last?.last, last == index - 1 {
                runs[runs.count - 1].append(index)
            } else {
                runs.append([index])
            }
        }
        return runs
    }

    private static func steps(_ goals: [Int64?]) -> [GoalStep] {
        goals.indices.compactMap { first in
            guard let value = goals[first], first == 0 || goals[first - 1] != value else {
                return nil
            }
            let next = goals.indices.first { $0 > first && goals[$0] != value }
            return GoalStep(value: value, first: first, next: next)
        }
    }
}
