import TripDomain

/// The patients of the accepted trips: each distinct identifier once, as a reference and sealed.
struct PatientTable {
    /// For each patient column, by its place in the shape: for each batch, the place in `refs`
    /// plus one of each entry of the batch's pool; 0 where there is no identifier.
    private(set) var numbers: [Int: [[UInt32]]] = [:]
    /// The references, by order of first sight.
    let refs: [Int64]
    /// The patients in order of their references, as the table has them.
    let order: [UInt32]
    private let identifiers: TextPool

    /// Gathers the identifiers and computes their references.
    ///
    /// - Parameters:
    ///   - contents: The generation.
    ///   - accepted: For each batch, which rows are accepted.
    ///   - threads: The number of threads that gather; the order of first sight does not depend on
    ///     it.
    ///   - ref: What stands for a normalised identifier.
    /// - Throws: ``MartError`` with code `patientClash` where two identifiers have one reference.
    init(
        _ contents: GenerationContents,
        accepted: [[Bool]],
        threads: Int = 2,
        ref: @Sendable (UnsafeRawBufferPointer) -> Int64
    ) throws(MartError) {
        var known = ByteTable()
        for (index, column) in contents.shape.columns.enumerated() where column.kind == .patient {
            let texts = contents.batches.map { $0.columns[index].texts }
            numbers[index] = Self.number(texts, accepted, in: &known, threads: threads)
        }
        identifiers = known.pool
        refs = Parallel.map(known.count, threads: threads) { [identifiers] number in
            identifiers.slice(UInt32(number + 1)).withUnsafeBytes { ref($0) }
        }
        // References are never negative.
        order = RadixOrder.rows(refs.count, bits: 63, threads: threads) { [refs] in
            UInt64(bitPattern: refs[$0])
        }
        try requireDistinct()
    }

    /// What seals so many identifiers.
    static func sealer(_ keys: MartKeys, count: Int) throws(MartError) -> ColumnSealer {
        try ColumnSealer(keys, table: "patient", column: "sealed", count: count)
    }

    /// The sealed identifier of a patient.
    func sealed(_ patient: Int, by sealer: inout ColumnSealer) throws(MartError) -> [UInt8] {
        try identifiers.slice(UInt32(patient + 1)).withUnsafeBufferPointer {
            plain throws(MartError) in
            try sealer.seal(UnsafeRawBufferPointer(plain), row: refs[patient])
        }
    }

    /// Inserts the sealed identifiers row by row, in order of the references: the slow twin of
    /// ``PatientRows``.
    func write(to connection: RawConnection, keys: MartKeys) throws(MartError) {
        let statement = try connection.prepare("INSERT INTO patient VALUES(?, ?)")
        var sealer = try Self.sealer(keys, count: order.count)
        for patient in order.lazy.map(Int.init) {
            try statement.insert([
                .integer(refs[patient]), .blob(try sealed(patient, by: &sealer)),
            ])
        }
    }

    // MARK: Gathering

    /// Numbers the identifiers of one column, from 1, in order of first sight.
    ///
    /// Each thread numbers a run of batches in a table of its own; the tables are then joined in
    /// order of the batches, which gives the same numbers as one table for all.
    private static func number(
        _ texts: [PackedTexts],
        _ accepted: [[Bool]],
        in known: inout ByteTable,
        threads: Int
    ) -> [[UInt32]] {
        let runCount = max(1, min(threads, texts.count))
        let runs = Parallel.map(runCount, grain: 1, threads: threads) { run in
            let batches =
                texts.count * run / runCount..<texts.count * (run + 1) / runCount
            var table = ByteTable()
            let numbers = batches.map { number(texts[$0], accepted[$0], in: &table) }
            return (table: table, numbers: numbers)
        }
        let final = runs.map { run in joined(run.table, to: &known, threads: threads) }
        return zip(runs, final).flatMap { run, final in
            run.numbers.map { $0.map { $0 == 0 ? 0 : final[Int($0) - 1] } }
        }
    }

    /// Joins a table to the known identifiers.
    ///
    /// - Returns: For each entry of the table its number among the known, from 1.
    private static func joined(
        _ table: ByteTable,
        to known: inout ByteTable,
        threads: Int
    ) -> [UInt32] {
        guard known.count > 0 else {
            known = table
            return (0..<table.count).map { UInt32($0 + 1) }
        }
        // Most are known; finding them changes nothing, and so is done by all threads.
        let found = Parallel.map(table.count, threads: threads) { [known] number in
            table.bytes(number).withUnsafeBufferPointer { known.find($0) }
        }
        return found.enumerated().map { number, found in
            let place =
                found
                ?? table.bytes(number).withUnsafeBufferPointer { known.number(of: $0) }
            return UInt32(place + 1)
        }
    }

    /// Numbers the accepted identifiers of one batch, by entry of its pool; 0 where one is blank or
    /// not used.
    private static func number(
        _ texts: PackedTexts,
        _ isAccepted: [Bool],
        in table: inout ByteTable
    ) -> [UInt32] {
        var local = [UInt32](repeating: 0, count: texts.poolCount)
        withExtendedLifetime(texts) {
            let reader = texts.reader
            var codes: [Int] = []
            var hashes: [UInt64] = []
            func numberAll() {
                table.warm(hashes)
                for (code, hash) in zip(codes, hashes) {
                    let entry = reader.entry(code).assumingMemoryBound(to: UInt8.self)
                    local[code] = UInt32(table.number(of: entry, hash: hash) + 1)
                }
                codes.removeAll(keepingCapacity: true)
                hashes.removeAll(keepingCapacity: true)
            }
            for row in isAccepted.indices where isAccepted[row] {
                let code = reader.code(row)
                guard code != 0, local[code] == 0 else { continue }
                let entry = reader.entry(code).assumingMemoryBound(to: UInt8.self)
                // Most identifiers come as they are compared, and need no copy.
                guard MartKeys.isNormalised(entry), !entry.isEmpty else {
                    local[code] = MartKeys.normalised(entry).withUnsafeBufferPointer {
                        $0.isEmpty ? 0 : UInt32(table.number(of: $0) + 1)
                    }
                    continue
                }
                codes.append(code)
                hashes.append(ByteTable.hash(entry))
                if codes.count == batchSize { numberAll() }
            }
            numberAll()
        }
        return local
    }

    /// Identifiers looked for at a time.
    private static let batchSize = 64

    private func requireDistinct() throws(MartError) {
        for (left, right) in zip(order, order.dropFirst())
        where refs[Int(left)] == refs[Int(right)] {
            throw MartError(
                .patientClash,
                remedy: "Two patient identifiers lead to one reference. This is a chance of one "
                    + "in millions; start a new mart with a new key file."
            )
        }
    }
}
