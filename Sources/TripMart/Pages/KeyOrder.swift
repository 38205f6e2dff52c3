/// The order of rows by integer keys; rows of equal keys stay in their order.
///
/// For an index over a few small columns: the caller packs them into one key, the first column in
/// the highest bits, NULL below all values.
enum KeyOrder {
    /// Rows sorted by key.
    ///
    /// - Parameters:
    ///   - count: The number of rows, below 2³².
    ///   - threads: The number of threads; the order does not depend on it.
    ///   - key: The key of a row; called two to three times for each row.
    /// - Returns: The rows in the order of their keys.
    /// - Complexity: O(*n*) for each eight bits that differ; 16 bytes of memory per row.
    static func rows(
        _ count: Int,
        threads: Int,
        key: @Sendable (Int) -> UInt64
    ) -> [UInt32] {
        guard count > 0 else { return [] }
        let first = key(0)
        let gather = BitGather(
            Slices.map(count, threads: threads) { rows in
                rows.reduce(0) { $0 | (key($1) ^ first) }
            }.reduce(0, |)
        )
        return RadixOrder.rows(count, bits: gather.count, threads: threads) { gather(key($0)) }
    }
}
