import TripDomain

/// The patients of the accepted trips: each distinct identifier once, as a reference and sealed.
struct PatientTable {
    /// For each patient column, by its index in the shape: for each batch, the index in `refs` plus
    /// one of each entry of the batch's pool; 0 where there is no identifier.
    private(set) var numbers: [Int: [[UInt32]]] = [:]
    /// The references, in order of first occurrence.
    let refs: [Int64]
    /// The patients in order of their references, which is the order of the table.
    let order: [UInt32]
    private let identifiers: TextPool

    /// Gathers the identifiers and computes their references.
    ///
    /// - Parameters:
    ///   - contents: The generation.
    ///   - accepted: For each batch, which rows are accepted.
    ///   - threads: The number of threads that gather; the order of first occurrence does not
    ///     depend on it.
    ///   - makeRefs: Returns a function that computes references of normalised identifiers on
    ///     one thread.
    /// - Throws: ``MartError`` with code `patientClash` where two identifiers have one reference.
    init(
        _ contents: GenerationContents,
        accepted: [[Bool]],
        threads: Int = 2,
        refs makeRefs: @Sendable () -> (UnsafeRawBufferPointer) -> Int64
    ) throws(MartError) {
        var known = TextInterner()
        for (index, column) in contents.shape.columns.enumerated() where column.kind == .patient {
            let texts = contents.batches.map { $0.columns[index].texts }
            numbers[index] = Self.number(texts, accepted, in: &known, threads: threads)
        }
        identifiers = known.pool
        // Each slice sets the key once: that costs as much as several references.
        let slices = Parallel.mapSlices(of: known.count, threads: threads) { [identifiers] slice in
            let ref = makeRefs()
            return slice.map { identifiers.slice(UInt32($0 + 1)).withUnsafeBytes(ref) }
        }
        refs = Array(slices.joined())
        // References are never negative.
        order = RadixOrder.rows(refs.count, bits: 63, threads: threads) { [refs] in
            UInt64(bitPattern: refs[$0])
        }
        try requireDistinct()
    }

    /// Creates the sealer of a number of identifiers.
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

    // MARK: Gathering

    /// Numbers the identifiers of one column, from 1, in order of first occurrence.
    ///
    /// Each thread numbers a range of batches in its own table; the tables are then joined in order
    /// of the batches, which gives the same numbers as one table for all.
    private static func number(
        _ texts: [PackedTexts],
        _ accepted: [[Bool]],
        in known: inout TextInterner,
        threads: Int
    ) -> [[UInt32]] {
        let runCount = max(1, min(threads, texts.count))
        var runs = Parallel.map(runCount, threads: threads) { run in
            let batches =
                texts.count * run / runCount..<texts.count * (run + 1) / runCount
            var table = TextInterner()
            let numbers = batches.map { number(texts[$0], accepted[$0], in: &table) }
            return (table: table, numbers: numbers)
        }
        var numbers: [[UInt32]] = []
        numbers.reserveCapacity(texts.count)
        runs.reverse()
        // Each range is freed as soon as it is joined: its table is as large as the one it is
        // joined to.
        while var run = runs.popLast() {
            if known.count == 0 {
                known = run.table
            } else {
                let final = joined(run.table, to: &known, threads: threads)
                run.table = TextInterner()
                for batch in run.numbers.indices {
                    translate(&run.numbers[batch], by: final)
                }
            }
            numbers += run.numbers
        }
        return numbers
    }

    /// Joins a table to the known identifiers.
    ///
    /// - Returns: For each number of the table, its number among the known identifiers; 0 for 0.
    private static func joined(
        _ table: TextInterner,
        to known: inout TextInterner,
        threads: Int
    ) -> [UInt32] {
        // Most entries are known; a search changes nothing, so that all threads can search.
        let identifiers = table.pool
        var final = Parallel.map(identifiers.count, threads: threads) { [known] number in
            identifiers.slice(UInt32(number)).withUnsafeBufferPointer { known.find($0) }
        }
        for number in final.indices.dropFirst() where final[number] == 0 {
            final[number] = identifiers.slice(UInt32(number)).withUnsafeBufferPointer {
                known.code(of: $0)
            }
        }
        return final
    }

    /// Replaces each number by its number in the joined table; 0 stays.
    private static func translate(_ numbers: inout [UInt32], by final: [UInt32]) {
        for index in numbers.indices { numbers[index] = final[Int(numbers[index])] }
    }

    /// Numbers the accepted identifiers of one batch, by entry of its pool; 0 where an entry is
    /// blank or unused.
    private static func number(
        _ texts: PackedTexts,
        _ isAccepted: [Bool],
        in table: inout TextInterner
    ) -> [UInt32] {
        var local = [UInt32](repeating: 0, count: texts.poolCount)
        withExtendedLifetime(texts) {
            let reader = texts.reader
            var codes: [Int] = []
            var hashes: [UInt64] = []
            func numberAll() {
                table.prefetch(hashes)
                for (code, hash) in zip(codes, hashes) {
                    let entry = reader.entry(code).assumingMemoryBound(to: UInt8.self)
                    local[code] = table.code(of: entry, hash: hash)
                }
                codes.removeAll(keepingCapacity: true)
                hashes.removeAll(keepingCapacity: true)
            }
            for row in isAccepted.indices where isAccepted[row] {
                let code = reader.code(row)
                guard code != 0, local[code] == 0 else { continue }
                let entry = reader.entry(code).assumingMemoryBound(to: UInt8.self)
                // Most identifiers are already normalised and need no copy.
                guard MartKeys.isNormalised(entry), !entry.isEmpty else {
                    local[code] = MartKeys.normalised(entry).withUnsafeBufferPointer {
                        $0.isEmpty ? 0 : table.code(of: $0)
                    }
                    continue
                }
                codes.append(code)
                hashes.append(textHash(entry))
                if codes.count == batchSize { numberAll() }
            }
            numberAll()
        }
        return local
    }

    /// The number of identifiers that are looked up at a time.
    private static let batchSize = 64

    private func requireDistinct() throws(MartError) {
        for (left, right) in zip(order, order.dropFirst())
        where refs[Int(left)] == refs[Int(right)] {
            throw MartError(
                .patientClash,
                remedy: "Two patient identifiers have one reference. This is a chance of one "
                    + "in millions; start a new mart with a new key file."
            )
        }
    }
}

/// The rows of `patient` in order of the references, sealed one leaf run at a time on all cores.
struct PatientRows: LeafSource {
    private let patients: PatientTable
    private let keys: MartKeys

    init(_ patients: PatientTable, keys: MartKeys) {
        self.patients = patients
        self.keys = keys
    }

    var count: Int { patients.order.count }
    var columnCount: Int { 2 }

    func encode(_ rows: Range<Int>, into leafRun: inout LeafRun) throws(MartError) {
        var sealer = try PatientTable.sealer(keys, count: rows.count)
        for row in rows {
            let patient = Int(patients.order[row])
            let sealed = try patients.sealed(patient, by: &sealer)
            // The reference is the row's own.
            leafRun.record.appendNull()
            sealed.withUnsafeBytes { leafRun.record.append(blob: $0) }
            leafRun.endRow(rowid: patients.refs[patient])
        }
    }
}
