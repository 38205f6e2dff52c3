import Glibc
import TripDomain
public import TripPipeline
import TripRules
import TripRuns

/// A dialect that `emit` writes.
public enum EmittedDialect: String, Sendable, CaseIterable {
    /// DuckDB.
    case duckdb
    /// Spark SQL.
    case spark
    /// SQLite.
    case sqlite

    fileprivate var sql: SQLDialect {
        switch self {
        case .duckdb: .duckdb
        case .spark: .spark
        case .sqlite: .sqlite
        }
    }
}

/// What `emit` prints or writes: SQL, the tables it reads, and models for dbt.
public struct EmittedFiles: Sendable {
    /// A file and its text.
    public struct File: Sendable {
        /// Its path below the folder that is written to.
        public let path: String
        /// Its content.
        public let text: String
    }

    private let compiled: CompiledPipeline
    private let sql: TripSQL
    private let isForDBT: Bool

    /// Writes a pipeline as SQL.
    ///
    /// - Parameters:
    ///   - compiled: The pipeline, with its look-ups loaded.
    ///   - dialect: The dialect.
    ///   - isForDBT: Whether models for dbt are wanted.
    ///   - haveTripIDs: Whether the table of trips has ids, and not references.
    /// - Throws: `PipelineFaults` with every expression that the dialect cannot say.
    public init(
        _ compiled: CompiledPipeline,
        for dialect: EmittedDialect,
        isForDBT: Bool,
        haveTripIDs: Bool
    ) throws(PipelineFaults) {
        self.compiled = compiled
        self.isForDBT = isForDBT
        var tables = isForDBT ? DBTModels.tables : .plain
        tables.haveTripIDs = haveTripIDs
        sql = try compiled.sql(in: dialect.sql, tables: tables)
    }

    private var dialect: SQLDialect { sql.dialect }

    private func head(_ what: String) -> String {
        "-- \(what) of the pipeline \(compiled.pipeline.name), for \(dialect.title).\n"
            + "-- Written by triptych emit; docs/EMIT.md describes the tables.\n"
    }

    /// Everything as one script: a view with the classified trips, and a query of the KPIs.
    public var script: String {
        let create = dialect == .sqlite ? "CREATE TEMP VIEW" : "CREATE OR REPLACE TEMP VIEW"
        return head("Classification and KPIs")
            + "\(create) trip_class AS\n\(sql.classification);\n\n\(sql.kpis);\n"
    }

    /// The files of a folder: two SELECT, the tables they read, and the rows of reference tables.
    ///
    /// - Throws: `PipelineFaults` where dbt would read a text of a reference file as NULL.
    public func files() throws(PipelineFaults) -> [File] {
        let rows = try seeds()
        let (classification, kpis) = (
            head("Classification") + sql.classification + "\n", head("KPIs") + sql.kpis + "\n"
        )
        guard isForDBT else {
            return [
                File(path: "tables.sql", text: head("Tables") + tables),
                File(path: "trip_class.sql", text: classification),
                File(path: "kpi.sql", text: kpis),
            ] + rows
        }
        let models = DBTModels(sql, pipeline: compiled.pipeline.name)
        return [
            File(path: "models/trip_class.sql", text: DBTModels.escaped(classification)),
            File(path: "models/kpi.sql", text: DBTModels.escaped(kpis)),
            File(path: "models/schema.yml", text: models.schema),
            File(path: "seeds/seeds.yml", text: models.seeds),
        ] + rows
    }

    /// The statements that create the tables.
    private var tables: String {
        let columns = sql.tripColumns.map { ($0.name, $0.kind) }
        let date = ColumnKind.date
        let references = sql.references.map {
            ($0.name, Array(zip($0.columnNames, $0.columnKinds)))
        }
        let generation = sql.overrides == nil ? [] : [("generation", [("data_through", date)])]
        return ([("trip", columns)] + generation + references).map { name, columns in
            let lines = columns.map { column, kind in
                "  \(dialect.quoted(column)) \(dialect.typeName(of: kind))"
            }
            return "CREATE TABLE \(dialect.quoted(name)) (\n\(lines.joined(separator: ",\n"))\n);\n"
        }.joined()
    }

