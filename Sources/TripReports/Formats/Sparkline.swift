/// A row of numbers as one small bar each, from the least to the greatest of them.
enum Sparkline {
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The bars of some numbers; a blank where there is none.
    ///
    /// - Parameter values: The numbers; equal ones have equal bars.
    /// - Returns: One character for each; the lowest bar for all where they are equal.
    static func text(_ values: [Int64?]) -> String {
        let known = values.compactMap(\.self)
        guard let least = known.min(), let greatest = known.max() else {
            return String(repeating: " ", count: values.count)
        }
        let span = max(1, greatest - least)
        return String(
            values.map { value in
                guard let value else { return " " }
                // Rounded to the nearest bar: whole numbers throughout, so no two machines differ.
                let steps = Int64(bars.count - 1)
                return bars[Int((2 * (value - least) * steps + span) / (2 * span))]
            }
        )
    }
}
