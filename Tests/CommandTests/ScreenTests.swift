import Foundation
import Testing

/// All screens, as wide as a terminal is: no line is wider, colors and pager only on a terminal.
@Suite struct ScreenTests {
    /// A mart with two generations of the sample, a pipeline with edits, and a file that was cut.
    private static let prepared = Result<String, any Error> {
        let folder = ShellScript.binaryFolder + "/screens-mart"
        let ending = try ShellScript(
            """
            set -eu
            rm -rf '\(folder)'; mkdir '\(folder)'; cd '\(folder)'
            cp -r $ROOT/pipelines/ambulance mine; cp -r $ROOT/data/reference reference
            mkdir in; cp $ROOT/data/sample/claims_* in
            night() { triptych run mine --mart mart --input in --reference reference >>log 2>&1; }
            night
            # A month is sent again without every twentieth line.
            sed '20~20d' $ROOT/data/sample/claims_20260603.csv >in/claims_20260603.csv
            night || [ $? -eq 10 ]
            sed -i 's/^\\(VA[0-9]*-0[12],.*\\),VA,/\\1,VENDOR,/' reference/vehicles.csv
            sed -i 's/basis: community_care/basis: contract/' mine/rules.yaml
            head -c 9000 $ROOT/data/sample/claims_20261103.csv.gz >in/claims_20261110.csv.gz
            """
        ).run()
        try #require(ending.status == 0, "\(ending.output) \(ending.errors)")
        return folder
    }

    /// Every screen there is; results of runs are one line for programs, and so left out.
    private static let screens = """
        trip=$(triptych trips --class undetermined --limit 1 --format csv | sed -n 2p | cut -d, -f2)
        in='--input in --reference reference'
        triptych run mine $in 2>&1 >/dev/null
        triptych run mine $in --dry-run --skip claims_20261110.csv.gz 2>&1 >/dev/null
        triptych kpi; triptych kpi --by month; triptych kpi --by month,region,trip_type
        triptych kpi --by trip_type; triptych kpi --by region; triptych kpi --by class,basis
        triptych kpi --month 2031-01; triptych kpi --worklist
        triptych kpi --why 2025-10..2026-08; triptych kpi --why 2026-07..2026-08 --by region
        triptych trips; triptych trips --month 2031-01
        triptych explain $trip; triptych explain $trip --all
        triptych check mine --reference reference
        triptych check mine --reference reference --mart mart --show-keys
        triptych plan mine --reference reference
        triptych plan $ROOT/pipelines/ambulance --reference $ROOT/data/reference
        triptych diff; triptych diff --by month; triptych diff --by region,class
        triptych rejects list; triptych rejects list --field vehicle; triptych rejects show 1
        triptych runs list; triptych runs show 1; triptych runs show 2
        triptych verify 2>&1 >/dev/null
        triptych kpi --mart nowhere 2>&1; triptych explain nothing 2>&1
        triptych trips --help; triptych check --help; triptych rejects list --help
        triptych trips --class inhouse 2>&1; triptych kpi --by mnth 2>&1; triptych foo 2>&1
        """

    @Test(arguments: [80, 100, 160])
    func noLineIsWiderThanTheScreen(width: Int) throws {
        let ending = try ShellScript(
            """
            set -u
            cp -a --reflink=auto '\(Self.prepared.get())'/. .
            export COLUMNS=\(width) TRIPTYCH_MART=mart
            \(Self.screens)
            exit 0
            """
        ).run()
        let lines = ending.output.split(separator: "\n")
        #expect(lines.count > 300)
        let wide = lines.filter { line in
            // What cannot be broken, such as a path, may be wider.
            let indent = line.prefix { $0 == " " }.count
            let word = line.split(separator: " ").map(\.unicodeScalars.count).max() ?? 0
            return line.unicodeScalars.count > max(width, indent + word)
        }
        #expect(wide == [])
    }

    /// A narrow table leaves columns out and names them; it does not become running text, and no
    /// line below it speaks of a column that is not there.
    @Test func aTableStaysATable() throws {
        let ending = try ShellScript(
            """
            set -u
            cp -a --reflink=auto '\(Self.prepared.get())'/. .
            export COLUMNS=80 TRIPTYCH_MART=mart
            triptych plan mine --reference reference
            triptych diff --by region,month
            triptych kpi --by region --month 2026-10
            triptych check mine --reference reference --mart mart
            """
        ).run()
        let lines = ending.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("by edit  ") })
        #expect(lines.contains { $0.hasPrefix("region  month  ") })
        #expect(lines.contains { $0.contains("not shown for want of width: region names, ") })
        #expect(!lines.contains { $0.contains(" · moves ") || $0.contains(" · undet. ") })
        let isListed = lines.contains { $0.hasSuffix("  for example") }
        #expect(isListed || !lines.contains { $0.contains("triptych explain TRIP") })
    }

    /// The output of a command on a terminal of 90 columns and some rows.
    private static func terminal(
        _ command: String,
        rows: Int = 200,
        _ environment: String = "TERM=xterm"
    ) throws -> ShellScript.Ending {
        try ShellScript(
            """
            cp -a --reflink=auto '\(prepared.get())'/. .
            export \(environment)
            script -qec 'stty cols 90 rows \(rows); \(command) --mart mart' /dev/null </dev/null
            """
        ).run()
    }

    @Test func aTerminalHasColorsAndItsOwnWidth() throws {
        let output = try Self.terminal("triptych kpi --by region").output
        #expect(output.contains("\u{1B}[33mSYNTHETIC DATA\u{1B}[0m"))
        let lines = output.split(whereSeparator: \.isNewline)
            .map { $0.replacing("\u{1B}[33m", with: "").replacing("\u{1B}[0m", with: "") }
        #expect(lines.allSatisfy { $0.unicodeScalars.count <= 90 })
        #expect(lines.contains { $0.unicodeScalars.count > 80 })
    }

    @Test(arguments: ["TERM=xterm NO_COLOR=1", "TERM=dumb"])
    func colorsCanBeTurnedOff(environment: String) throws {
        let ending = try Self.terminal("triptych kpi --by region", environment)
        #expect(ending.output.contains("SYNTHETIC DATA"))
        #expect(!ending.output.contains("\u{1B}"))
    }

    @Test func aLongAnswerOpensInThePager() throws {
        let pager = "TERM=xterm NO_COLOR=1 TRIPTYCH_PAGER=\"sed s/^/paged:/\""
        let command = "triptych kpi --by month"
        #expect(try Self.terminal(command, rows: 10, pager).output.contains("paged:month"))
        #expect(try !Self.terminal(command, rows: 90, pager).output.contains("paged:"))
        let plain = try Self.terminal(command + " --no-pager", rows: 10, pager).output
        #expect(!plain.contains("paged:") && plain.contains("2026-10"))
        // A pager that is not there costs nothing.
        let none = "TERM=xterm NO_COLOR=1 TRIPTYCH_PAGER=no-such-program"
        #expect(try Self.terminal(command, rows: 10, none).output.contains("2026-10"))
    }

    @Test func aPipeGetsNeitherColorsNorPager() throws {
        let ending = try ShellScript(
            """
            cp -a --reflink=auto '\(Self.prepared.get())'/. .
            TERM=xterm triptych kpi --mart mart --by month | cat
            TERM=xterm triptych kpi --mart mart --by month --wide | head -3 | tail -1
            """
        ).run()
        #expect(!ending.output.contains("\u{1B}"))
        #expect(ending.output.contains("in-house %  "))
    }
}
