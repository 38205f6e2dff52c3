public import TripDomain

/// What moved the numbers from one generation to another, cause by cause: a small file of its own.
///
/// The causes are those of `triptych diff`, which saves them; a server shows them. The file is no
/// part of a generation: `verify` builds a generation from its inputs alone.
public struct GenerationChanges: Sendable, Hashable {
    /// One cause.
    public struct Cause: Sendable, Hashable {
        /// Its kind, such as `late`.
        public let kind: String
        /// What it is called, such as `late trips`.
        public let name: String

        /// Names a cause.
        public init(kind: String, name: String) {
            (self.kind, self.name) = (kind, name)
        }
    }

    /// What one cause changed in a month, trip type and region.
    public struct Cell: Sendable, Hashable {
        /// The index of the cause.
        public let cause: Int
        /// `YYYY-MM`.
        public let month: String
        /// The trip type.
        public let tripType: String
        /// The region.
        public let region: String
        /// The sums after it less those before.
        public let sums: KPISums

        /// Describes a change.
        public init(cause: Int, month: String, tripType: String, region: String, sums: KPISums) {
            (self.cause, self.month, self.tripType) = (cause, month, tripType)
            (self.region, self.sums) = (region, sums)
        }
    }

    /// The earlier generation.
    public let from: Int
    /// The later generation.
    public let to: Int
    /// The causes, in the order in which they are applied.
    public let causes: [Cause]
    /// What each of them changed.
    public let cells: [Cell]

    /// Gathers the changes between two generations.
    public init(from: Int, to: Int, causes: [Cause], cells: [Cell]) {
        (self.from, self.to, self.causes, self.cells) = (from, to, causes, cells)
    }

    /// Saves them; a file of the same later generation is replaced.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The file's path.
    /// - Throws: ``MartError`` where the file cannot be written; an existing file stays as it is.
    public func save(in folder: MartFolder) throws(MartError) -> String {
        try folder.createChanges()
        let path = folder.changesPath(to)
        let unique = UInt64.random(in: 0...UInt64.max)
        let building = folder.changesPath + "/.building-" + String(unique, radix: 16)
        do throws(MartError) {
            let connection = try GenerationFile.make(building)
            try connection.execute(ChangeTables.ddl)
            try fill(connection)
            try connection.execute("COMMIT")
            try connection.close()
            try FileSystem.sync(building)
            try FileSystem.move(building, to: path)
            try FileSystem.sync(folder.changesPath)
        } catch {
            // The first error is the one to report.
            try? FileSystem.remove(building)
            throw error
        }
        return path
    }

    private func fill(_ connection: RawConnection) throws(MartError) {
        try connection.insert(into: "changes", 2, [[StoredValue(from), StoredValue(to)]])
        try connection.insert(
            into: "cause",
            3,
            causes.enumerated().map { [StoredValue($0 + 1), .text($1.kind), .text($1.name)] }
        )
        try connection.insert(
            into: "change",
            4 + CubeTables.sumColumns.count,
            cells.map { cell in
                [
                    StoredValue(cell.cause + 1), .text(cell.month), .text(cell.tripType),
                    .text(cell.region),
                ] + cell.sums.values.map { .integer($0) }
            }
        )
    }

    /// Reads the changes that led to a generation.
    ///
    /// - Parameters:
    ///   - number: The generation.
    ///   - folder: The mart.
    /// - Throws: ``MartError`` with code `notFound` where none are saved, `damaged` where the file
    ///   is not as it was saved, or an error of the file.
    public init(to number: Int, in folder: MartFolder) throws(MartError) {
        let file = try MartFile(path: folder.changesPath(number))
        let ends = try file.rows("SELECT from_generation, to_generation FROM changes") { row in
            (from: try row[0] as Int, to: try row[1] as Int)
        }
        let causes = try file.rows("SELECT kind, name FROM cause ORDER BY number") { row in
            Cause(kind: try row[0], name: try row[1])
        }
        let columns = CubeTables.sumColumns.joined(separator: ", ")
        let sql = "SELECT cause, month, trip_type, region, \(columns) FROM change"
        let cells = try file.rows(sql) { row in
            let values: [Int64] = try CubeTables.sumColumns.indices.map { try row[$0 + 4] }
            return Cell(
                cause: try row[0] as Int - 1,
                month: try row[1],
                tripType: try row[2],
                region: try row[3],
                sums: KPISums(values: values)
            )
        }
        guard let ends = ends.first, ends.to == number,
            cells.allSatisfy({ causes.indices.contains($0.cause) })
        else { throw file.damaged() }
        self.init(from: ends.from, to: ends.to, causes: causes, cells: cells)
    }
}
