import TripDomain
import TripMart
import TripRuns

/// The sentences of a statement, and the line over its months.
extension MonthlyNumbers {
    /// The newest settled month and the newest month, each as a sentence.
    var sentences: [String] {
        let months = newest?.row == settled?.row ? [newest] : [settled, newest]
        return months.compactMap { $0.flatMap(sentence)?.text }
    }

    /// The sentence of a month; nil where it is none.
    private func sentence(_ compared: ComparedMonth) -> MonthSentence? {
        guard let month = Month(text: compared.row.keys[0]) else { return nil }
        return MonthSentence(
            month: month,
            trips: compared.row.sums.trips,
            share: InHouseShare(compared.row.value),
            settlesOn: compared.row.isOpen ? header.settleDate(of: month) : nil,
            comparison: compared.comparison.map {
                MonthSentence.Earlier(
                    month: $0.month,
                    kind: $0.kind,
                    share: InHouseShare($0.cell.value)
                )
            },
            goal: goals.inForce(in: month)
        )
    }

    /// The newest month, and the newest settled one behind it where it is open.
    private var wholeSentence: String {
        guard let newest, var sentence = sentence(newest) else { return "" }
        if newest.row.isOpen, let row = settled?.row, let month = Month(text: row.keys[0]) {
            sentence.settled = MonthSentence.Settled(
                month: month,
                trips: row.sums.trips,
                share: InHouseShare(row.value),
                goal: goals.inForce(in: month)
            )
        }
        return sentence.text
    }

    /// The line over the months; empty where no month has a share.
    var chart: String {
        let goals = points.map { goal(of: $0)?.inHousePercentHundredths }
        guard let layout = LineLayout(points, goals: goals) else { return "" }
        return PercentChart(layout, description: layout.text(wholeSentence)).svg
    }

    /// How the line is read: its goals, and where it begins.
    var legend: String {
        var parts: [String] = []
        for text in points.compactMap(goal).map(MonthSentence.text) where parts.last != text {
            parts.append(text)
        }
        if let first = points.first?.month, months.first?.keys[0] != first.text {
            parts.append("begins with \(NumberFormat.monthLong(first)): few trips before")
        }
        return parts.joined(separator: " · ")
    }

    private func goal(of point: LineLayout.Point) -> Goal? { goals.inForce(in: point.month) }

    /// The months of the line, with those between them that have no trips.
    ///
    /// It begins where there is a tenth of the trips of the largest month: exports begin with a few
    /// strays, whose share is chance.
    private var points: [LineLayout.Point] {
        let most = months.map(\.sums.trips).max() ?? 0
        let shown = months.drop { $0.sums.trips * 10 < most }
        guard let first = shown.first.flatMap({ Month(text: $0.keys[0]) }),
            let last = shown.last.flatMap({ Month(text: $0.keys[0]) }), first <= last
        else { return [] }
        let rows = Dictionary(shown.map { ($0.keys[0], $0) }) { known, _ in known }
        return (first.monthNumber...last.monthNumber).map { number in
            let month = Month(monthNumber: number)
            let row = rows[month.text]
            return LineLayout.Point(
                month: month,
                share: row.map { InHouseShare($0.value) }
                    ?? InHouseShare(value: nil, low: nil, high: nil),
                isOpen: row?.isOpen ?? header.isOpen(month)
            )
        }
    }
}
