/// What the numbers of a table may add up to, so that no sum of any of its rows, and no ratio of such sums, is too large for
/// an integer: it would end the program.
///
/// Nothing that is true comes near: 90,000,000,000,000 trips, and 90 trillion dollars or miles, with every total counted in.
/// More is a fault of the file.
enum SumLimit {
    /// A percentage multiplies a sum of three counts by 20,000, and adds it.
    private static let countMax = Int64.max.magnitude / 100_000
    /// A cost per mile multiplies an amount by 200, and adds another.
    private static let amountMax = Int64.max.magnitude / 1_000

    /// Whether rows are within it.
    ///
    /// - Parameters:
    ///   - rows: Their numbers.
    ///   - columns: The names of these; of those that count trips the last word is `trips`.
    /// - Returns: Whether no column adds up to more, each number without its sign.
    /// - Complexity: O(*n*) in the numbers.
    static func allows(_ rows: some Sequence<[Int64]>, of columns: [String]) -> Bool {
        let greatest = columns.map { $0.hasSuffix("trips") ? countMax : amountMax }
        var sums = columns.map { _ in UInt64(0) }
        for row in rows {
            for (column, value) in row.enumerated() {
                let (sum, isTooLarge) = sums[column].addingReportingOverflow(value.magnitude)
                guard !isTooLarge, sum <= greatest[column] else { return false }
                sums[column] = sum
            }
        }
        return true
    }
}

extension MartFile {
    /// Refuses numbers that cannot be added up.
    ///
    /// - Throws: ``MartError`` with code `damaged`.
    func requireSummable(
        _ rows: some Sequence<[Int64]>,
        of columns: [String] = CubeTables.sumColumns
    ) throws(MartError) {
        guard SumLimit.allows(rows, of: columns) else { throw damaged() }
    }
}
