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

    /// A cost that is derived is summed by the emitted SQL, too.
    @Test func aDerivedCostIsThatOfItsGeneration() throws {
        let ending = try ShellScript(
            """
            set -e
            P=$ROOT/pipelines/billed-trips
            python3 -B $ROOT/Tests/Shapes/billed_trips.py make out 5
            triptych run $P --mart mart --input out/1 --reference $P/reference >night 2>&1 \
                || [ $? -eq 10 ]
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

    /// A pipeline with its exports, reference files and overrides: names, days and texts that
    /// emitted SQL could read as something else.
    private static let odd = """
        mkdir in p
        cat >p/pipeline.yaml <<'END'
        pipeline: odd
        time_zone: America/New_York
        sources:
          s: {files: "*.csv"}
        fields:
          trip_id: Id
          pickup_at: {from: Pickup, formats: ["yyyy-MM-dd HH:mm"], allow_future: true}
          region: Region
          trip_type: Type
          cost: Cost
          owner: Owner
          n: {from: N, type: integer}
          v1: {from: V1, type: decimal}
          v2: {from: V2, type: integer}
          number: {from: N, type: integer}
        lookups:
          fleet: {file: fleet.csv, match: {owner: code}}
        derived:
          a1: CAST(n + n < v1 AS INTEGER)
          a2: substr(owner, n, v2)
          a3: CASE n * n WHEN v1 THEN 'same' ELSE fleet.name END
        rules:
          - {id: own, class: in_house, basis: va_fleet, when: "n * 2 > v1", because: One.}
          - {id: far, class: contracted, basis: far, when: "fleet.name LIKE '''_%'", because: Two.}
          - {id: vendor, class: contracted, basis: contract, because: Three.,
             when: "n * 2 <= v1 AND number > -9 AND trip_id <> 'none'"}
        overrides: overrides.csv
        END
        echo trip_id,class,basis,author,reason,expires >p/overrides.csv
        { echo code,name; for i in 0 1 2 3 4 5 6 7; do echo "c$i,'n$i'"; done
          echo '#8,"a;b|c"'; echo "'c9',o'n"; echo '"c""10"," blank "'; } >p/fleet.csv
        { echo Id,Pickup,Region,Type,Cost,Owner,N,V1,V2
          for i in 0 1 2 3 4 5 6 7; do
            echo "T-$i,2026-10-0$((i + 1)) 08:00,08,BLS,$i,c$i,$((i - 3)),$((2 * i - 6)).5,$i"
          done
          echo "T-8,2026-10-08 09:00,07,ALS,8,#8,2,4.0,1"
          echo "T-9,2026-10-08 09:00,07,ALS,9,'c9',2,5.0,2"
          echo 'T-10,2027-05-01 09:00,07,ALS,,"c""10",,,'; } >in/a.csv
        export TRIPTYCH_NOW=2026-11-06T06:14:00Z
        run() {
            triptych run p --mart mart --input in --reference p >night 2>&1 || [ $? -eq 10 ]
        }
        emitted() { \(python) -B $ROOT/Tests/Emit/pipeline.py p p mart \(engines) "$@"; }

        """

    /// The last pick-up lies after the day on which its file was taken in: overrides are in force.
    @Test func namesDaysAndTextsMeanWhatTheyMeanInARun() throws {
        let ending = try ShellScript(
            Self.odd + """
                set -e
                echo T-1,contracted,contract,office,a call,2026-12-31 >>p/overrides.csv
                echo T-2,contracted,contract,office,a call,2026-10-01 >>p/overrides.csv
                run
                sqlite3 mart/triptych.sqlite \
                    "SELECT trip_id FROM trip WHERE rule LIKE 'override%'" \
                    "SELECT count(*) FROM trip WHERE rule = 'far'" \
                    "SELECT data_through FROM generation"
                emitted
                """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
        #expect(ending.output.hasPrefix("T-1\n5\n2026-10-08\n"), "\(ending.output)")
    }

    /// Trips with references alone: what reads an id is refused, and the rest is the same.
    @Test func tripsMayHaveReferencesInThePlaceOfIDs() throws {
        let ending = try ShellScript(
            Self.odd + """
                echo T-1,contracted,contract,office,a call,2026-12-31 >>p/overrides.csv
                triptych emit p --reference p --dialect duckdb --trip-refs; echo "exit $?"
                sed -i "s/ AND trip_id <> 'none'//" p/pipeline.yaml
                triptych emit p --reference p --dialect sqlite --trip-refs; echo "exit $?"
                sed -i 2d p/overrides.csv
                run && emitted --trip-refs
                """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
        #expect(ending.output.hasPrefix("exit 78\nexit 78\n"), "\(ending.output)")
        #expect(ending.errors.contains("the pipeline has 2 faults"), "\(ending.errors)")
        #expect(ending.errors.contains("overrides.csv:2: the list names trips by their ids"))
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
