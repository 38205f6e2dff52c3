import Testing

/// CSV output of commands, opened by a spreadsheet program.
@Suite struct SpreadsheetTests {
    @Test func noTextOfAnExportBecomesAFormula() throws {
        let ending = try ShellScript(
            "python3 -B $ROOT/Tests/Spreadsheet/test_spreadsheet.py "
                + "$ROOT/pipelines/minimal \"$PWD\""
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }
}
