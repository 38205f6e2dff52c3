public import ArgumentParser
import TripDomain
public import TripReports
import TripRuns
import TripText

/// `triptych emit PIPELINE`.
struct EmitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emit",
        abstract: "Write a pipeline's rules as SQL, for DuckDB, Spark, SQLite and dbt.",
        discussion: """
            Prints a SELECT that classifies one table of typed trips: look-ups as dated joins, \
            derived fields, one CASE over the rules with their ids and bases; then a SELECT of the \
            KPIs. Its trips get the rule, class and basis that a run gives them. What a dialect \
            cannot say with the same meaning is refused, by file and line (exit 78). No export is \
            read, and nothing is published.

            --out writes the SELECTs, the tables they read and the rows of the reference files \
            into a folder; --dbt writes two models, schema.yml with tests, and seeds for dbt. The \
            list of overrides, where it has lines, is one of these files: it names trips.

            --trip-refs is for trips that a divided run wrote as Parquet: they have references, and \
            no ids. Overrides, and whatever reads trip_id, are refused then.

            docs/EMIT.md describes the table of trips.

            Examples:
              triptych emit pipelines/minimal --dialect duckdb
              triptych emit pipelines/ambulance --dialect spark --out sql
              triptych emit pipelines/ambulance --dialect duckdb --dbt --out warehouse
            """
    )

    @Argument(help: "The pipeline folder, or a pipeline file.")
    var pipeline: String

    @Option(help: "The dialect: duckdb, spark or sqlite.")
    var dialect: EmittedDialect

    @Flag(help: "With --out: write models, tests and seeds for dbt.")
    var dbt = false

    @Flag(help: "The table of trips has references (trip_ref) in the place of ids.")
    var tripRefs = false

    @Option(help: "The folder to write to. (default: the SQL is printed)")
    var out: String?

    @OptionGroup var reference: ReferenceOptions

    func validate() throws {
        if dbt, out == nil {
            throw ValidationError("--dbt writes a folder; name it with --out DIR")
        }
    }

    func run() throws {
        try CommandEnding.catching {
            let check = PipelineCheck(
                options: RunOptions(
                    pipelinePath: pipeline,
                    martPath: "",
                    inputPath: "",
                    referencePath: reference.path,
                    now: 0
                ),
                examinesTrips: false,
                progress: LogOptions.terminalProgress
            )
            let emitted = try EmittedFiles(
                check.compile(),
                for: dialect,
                isForDBT: dbt,
                haveTripIDs: !tripRefs
            )
            guard let out else {
                return Output.write(emitted.script, to: .standardOutput)
            }
            for file in try emitted.write(to: out) {
                Output.line(UnseenCharacters.named(in: file), to: .standardOutput)
            }
        }
    }
}

extension EmittedDialect: ExpressibleByArgument {}
