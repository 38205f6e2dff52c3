import Testing

/// Damaged exports of every kind, read by the whole command and judged by position.
@Suite struct PollutedTests {
    /// The shell of SQLite reads them as well: where it is right everywhere, the judge is blind.
    ///
    /// `make prove` reads thousands of files with more readers.
    @Test func cleanRecordsAreKeptAndDamagedLinesNamed() throws {
        let ending = try ShellScript(
            """
            python3 -B $ROOT/Tests/Polluted/polluted.py --folder polluted \\
                --readers triptych,sqlite3
            """
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }
}
