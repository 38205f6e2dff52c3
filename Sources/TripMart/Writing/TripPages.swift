import TripDomain

/// Writes the trips, their indexes and the patients as pages, without SQLite's INSERT.
///
///     patient                rows in order of their references, sealed portion by portion
///     trip_row               rows in stored order, encoded portion by portion on all cores
///     trip_row_trip_id       sorted by id; a repetition is an error, as a unique index has it
///     trip_row_type_region   sorted by the two codes
///
/// The slow twin is ``TripInsertion``; tests hold the two together.
struct TripPages {
    /// The root pages of the table and its indexes, empty so far.
    struct Roots {
        let patients: Int
        let rows: Int
        let ids: Int
        let typeRegions: Int

        /// Finds them while SQLite still has the file open.
        init(_ connection: RawConnection) throws(MartError) {
            func root(_ name: String) throws(MartError) -> Int {
                Int(
                    try connection.integer(
                        "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"
                    )
                )
            }
            patients = try root("patient")
            rows = try root("trip_row")
            ids = try root("trip_row_trip_id")
            typeRegions = try root("trip_row_type_region")
        }
    }

    private let contents: GenerationContents
    private let coding: TextCoding
    private let rows: TripRows
    private let patients: PatientRows
    private let portionSize: Int?
    private let threads: Int

    /// - Parameters:
    ///   - contents: The generation.
    ///   - coding: The codes of texts.
    ///   - rows: The trips.
    ///   - patients: The patients.
    ///   - portionSize: Rows and entries in a portion of each tree; those that are fast unless told.
    ///   - threads: The number of threads.
    init(
        _ contents: GenerationContents,
        coding: TextCoding,
        rows: TripRows,
        patients: PatientRows,
        portionSize: Int?,
        threads: Int
    ) {
        self.portionSize = portionSize
        self.contents = contents
        self.coding = coding
        self.rows = rows
        self.patients = patients
        self.threads = threads
    }

    /// Fills the three trees of a file that SQLite has closed.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - roots: Where the trees begin.
    ///   - progress: Called now and then with the number of trips written.
    /// - Throws: ``MartError`` with code `imbalance` where two trips have one id, or of the file or the key.
    /// - Complexity: O(*n*) for ids that differ within few bytes; 28 bytes of memory per trip.
    func write(
        to path: String,
        _ roots: Roots,
        progress: (Int) -> Void
    ) throws(MartError) {
        let ids = TripIDs(contents)
        let order = TextOrder(ids, threads: threads)
        guard order.firstEqual == nil else {
            throw MartError(
                .imbalance,
                file: path,
                remedy: "Two accepted trips have one id. This is a fault of the program: keep the "
                    + "mart and report it."
            )
        }
        do throws(PageError) {
            try Self.fill(
                path,
                roots,
                patients: patients,
                rows: rows,
                ids: TripIDEntries(ids, rows: order.rows),
                codes: TypeRegionCodes(contents, coding),
                portionSize: portionSize,
                threads: threads,
                progress: progress,
                release: rows.release
            )
        } catch {
            throw MartError(error)
        }
        try patients.requireSealed()
    }

    /// Fills the four trees, whatever their rows and entries come from.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - roots: Where the trees begin.
    ///   - patients: The rows of `patient`.
    ///   - rows: The rows of `trip_row`.
    ///   - ids: The entries of `trip_row_trip_id`.
    ///   - codes: What `trip_row_type_region` is sorted by.
    ///   - portionSize: Rows and entries in a portion of each tree; those that are fast unless told.
    ///   - threads: The number of threads.
    ///   - progress: Called now and then with the number of trips written.
    ///   - release: Lets go of what the rows alone need, before the indexes.
    /// - Throws: ``PageError`` of the file, or of what a source reads.
    static func fill(
        _ path: String,
        _ roots: Roots,
        patients: some LeafSource,
        rows: some LeafSource,
        ids: some LeafSource,
        codes: TypeRegionCodes,
        portionSize: Int?,
        threads: Int,
        progress: (Int) -> Void,
        release: () -> Void = {}
    ) throws(PageError) {
        let file = try BTreeFile(path: path)
        try file.fillTable(
            root: roots.patients,
            patients,
            threads: threads,
            portionSize: portionSize ?? Portions.rowsOfTable
        )
        try file.fillTable(
            root: roots.rows,
            rows,
            threads: threads,
            portionSize: portionSize ?? Portions.trips,
            progress: progress
        )
        release()
        let entryCount = portionSize ?? Portions.entriesOfIndex
        try file.fillIndex(root: roots.ids, ids, threads: threads, portionSize: entryCount)
        let codeEntries = TypeRegionEntries(
            codes,
            rows: KeyOrder.rows(codes.count, threads: threads) { codes.key($0) }
        )
        try file.fillIndex(
            root: roots.typeRegions,
            codeEntries,
            threads: threads,
            portionSize: entryCount
        )
        try file.finish()
    }
}

