import TripDomain

/// The codes of a generation that keeps the fields of a base generation and classifies again.
struct RevisedCoding {
    /// The codes of the derived columns, the trip types and the regions.
    let coding: TextCoding
    /// For each code of the base generation, its code here; 0 where no field uses it.
    let newCodes: [UInt32]
    /// Whether each value that a field uses keeps its code.
    let keepsCodes: Bool

    /// - Complexity: O(*n*) in the trips for each derived column, and *m* log *m* in the values.
    init(_ revision: GenerationRevision, limit: Int, threads: Int) {
        let shape = revision.shape
        let sources = RevisedBatch.textColumns(of: shape).map { index in
            TextCoding.Source(shape, index, revision.batches.map { $0.column(index).texts })
        }
        let old = revision.stored.texts
        var isUsed = [Bool](repeating: false, count: old.count)
        for batch in revision.batches {
            for code in batch.usedCodes { isUsed[Int(code)] = true }
        }
        let used = isUsed.indices.filter { isUsed[$0] }
        let coding = TextCoding(
            sources,
            accepted: revision.batches.map { [Bool](repeating: true, count: $0.count) },
            kept: used.map { old.slice(UInt32($0)) },
            limit: limit,
            threads: threads
        )
        var newCodes = [UInt32](repeating: 0, count: old.count)
        for code in used { newCodes[code] = coding.code(of: old.slice(UInt32(code))) }
        keepsCodes = used.allSatisfy { newCodes[$0] == $0 }
        self.coding = coding
        self.newCodes = newCodes
    }
}

extension TextCoding {
    /// The code of one of the values.
    ///
    /// - Precondition: The values contain it.
    fileprivate func code(of value: ArraySlice<UInt8>) -> UInt32 {
        let index = values.partitioningIndex { !$0.lexicographicallyPrecedes(value) }
        precondition(
            index < values.count && values[index] == value,
            "values that are kept have a code"
        )
        return UInt32(index + 1)
    }
}
