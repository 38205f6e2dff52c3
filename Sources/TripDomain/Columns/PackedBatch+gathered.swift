extension PackedBatch {
    /// Some of the trips, not packed and not classified.
    ///
    /// - Parameters:
    ///   - rows: Their rows.
    ///   - columnCount: How many of the columns are taken, from the first on.
    /// - Returns: A batch of those trips, in the order of the rows.
    /// - Complexity: O(*n*) in the values.
    public func gathered(_ rows: [Int], columnCount: Int) -> TripBatch {
        TripBatch(
            fileIndex: fileIndex,
            columns: columns[..<columnCount].map { $0.gathered(rows) },
            recordNumbers: rows.map { UInt32(truncatingIfNeeded: recordNumbers[$0]) },
            lineNumbers: rows.map { UInt32(truncatingIfNeeded: lineNumbers[$0]) }
        )
    }
}

extension PackedColumn {
    /// Some of the rows; a word that replaces blanks is taken out again.
    fileprivate func gathered(_ rows: [Int]) -> Column {
        switch self {
        case .text(let texts): return .text(texts.gathered(rows))
        case .integer(let integers):
            let values = rows.map { integers.value($0) }
            return .integer(
                IntegerColumn(
                    values: values.map { $0 ?? 0 },
                    nulls: values.contains(nil) ? values.map { $0 == nil } : []
                )
            )
        case .real(let reals):
            return .real(
                RealColumn(
                    values: rows.map { reals.values[$0] },
                    nulls: reals.nulls.isEmpty ? [] : rows.map { reals.nulls[$0] }
                )
            )
        }
    }
}

extension PackedTexts {
    fileprivate func gathered(_ rows: [Int]) -> TextColumn {
        var pool = TextPool()
        var newCodes = [UInt32](repeating: 0, count: poolCount)
        let codes = rows.map { row -> UInt32 in
            let code = reader.code(row)
            guard code != 0, code != Int(fillerCode) else { return 0 }
            if newCodes[code] == 0 {
                newCodes[code] = withEntry(code) {
                    pool.append($0.assumingMemoryBound(to: UInt8.self))
                }
            }
            return newCodes[code]
        }
        return TextColumn(codes: codes, pool: pool)
    }
}
