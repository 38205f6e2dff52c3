import TripDomain

/// A line of percentages by month with the interval as a band, as SVG without scripts.
struct PercentChart {
    /// One month, in hundredths of a percent.
    struct Point {
        let month: Month
        var label: String { month.text }
        let value: Int64?
        let low: Int64?
        let high: Int64?
        let isOpen: Bool
    }

    private static let width: Int64 = 720
    private static let height: Int64 = 220
    private static let left: Int64 = 0
    private static let top: Int64 = 20
    private static let bottom: Int64 = 190

    private let points: [Point]
    /// The axis, in whole tens of percent.
    private let floor: Int64
    private let ceiling: Int64

    init(_ points: [Point]) {
        self.points = points
        let low = points.compactMap(\.low).min() ?? 0
        let high = points.compactMap(\.high).max() ?? 10_000
        floor = low / 1000 * 1000
        ceiling = max(floor + 1000, (high + 999) / 1000 * 1000)
    }

    var svg: String {
        var parts = [
            "<svg viewBox=\"0 0 \(Self.width) \(Self.height)\" role=\"img\" "
                + "aria-label=\"In-house percent by month\">"
        ]
        for tick in stride(from: floor, through: ceiling, by: 1000) {
            let y = y(tick)
            parts.append(
                "<line class=\"grid\" x1=\"\(Self.left)\" x2=\"\(Self.width)\" "
                    + "y1=\"\(y)\" y2=\"\(y)\"/>"
            )
            parts.append(
                "<text class=\"axis\" x=\"\(Self.width - 2)\" y=\"\(y - 4)\" "
                    + "text-anchor=\"end\">\(tick / 100) %</text>"
            )
        }
        for run in runs {
            let upper = run.compactMap { index in
                points[index].high.map { "\(x(index)),\(y($0))" }
            }
            let lower = run.reversed().compactMap { index in
                points[index].low.map { "\(x(index)),\(y($0))" }
            }
            let band = (upper + lower).joined(separator: " ")
            parts.append("<polygon class=\"band\" points=\"\(band)\"/>")
            let line = run.compactMap { index in
                points[index].value.map { "\(x(index)),\(y($0))" }
            }
            parts.append("<polyline class=\"line\" points=\"\(line.joined(separator: " "))\"/>")
        }
        for (index, point) in points.enumerated() {
            guard let value = point.value else { continue }
            let kind = point.isOpen ? "open" : "settled"
            parts.append(
                "<circle class=\"\(kind)\" cx=\"\(x(index))\" cy=\"\(y(value))\" r=\"3\">"
                    + "<title>\(point.label): \(NumberFormat.percent(value)) %</title></circle>"
            )
            if Int(point.month.monthNumber) % 3 == 0 {
                parts.append(
                    "<text class=\"axis\" x=\"\(x(index))\" y=\"\(Self.bottom + 18)\" "
                        + "text-anchor=\"middle\">\(point.label)</text>"
                )
            }
        }
        return (parts + ["</svg>"]).joined(separator: "\n")
    }

    /// The points in pieces without a missing month: a line across a gap would show months that
    /// have no numbers.
    private var runs: [[Int]] {
        var runs: [[Int]] = []
        for index in points.indices {
            let follows =
                index > 0
                && points[index].month.monthNumber == points[index - 1].month.monthNumber + 1
            if follows {
                runs[runs.count - 1].append(index)
            } else {
                runs.append([index])
            }
        }
        return runs
    }

    /// The position of a point: months are placed by time, not by their index in the list; the axis
    /// lies right of the latest.
    private func x(_ index: Int) -> Int64 {
        let span = Self.width - Self.left - 90
        guard let first = points.first?.month.monthNumber, let last = points.last?.month.monthNumber
        else { return Self.left + 30 }
        let offset = points[index].month.monthNumber - first
        return Self.left + 30 + span * Int64(offset) / Int64(max(1, last - first))
    }

    private func y(_ hundredths: Int64) -> Int64 {
        Self.bottom - (Self.bottom - Self.top) * (hundredths - floor) / (ceiling - floor)
    }
}
