import Foundation
import Testing

/// One trip that lies elsewhere, read from Parquet by DuckDB itself.
@Suite struct ElsewhereTripTests {
    private static let python = ShellScript.root + "/.build/emit-venv/bin/python"

    /// A divided run whose trips lie below a folder; a shell that has DuckDB, and no PyArrow.
    private static func divided(_ folder: String, trips: String) -> String {
        """
        mkdir -p in work bin "\(folder)"
        printf '#!/bin/sh\\nexec \(python) -B %s "$@"\\n' $ROOT/Tests/Emit/duckdb_shell.py >bin/duckdb
        printf '#!/bin/sh\\nexit 1\\n' >bin/no-python3; chmod +x bin/*
        P=$ROOT/pipelines/minimal
        { echo 'Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner'
          for i in 1 2 3; do echo "T-$i,$((i + 7))/$i/2026 8:00,08,BLS,10.00,VA"; done
          echo 'T-4,10/4/2026 8:00,08,BLS,,Vendor'; } >in/a.csv
        export TRIPTYCH_NOW=2026-11-04T06:00:00Z
        python3 $ROOT/Tests/Shards/divided.py $P --input in --mart mart --work work --dry-run \\
            >night 2>&1
        \(python) -B $ROOT/Tests/Emit/parquet.py work/plan.json in mart.key "\(folder)"
        triptych import-cube --plan work/plan.json --results work/results --mart mart \\
            --trips "\(trips)" >>night 2>&1; echo "import $?"
        cp bin/no-python3 bin/python3; export PATH=$PWD/bin:$PATH
        explain() { triptych explain "$1" --mart mart 2>&1; echo "exit $?"; }

        """
    }

    /// Folders above the trips, such as `region=99`, give no column; blanks and brackets in their
    /// names are read as they are.
    @Test(arguments: [
        ("trips", "trips"), ("region=99/owner=Vendor", "region=99/owner=Vendor"),
        ("o'd d [x]*?/100%20", "o'd d [x]*?/100%20"),
        ("o'd d [x]", "file://$PWD/o'd%20d%20%5bx%5D"), ("a b", "file://$PWD/a%20b/"),
    ])
    func oneTripIsExplainedFromParquet(folder: String, trips: String) throws {
        let ending = try ShellScript(
            Self.divided(folder, trips: trips) + """
                explain T-1; explain T-4; explain T-9
                triptych trips --mart mart 2>&1 | sed -n '/duckdb -c/,/LIMIT/p' \\
                    | sed '1s/.*duckdb/duckdb/; s/^  *//' | tr '\\n' ' ' | bash
                """
        ).run()
        let output = ending.output
        #expect(output.hasPrefix("import 0\n"), "\(output) \(ending.errors)")
        #expect(output.contains("Trip T-1 · generation 1 · BLS · region 08 · 2026-08"), "\(output)")
        #expect(output.contains("owner is 'VA'") && output.contains("owner is 'Vendor'"))
        #expect(output.contains("no such trip | exit 66"), "\(output)")
        #expect(output.hasSuffix("4 rows\n"), "the printed command reads all: \(output)")
    }

    /// A row of another rule, a row that is there twice and a folder that is gone are no answer.
    @Test func whatIsNotOfTheGenerationIsRefused() throws {
        let ending = try ShellScript(
            Self.divided("trips", trips: "trips") + """
                file=$(ls -d trips/month=2026-08)/trips.parquet
                cp $file trips/month=2026-08/again.parquet; explain T-1
                rm trips/month=2026-08/again.parquet
                bin/duckdb -c "COPY (SELECT * REPLACE ('vendor' AS rule) FROM '$file') TO '$file.new'
                    (FORMAT parquet)"; mv $file.new $file; explain T-1
                bin/duckdb -c "COPY (SELECT * REPLACE ('none' AS rule) FROM '$file') TO '$file.new'
                    (FORMAT parquet)"; mv $file.new $file; explain T-1
                mv trips away; explain T-1; triptych trips --mart mart 2>&1; true
                """
        ).run()
        // Where a line breaks says nothing.
        let output = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(output.hasPrefix("import 0 "), "\(output) \(ending.errors)")
        #expect(!output.contains("exit 0"), "\(output)")
        #expect(output.contains("in 2 rows, not in one"), "\(output)")
        #expect(output.contains("with a rule other than the one"), "\(output)")
        #expect(output.contains("or with a rule other than generation 1"), "\(output)")
        #expect(output.components(separatedBy: "There is no such folder").count == 3, "\(output)")
    }
}
