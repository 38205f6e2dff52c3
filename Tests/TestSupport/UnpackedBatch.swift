public import TripDomain

extension PackedColumn {
    /// The column in the form that can grow and change.
    ///
    /// - Complexity: O(*n*) in the values.
    public var unpacked: Column {
        switch self {
        case .real(let column): return .real(column)
        case .integer(let packed):
            let rows = 0..<packed.count
            return .integer(
                IntegerColumn(
                    values: rows.map { packed.value($0) ?? 0 },
                    nulls: packed.reader.hasNulls ? rows.map { packed.reader.isNull($0) } : []
                )
            )
        case .text(let packed):
            var pool = TextPool()
            for code in 1..<max(1, packed.poolCount) {
                packed.withEntry(code) { _ = pool.append($0.assumingMemoryBound(to: UInt8.self)) }
            }
            let codes = (0..<packed.codes.count).map {
                UInt32(truncatingIfNeeded: packed.codes[$0])
            }
            var column = TextColumn(codes: codes, pool: pool)
            column.fillerCode = packed.fillerCode
            return .text(column)
        }
    }
}

extension PackedBatch {
    /// The batch in the form that can grow and change; packing it again gives the same batch.
    ///
    /// - Complexity: O(*n*) in the values.
    public var unpacked: TripBatch {
        var batch = TripBatch(
            fileIndex: fileIndex,
            columns: columns.map(\.unpacked),
            recordNumbers: numbers(recordNumbers),
            lineNumbers: numbers(lineNumbers)
        )
        batch.ruleNumbers = numbers(ruleNumbers)
        batch.counted = (0..<counted.count).map { counted[$0] != 0 }
        return batch
    }

    private func numbers<Value: FixedWidthInteger>(_ packed: PackedIntegers) -> [Value] {
        (0..<packed.count).map { Value(truncatingIfNeeded: packed[$0]) }
    }
}
