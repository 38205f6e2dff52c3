import Foundation
import Testing

/// The dashboard in a real browser, before the real server and a mart of 25 months.
///
/// `make prove` runs all scripts of Tests/Dashboard; these are the journeys that a change breaks
/// first. D90: Playwright drives Debian's Chromium.
@Suite struct DashboardTests {
    /// A folder with a mart in `mart`, published once for all scripts.
    private static let published = Result<String, any Error> {
        let folder = ShellScript.binaryFolder + "/dashboard-mart"
        let ending = try ShellScript("$ROOT/.ci/dashboard-mart '\(folder)'").run()
        try #require(ending.status == 0, "\(ending.output) \(ending.errors)")
        return folder
    }

    /// What each script shows stands at its head.
    @Test(arguments: [
        "test_sources.py", "test_rows.py", "test_first_screen.py", "test_filter.py",
        "test_states.py", "test_protection.py",
    ])
    func theDashboardKeepsItsWord(script: String) throws {
        let python = ShellScript.root + "/.build/contract-venv/bin/python"
        let folder = try Self.published.get()
        let ending = try ShellScript(
            "'\(python)' -B $ROOT/Tests/Dashboard/\(script) \(folder)"
        ).run()
        #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    }
}
