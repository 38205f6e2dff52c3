import Testing

@testable import TripDomain

@Suite struct MonthFilterTests {
    @Test(arguments: [
        ("2026-10", "2026-10", "2026-10"), ("2026-01..2026-10", "2026-01", "2026-10"),
        ("2026-10..2026-10", "2026-10", "2026-10"), ("2026-10..", "2026-10", "2199-12"),
        ("..2026-10", "1900-01", "2026-10"),
    ])
    func aRangeMayBeOpenAtOneEnd(text: String, first: String, last: String) throws {
        let months = try MonthFilter(text: text).months
        #expect(months.lowerBound.text == first && months.upperBound.text == last)
    }

    @Test(arguments: [
        ("..", "names no month"), ("", "is no month. Write"), ("2026-13", "2026-01 to 2026-12"),
        ("2026-00", "2026-01 to 2026-12"), ("2026-00..2026-10", "2026-01 to 2026-12"),
        ("2026-1", "Did you mean 2026-01?"), ("2026", "Did you mean 2026-01..2026-12?"),
        ("2026-10-05", "Did you mean 2026-10?"), ("2026-10..2026-01", "2026-01..2026-10?"),
        ("2026-10...", "is no month"), ("2026-10....2026-12", "is no month"),
        ("....", "is no month"),
        ("FY2026", "a fiscal year. The federal one is 2025-10..2026-09"),
        ("FY26", "is no month. Write"), ("fy2200", "is no month. Write"),
        ("Oct 2026", "is no month"), ("10/2026", "is no month"),
        ("1899-12..", "1900-01 to 2199-12"),
        ("..2200-01", "1900-01 to 2199-12"), (" 2026-10", "is no month"), ("2026-10..x", "'x'"),
    ])
    func aTextThatNamesNoMonthsSaysWhy(text: String, words: String) {
        let fault = #expect(throws: MonthFilter.Fault.self) { try MonthFilter(text: text) }
        #expect(fault?.message.contains(words) == true, "\(fault?.message ?? "")")
    }
}
