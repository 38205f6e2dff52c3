import TripDomain

/// The patients of the accepted trips: each distinct identifier once, as a reference and sealed.
struct PatientTable {
    /// For each patient column, by its place in the shape: for each batch, the place in `refs`
    /// plus one of each entry of the batch's pool; 0 where there is no identifier.
    private(set) var numbers: [Int: [[UInt32]]] = [:]
    /// The references, by order of first sight.
    private(set) var refs: [Int64] = []
    private var table = ByteTable()

    /// Patients whose values are sealed together: enough to keep every core busy, and a small
    /// part of the memory that all of them would take.
    private static let blockSize = 8192

    /// Gathers the identifiers and computes their references.
    ///
    /// - Parameters:
    ///   - contents: The generation.
    ///   - accepted: For each batch, which rows are accepted.
    ///   - ref: What stands for a normalised identifier.
    /// - Throws: ``MartError`` with code `patientClash` where two identifiers have one reference.
    init(
        _ contents: GenerationContents,
        accepted: [[Bool]],
        ref: @Sendable (UnsafeRawBufferPointer) -> Int64
    ) throws(MartError) {
        for (index, column) in contents.shape.columns.enumerated() where column.kind == .patient {
            numbers[index] = contents.batches.indices.map { batch in
                number(contents.batches[batch].columns[index].texts, accepted[batch])
            }
        }
        refs = Parallel.map(table.count) { [pool = table.pool] number in
            pool.slice(UInt32(number + 1)).withUnsafeBytes { ref($0) }
        }
        try Self.requireDistinct(refs)
    }

    /// Writes the table of sealed identifiers, in order of the references.
    func write(to connection: RawConnection, keys: MartKeys) throws(MartError) {
        let statement = try connection.prepare("INSERT INTO patient VALUES(?, ?)")
        let order = refs.indices.sorted { refs[$0] < refs[$1] }
        var start = 0
        while start < order.count {
            let block = order[start..<min(start + Self.blockSize, order.count)]
            let sealed = Parallel.map(block.count) { [pool = table.pool, refs] place in
                let number = block[block.startIndex + place]
                return Result { () throws(MartError) -> [UInt8] in
                    try pool.slice(UInt32(number + 1)).withUnsafeBufferPointer {
                        plain throws(MartError) in
                        try keys.seal(
                            UnsafeRawBufferPointer(plain),
                            table: "patient",
                            column: "sealed",
                            row: refs[number]
                        )
                    }
                }
            }
            for (number, result) in zip(block, sealed) {
                try statement.insert([.integer(refs[number]), .blob(try result.get())])
            }
            start += Self.blockSize
        }
    }

    private mutating func number(_ texts: PackedTexts, _ isAccepted: [Bool]) -> [UInt32] {
        var local = [UInt32](repeating: 0, count: texts.poolCount)
        withExtendedLifetime(texts) {
            let reader = texts.reader
            for row in isAccepted.indices where isAccepted[row] {
                let code = reader.code(row)
                guard code != 0, local[code] == 0 else { continue }
                let entry = reader.entry(code).assumingMemoryBound(to: UInt8.self)
                // Most identifiers come as they are compared, and need no copy.
                local[code] =
                    MartKeys.isNormalised(entry)
                    ? number(entry)
                    : MartKeys.normalised(entry).withUnsafeBufferPointer { number($0) }
            }
        }
        return local
    }

    /// The number of a normalised identifier, from 1; 0 where it is blank.
    private mutating func number(_ plain: UnsafeBufferPointer<UInt8>) -> UInt32 {
        plain.isEmpty ? 0 : UInt32(table.number(of: plain) + 1)
    }

    private static func requireDistinct(_ refs: [Int64]) throws(MartError) {
        let sorted = refs.sorted()
        for (left, right) in zip(sorted, sorted.dropFirst()) where left == right {
            throw MartError(
                .patientClash,
                remedy: "Two patient identifiers lead to one reference. This is a chance of one "
                    + "in millions; start a new mart with a new key file."
            )
        }
    }
}
