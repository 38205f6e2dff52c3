import Testing

@testable import TripReports

@Suite struct StateColorsTests {
    private static func colored(_ code: Int, _ word: String) -> String {
        "\u{1B}[\(code)m\(word)\u{1B}[0m"
    }

    @Test func theFirstWordTellsTheState() {
        #expect(StateColors.colored("WITHHELD | 1") == Self.colored(31, "WITHHELD") + " | 1")
        #expect(StateColors.colored("PUBLISHED 2") == Self.colored(32, "PUBLISHED") + " 2")
        #expect(StateColors.colored("  warn x") == "  " + Self.colored(33, "warn") + " x")
        #expect(StateColors.colored("note  a: b") == Self.colored(2, "note") + "  a: b")
    }

    @Test func aWordOfAnotherMeaningHasNoColor() {
        for line in ["warned", "errors  3", "a held trip", "valid 2023-10-01 … open", ""] {
            #expect(StateColors.colored(line) == line)
        }
    }

    @Test func openMonthsStandOut() {
        #expect(
            StateColors.colored("October is OPEN (settles 2027-01-29)\n2026-10 open   3")
                == "October is \(Self.colored(33, "OPEN")) (settles 2027-01-29)\n"
                + "2026-10 \(Self.colored(33, "open"))   3"
        )
    }
}
