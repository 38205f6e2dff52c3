import TripDomain

/// The codes of a generation that keeps the fields of another one and decides anew.
struct RevisedCoding {
    /// What is derived, with the trip types and regions.
    let coding: TextCoding
    /// For each code of the other generation its code here; 0 for those that no field uses.
    let newCodes: [UInt32]
    /// Whether each value a field uses keeps its code.
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
    /// - Precondition: It is one of them.
    fileprivate func code(of value: ArraySlice<UInt8>) -> UInt32 {
        let place = values.partitioningIndex { !$0.lexicographicallyPrecedes(value) }
        precondition(
            place < values.count && values[place] == value,
            "values that are kept have a code"
        )
        return UInt32(place + 1)
    }
}
