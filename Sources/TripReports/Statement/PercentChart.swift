import TripDomain
import TripText

/// A line of in-house shares by month with the interval as a band, as SVG without scripts.
///
/// Looks come from the classes and from attributes; a page's own style goes before these.
struct PercentChart {
    private let layout: LineLayout
    private let description: String

    private static let (width, height): (Int64, Int64) = (720, 220)
    private static let (left, right): (Int64, Int64) = (12, 652)
    private static let (top, bottom): (Int64, Int64) = (18, 190)
    /// The height of the letters, and the width of a month below the line.
    private static let (letterHeight, monthWidth): (Int64, Int64) = (14, 44)
    /// How many months are named at most.
    private static let labelCount = 8

    /// Draws a line.
    ///
    /// - Parameters:
    ///   - layout: What it is made of.
    ///   - description: What it shows, in words.
    init(_ layout: LineLayout, description: String) {
        self.layout = layout
        self.description = description
    }

    /// The drawing, with a name and a description for those who do not see it.
    var svg: String {
        let head = [
            "<svg viewBox=\"0 0 \(Self.width) \(Self.height)\" role=\"img\" "
                + "aria-labelledby=\"chart-title chart-description\">",
            "<title id=\"chart-title\">In-house % by month</title>",
            "<desc id=\"chart-description\">\(HTMLText.escaped(description))</desc>",
        ]
        let parts = [openMonths, grid, bands, goals, lines, marks, [ending], months, ["</svg>"]]
        return (head + parts.flatMap(\.self)).joined(separator: "\n")
    }

    /// The open months, shaded and named.
    private var openMonths: [String] {
        guard let first = layout.firstOpen else { return [] }
        let start = (x(first) + x(first) - step) / 2
        return [
            "<rect class=\"shade\" fill=\"#f0f0f0\" x=\"\(start)\" y=\"0\" "
                + "width=\"\(Self.right - start + 4)\" height=\"\(Self.bottom)\"/>",
            text("open", x: min(start + 4, Self.right - 30), y: 11),
        ]
    }

    private var grid: [String] {
        layout.grid.flatMap { value in
            let line = horizontal("grid", value, from: Self.left, to: Self.right)
            // Beside the line's end, where its own value goes before.
            guard abs(beside(y(value)) - endLine) >= Self.letterHeight else { return [line] }
            let label = LineLayout.label(value)
            return [line, text(label, x: Self.right + 6, y: beside(y(value)))]
        }
    }

    private var bands: [String] {
        layout.band.map { run in
            let upper = run.compactMap { index in share(index).high.map { place(index, $0) } }
            let lower = run.compactMap { index in share(index).low.map { place(index, $0) } }
            let places = (upper + lower.reversed()).joined(separator: " ")
            return "<polygon class=\"band\" points=\"\(places)\"/>"
        }
    }

    /// A line for each goal, from half a step before its first month; the last one is named.
    private var goals: [String] {
        layout.goals.flatMap { goal in
            let start = max(Self.left, x(goal.first) - step / 2)
            let end = goal.next.map { x($0) - step / 2 } ?? Self.right
            let dashes = "stroke=\"#1b1b1b\" stroke-dasharray=\"8 3 2 3\""
            let line = horizontal("goal", goal.value, from: start, to: end, dashes)
            guard goal.next == nil else { return [line] }
            let name = "goal \(NumberFormat.share(goal.value))"
            let above = max(Self.letterHeight, y(goal.value) - 4)
            return [line, text(name, x: min(start, Self.right - 66), y: above)]
        }
    }

    private var lines: [String] {
        func line(_ run: [Int], _ kind: String, _ attributes: String) -> String {
            let places = run.compactMap { index in share(index).value.map { place(index, $0) } }
            return "<polyline class=\"\(kind)\" fill=\"none\"\(attributes) "
                + "points=\"\(places.joined(separator: " "))\"/>"
        }
        return layout.solid.map { line($0, "line", "") }
            + layout.dashed.map { line($0, "line dashed", " stroke-dasharray=\"2 5\"") }
    }

    private var marks: [String] {
        func mark(_ index: Int, _ kind: String) -> String? {
            share(index).value.map {
                "<circle class=\"\(kind)\" cx=\"\(x(index))\" cy=\"\(y($0))\" r=\"3\"/>"
            }
        }
        return layout.open.compactMap { mark($0, "open") }
            + layout.alone.compactMap { mark($0, "settled") }
    }

    /// The value at the line's end.
    private var ending: String {
        let value = share(layout.last).value.map(NumberFormat.share) ?? ""
        return text(value, x: x(layout.last) + 9, y: endLine, kind: "axis end")
    }

    private var months: [String] {
        LineLayout.labelled(layout.points.count, most: Self.labelCount).map { index in
            let half = Self.monthWidth / 2
            let middle = min(Self.width - half, max(half, x(index)))
            let name = NumberFormat.monthTiny(layout.points[index].month)
            return text(name, x: middle, y: Self.height - 6, " text-anchor=\"middle\"")
        }
    }

    /// The line of the letters at the line's end.
    private var endLine: Int64 {
        let value = share(layout.last).value ?? layout.range.bottom
        return beside(max(Self.letterHeight / 2, y(value)))
    }

    private func share(_ index: Int) -> InHouseShare { layout.points[index].share }

    private func text(
        _ text: String,
        x: Int64,
        y: Int64,
        kind: String = "axis",
        _ attributes: String = ""
    ) -> String {
        "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\"\(attributes)>\(text)</text>"
    }

    private func horizontal(
        _ kind: String,
        _ value: Int64,
        from start: Int64,
        to end: Int64,
        _ attributes: String = ""
    ) -> String {
        let more = attributes.isEmpty ? "" : " " + attributes
        return "<line class=\"\(kind)\"\(more) x1=\"\(start)\" x2=\"\(end)\" "
            + "y1=\"\(y(value))\" y2=\"\(y(value))\"/>"
    }

    private func place(_ index: Int, _ value: Int64) -> String { "\(x(index)),\(y(value))" }

    /// The width of a month.
    private var step: Int64 {
        layout.points.count < 2
            ? 24 : (Self.right - Self.left) / Int64(layout.points.count - 1)
    }

    private func x(_ index: Int) -> Int64 {
        let count = Int64(layout.points.count)
        guard count > 1 else { return Self.right }
        return Self.left + (Self.right - Self.left) * Int64(index) / (count - 1)
    }

    private func y(_ value: Int64) -> Int64 {
        let (bottom, top) = layout.range
        return Self.bottom - (Self.bottom - Self.top) * (value - bottom) / (top - bottom)
    }

    /// The line of letters beside a line of the grid, above the months.
    private func beside(_ y: Int64) -> Int64 { min(Self.bottom, y + Self.letterHeight / 3) }
}