    /// The rows of the reference tables, as CSV with a header; what is not known is empty.
    private func seeds() throws(PipelineFaults) -> [File] {
        var files: [File] = []
        for table in sql.references {
            if isForDBT { try table.requireNoNullWord() }
            files.append(File(path: "seeds/\(table.name).csv", text: table.csv))
        }
        return files
    }

    /// Writes the files into a folder.
    ///
    /// - Parameter folder: The folder; it is made where there is none.
    /// - Returns: The paths, with the folder's.
    /// - Throws: `PipelineFaults`, or `RunError` where a file cannot be written.
    public func write(to folder: String) throws -> [String] {
        let files = try files()
        let folders = Set(files.map { $0.path.split(separator: "/").dropLast() })
        for name in [folder]
            + folders.filter({ !$0.isEmpty }).map({ "\(folder)/\($0[0])" }).sorted()
        {
            guard mkdir(name, 0o750) != 0, errno != EEXIST else { continue }
            throw RunError(
                .cannotWrite,
                summary: "a folder cannot be made",
                what: "\(name): \(FileText.systemMessage()).",
                remedies: ["Name another with --out DIR."]
            )
        }
        return try files.map { file in
            let path = "\(folder)/\(file.path)"
            try FileText.write(file.text, to: path)
            return path
        }
    }
}

/// A reference table as the SQL reads it.
struct EmittedReference {
    /// Its name, such as `reference_site`.
    let name: String
    private let table: ReferenceTable

    init(_ table: ReferenceTable) {
        name = TripSQL.tableName(of: table.lookup)
        self.table = table
    }

    var columnNames: [String] { table.columnNames }
    var columnKinds: [ColumnKind] { table.columnKinds }

    /// The rows as CSV; the cells are those the look-up reads, amounts in whole cents.
    var csv: String {
        let rows = (1..<(table.rowCount + 1)).map { row in
            table.columns.indices.map { Self.quoted(cell($0, row) ?? "") }
        }
        return ([columnNames.map(Self.quoted)] + rows)
            .map { $0.joined(separator: ",") + "\n" }.joined()
    }

    private func cell(_ column: Int, _ row: Int) -> String? {
        switch table.columns[column] {
        case .text(let texts): return texts.pool.string(texts.codes[row])
        case .integer(let numbers):
            guard let number = numbers.value(row) else { return nil }
            let isDay = columnKinds[column] == .date
            return isDay ? CivilDate(dayNumber: Int32(number)).text : String(number)
        case .real(let numbers): return numbers.isNull(row) ? nil : String(numbers.values[row])
        }
    }

    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.unicodeScalars.contains { "\",\n\r".unicodeScalars.contains($0) }
        return needsQuotes ? QuotedText.quoted(cell) : cell
    }

    /// Refuses the text `null`, which dbt reads as NULL from a seed.
    func requireNoNullWord() throws(PipelineFaults) {
        for row in 1..<(table.rowCount + 1) {
            for column in table.columns.indices where cell(column, row)?.lowercased() == "null" {
                throw PipelineFaults(
                    faults: [
                        PipelineFault(
                            file: table.file,
                            line: Int(table.lineNumbers[row]),
                            message: "the column '\(columnNames[column])' holds the word `null`, "
                                + "which dbt reads as not known",
                            suggestion: "Write another word, or emit without --dbt."
                        )
                    ]
                )
            }
        }
    }
}

extension TripSQL {
    /// The reference tables the SQL reads, each once.
    var references: [EmittedReference] {
        lookups.map { EmittedReference($0.table) }
            + (overrides.map { [EmittedReference($0.table)] } ?? [])
    }
}