/// The codes of trip type and region by row.
struct TypeRegionCodes: Sendable {
    private let order: [TripPlace]
    private let types: [PackedIntegers.Reader]
    private let regions: [PackedIntegers.Reader]
    private let typeCodes: [[UInt32]]
    private let regionCodes: [[UInt32]]
    /// What the readers read.
    private let columns: [PackedTexts]

    init(_ contents: GenerationContents, _ coding: TextCoding) {
        let shape = contents.shape
        let batches = contents.batches
        order = contents.acceptedOrder
        columns = batches.flatMap { batch in
            [shape.tripTypeIndex, shape.regionIndex].map { batch.columns[$0].texts }
        }
        types = batches.map { $0.columns[shape.tripTypeIndex].texts.codes.reader }
        regions = batches.map { $0.columns[shape.regionIndex].texts.codes.reader }
        typeCodes = coding.codes[shape.tripTypeIndex, default: []]
        regionCodes = coding.codes[shape.regionIndex, default: []]
    }

    /// - Parameters:
    ///   - revision: Trips decided anew.
    ///   - order: All of them in stored order.
    ///   - coding: The codes of texts.
    init(_ revision: GenerationRevision, order: [TripPlace], _ coding: TextCoding) {
        let shape = revision.shape
        self.order = order
        columns = revision.batches.flatMap { batch in
            [shape.tripTypeIndex, shape.regionIndex].map { batch.column($0).texts }
        }
        types = revision.batches.map { $0.column(shape.tripTypeIndex).texts.codes.reader }
        regions = revision.batches.map { $0.column(shape.regionIndex).texts.codes.reader }
        typeCodes = coding.codes[shape.tripTypeIndex, default: []]
        regionCodes = coding.codes[shape.regionIndex, default: []]
    }

    var count: Int { order.count }

    /// Type before region, as the index has them.
    ///
    /// A trip has both: what is missing was filled.
    @inline(__always)
    func key(_ row: Int) -> UInt64 {
        let (batch, place) = (Int(order[row].batch), Int(order[row].row))
        let type = typeCodes[batch][Int(truncatingIfNeeded: types[batch][place])]
        let region = regionCodes[batch][Int(truncatingIfNeeded: regions[batch][place])]
        return UInt64(type) << 32 | UInt64(region)
    }
}

/// The entries of `trip_row_type_region`.
struct TypeRegionEntries: LeafSource {
    private let codes: TypeRegionCodes
    /// The rows by type and region.
    private let rows: [UInt32]

    init(_ codes: TypeRegionCodes, rows: [UInt32]) {
        self.codes = codes
        self.rows = rows
    }

    var count: Int { rows.count }
    var columnCount: Int { 3 }

    func encode(_ range: Range<Int>, into strip: inout LeafStrip) {
        var place = range.lowerBound
        while place < range.upperBound {
            let key = codes.key(Int(rows[place]))
            let end = self.end(of: key, from: place, before: range.upperBound)
            for entry in place..<end {
                strip.append(integer: Int64(key >> 32))
                strip.append(integer: Int64(key & 0xFFFF_FFFF))
                strip.append(integer: Int64(rows[entry]) + 1)
                strip.endEntry()
            }
            place = end
        }
    }

    /// Where the entries with a key end: there are few keys, and reading one goes all over memory.
    private func end(of key: UInt64, from place: Int, before limit: Int) -> Int {
        var (low, step) = (place, 1)
        while low + step < limit, codes.key(Int(rows[low + step])) == key {
            low += step
            step *= 2
        }
        var high = min(low + step, limit)
        while high - low > 1 {
            let middle = (low + high) / 2
            if codes.key(Int(rows[middle])) == key { low = middle } else { high = middle }
        }
        return high
    }
}
