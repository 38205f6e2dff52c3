import Foundation
import Testing

/// Emitted SQL against generations: every trip and every cell of the cube, in the engines the SQL
/// is written for.
@Suite struct EmitTests {
    /// The engines: Spark takes its time, and has it in `make prove`.
    private static let engines =
        ProcessInfo.processInfo.environment["PROVE"] == nil
        ? "sqlite duckdb" : "sqlite duckdb spark"
    private static let python = ShellScript.root + "/.build/emit-venv/bin/python"

    @Test(arguments: ["county", "minimal", "claims-837", "claims-cclf"])
    func aPipelineClassifiesAsItsGeneration(pipeline: String) throws {
        let ending = try ShellScript(
            """
            set -e
            P=$ROOT/pipelines/\(pipeline)
            triptych run $P --mart mart --input $P/sample --reference $P/reference >night 2>&1
            \(Self.python) -B $ROOT/Tests/Emit/pipeline.py $P $P/reference mart \(Self.engines)
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }

    /// Two overrides of trips: one in force, and one that has expired.
    @Test func generatedTripsAndOverridesClassifyAsTheirGeneration() throws {
        let ending = try ShellScript(
            """
            set -e
            triptych generate --out in --trips 3000 --months 8 --seed 5 --faults >generated
            cp -r $ROOT/pipelines/ambulance mine
            triptych run mine --mart first --input in --reference in/reference >night 2>&1 \
                || [ $? -eq 10 ]
            sqlite3 first/triptych.sqlite "SELECT trip_id || ',contracted,contract,office,a call,' \
                || CASE trip_number WHEN 1 THEN '2999-01-01' ELSE '2000-01-01' END
                FROM trip WHERE trip_number <= 2" >>mine/overrides.csv
            triptych run mine --mart mart --input in --reference in/reference >night 2>&1 \
                || [ $? -eq 10 ]
            sqlite3 mart/triptych.sqlite "SELECT count(*) FROM trip WHERE rule LIKE 'override%'"
            \(Self.python) -B $ROOT/Tests/Emit/pipeline.py mine in/reference mart \(Self.engines)
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
        #expect(ending.output.hasPrefix("1\n"), "one override is in force")
    }

    /// dbt takes the folder as it is: seeds, models and tests.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PROVE"] != nil))
    func dbtBuildsWhatIsEmittedForIt() throws {
        let ending = try ShellScript(
            """
            set -e
            P=$ROOT/pipelines/county
            triptych run $P --mart mart --input $P/sample --reference $P/reference >night 2>&1
            \(Self.python) -B $ROOT/Tests/Emit/dbt_project.py $P $P/reference mart
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }
}
