import Synchronization
public import TripDomain

/// A generation, open for reading: its numbers, its trips and its rejects.
///
/// It keeps the file it was opened with; to read a newer generation, open again. It can be shared
/// between threads; queries run one at a time.
public final class ServedMart: SummaryReading {
    /// The open file.
    public let file: MartFile
    /// The generation's own row.
    public let header: GenerationHeader
    /// The columns of a trip.
    public var shape: TripShape { tables.shape }
    let tables: TripTables
    /// A cache of the codes for lists of trips by type or region.
    let codesMemory = Mutex<DimensionCodes?>(nil)

    /// The text fields that are stored by code, by their index in the shape.
    public var codedFields: Set<Int> {
        Set(
            shape.columns.indices.filter {
                tables.storage[$0] == .codedText && !shape.columns[$0].isDerived
            }
        )
    }

    /// The error of trips that contradict the generation's own numbers.
    public var damaged: MartError { file.damaged() }

    private init(_ file: MartFile) throws(MartError) {
        self.file = file
        header = try file.header()
        tables = try TripTables(file)
    }

    /// Opens the published generation.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The generation the link points to now.
    /// - Throws: ``MartError`` with code `nothingServed`, `foreignFile`, `newerFile`, `olderFile`,
    ///   or of the file.
    public static func open(_ folder: MartFolder) throws(MartError) -> ServedMart {
        guard let mart = try openIfPublished(folder) else {
            throw MartError(
                .nothingServed,
                file: folder.path,
                remedy: "Nothing is published here yet. Run: triptych run PIPELINE, or give "
                    + "another folder with --mart."
            )
        }
        return mart
    }

    /// Opens the published generation; nil where nothing is published yet.
    ///
    /// - Parameter folder: The mart.
    /// - Returns: The generation the link points to now.
    /// - Throws: ``MartError`` as ``open(_:)``, except `nothingServed`.
    public static func openIfPublished(_ folder: MartFolder) throws(MartError) -> ServedMart? {
        guard let number = try folder.servedNumber() else { return nil }
        return try open(folder, generation: number)
    }

    /// Opens a generation that is still kept for rollback.
    ///
    /// - Parameters:
    ///   - folder: The mart.
    ///   - generation: The number.
    /// - Returns: The generation.
    /// - Throws: ``MartError`` with code `notFound` where its file was removed, or as ``open(_:)``.
    public static func open(
        _ folder: MartFolder,
        generation: Int
    ) throws(MartError) -> ServedMart {
        try ServedMart(MartFile(path: folder.generationPath(generation)))
    }

    /// Opens a file that is written and not yet published, such as ``BuiltGeneration/path``.
    ///
    /// - Parameter path: The file.
    /// - Returns: The generation.
    /// - Throws: ``MartError`` as ``open(_:)``.
    public static func open(path: String) throws(MartError) -> ServedMart {
        try ServedMart(MartFile(path: path))
    }

    /// Refuses a run where the mart belongs to another pipeline, or where it would mix generated
    /// and real data.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline of the run.
    ///   - isSynthetic: Whether the run's sources are generated.
    /// - Throws: ``MartError`` with code `otherPipeline` or `syntheticMismatch`.
    public func require(pipeline: String, isSynthetic: Bool) throws(MartError) {
        guard header.pipeline == pipeline else {
            throw MartError(
                .otherPipeline,
                file: file.path,
                remedy: "This mart belongs to the pipeline \(header.pipeline). Give \(pipeline) "
                    + "a mart of its own: --mart data/mart/\(pipeline)"
            )
        }
        guard header.isSynthetic == isSynthetic else {
            let held = header.isSynthetic ? "generated" : "real"
            throw MartError(
                .syntheticMismatch,
                file: file.path,
                remedy: "This mart holds \(held) data, and the sources do not. Give them a mart "
                    + "of their own with --mart."
            )
        }
    }
}

extension TripTables {
    /// Reads the columns of a file's trips and their storage.
    init(_ file: MartFile) throws(MartError) {
        struct Entry {
            let column: ShapeColumn
            let storedAs: String
            let isCost: Bool
        }
        let entries = try file.rows("SELECT * FROM trip_column ORDER BY position") { row in
            guard let kind = ColumnKind(rawValue: try row["kind"]) else { throw file.damaged() }
            return try Entry(
                column: ShapeColumn(
                    name: row["name"],
                    kind: kind,
                    isDerived: row["derived"]
                ),
                storedAs: row["stored_as"],
                isCost: row["role"] as String? == "cost"
            )
        }
        let columns = entries.map(\.column)
        let costName = entries.first(where: \.isCost)?.column.name ?? ""
        guard let shape = TripShape(columns: columns, costName: costName) else {
            throw file.damaged()
        }
        var storage: [TripStorage] = []
        for entry in entries {
            let plain: [TripStorage] = [
                .inlineText, .codedText, .integer, .real, .days, .seconds, .patient,
            ]
            if let found = plain.first(where: { $0.word == entry.storedAs }) {
                storage.append(found)
            } else if let local = columns.firstIndex(where: {
                $0.name == entry.column.name.dropLast(4)
            }) {
                storage.append(.offset(of: local))
            } else {
                throw file.damaged()
            }
        }
        self.init(shape: shape, storage: storage)
    }
}
