import Testing

@testable import TripReports

@Suite struct UsageTextTests {
    private static let usage =
        "Usage: triptych trips --out <out> [--month <month>] [--region <region> ...] [--wide] <pipeline>"

    private static func lines(_ text: String, _ width: Int) -> [String] {
        UsageText.lines(of: text, on: Screen(width: width))
    }

    @Test func aUseIsBrokenBetweenItsOptions() {
        #expect(
            Self.lines("Error: no.\n" + Self.usage + "\n  See it.", 48) == [
                "Error: no.",
                "Usage: triptych trips --out <out>",
                "       [--month <month>] [--region <region> ...]",
                "       [--wide] <pipeline>",
                "  See it.",
            ]
        )
    }

    @Test func aUseThatFitsStaysOnOneLine() {
        #expect(Self.lines(Self.usage, 100) == [Self.usage])
    }

    /// A script that a shell reads must not be broken.
    @Test func otherLinesStayAsTheyAre() {
        let script = "complete -c triptych -n '__fish_triptych' -l month -r --arguments x\n\nend\n"
        #expect(Self.lines(script, 40).joined(separator: "\n") == script)
    }
}
