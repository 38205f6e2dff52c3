/// Signed bars from one number to another, each beginning where the one before it ends.
///
///     █████            up
///          ███         up
///       ░░░░░          down
///
/// Up and down are two shadings, so that neither a sign nor a color is needed to tell them apart.
enum Waterfall {
    /// The columns of the bars.
    static let usualWidth = 24
    /// What the bars mean, as the title of their column.
    static let legend = "█ up ░ down"

    /// The bars of some changes.
    ///
    /// - Parameters:
    ///   - changes: The changes, in order.
    ///   - width: The columns between the least and the greatest number on the way.
    /// - Returns: A bar for each, with blanks before it; no bar where nothing changes.
    static func bars(_ changes: [Int64], width: Int = usualWidth) -> [String] {
        var levels: [Int128] = [0]
        for change in changes { levels.append((levels.last ?? 0) + Int128(change)) }
        let (least, greatest) = (levels.min() ?? 0, levels.max() ?? 0)
        let span = max(1, greatest - least)
        func column(_ level: Int128) -> Int {
            // Rounded to the nearest: whole numbers throughout, so no two machines differ.
            Int((2 * (level - least) * Int128(width) + span) / (2 * span))
        }
        return zip(changes, zip(levels, levels.dropFirst())).map { change, ends in
            guard change != 0 else { return "" }
            var (start, end) = (column(min(ends.0, ends.1)), column(max(ends.0, ends.1)))
            // A change too small for a column still shows where it is.
            if start == end { (start, end) = start == width ? (start - 1, end) : (start, end + 1) }
            return String(repeating: " ", count: start)
                + String(repeating: change > 0 ? "█" : "░", count: end - start)
        }
    }
}
