import Testing

@testable import TripText

@Suite struct SpreadsheetTextTests {
    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("=cmd|'/C calc'!A0", "'=cmd|'/C calc'!A0"), ("\t=1", "'\t'=1"), ("\r=1", "'\r'=1"),
        ("\n=1", "'\n'=1"), ("\0=1", "'\0'=1"), ("\0a", "'\0a"), ("\u{1}\0 -1", "'\u{1}\0 '-1"),
        ("\u{9b}x", "'\u{9b}x"), (" \0=1", " \0'=1"), ("  =1", "  '=1"), ("\u{a0}=1", "\u{a0}'=1"),
        ("\u{feff}=1", "\u{feff}'=1"),
        ("\u{200b}\u{200e}=1", "\u{200b}\u{200e}'=1"), ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"),
        ("＠A1", "'＠A1"), ("a;=1", "a;'=1"), ("a\t=1", "a\t'=1"), ("a\n =1", "a\n '=1"),
        ("a|@b", "a|'@b"), ("\";=1", "\";'=1"), ("=\u{301}1", "'=\u{301}1"),
    ])
    func formulasAreEscaped(text: String, defused: String) {
        #expect(Array(SpreadsheetText.defused(text).utf8) == Array(defused.utf8))
    }

    @Test(arguments: [
        "", "BLS", "34.50-35.07", "a=b", "a,=b", "2026-10", "Facility 546; Facility 548", "'=1",
        "1;2|3",
    ])
    func otherTextsStayAsTheyAre(text: String) {
        #expect(SpreadsheetText.defused(text) == text)
    }
}
