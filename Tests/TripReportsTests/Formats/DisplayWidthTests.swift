import Testing

@testable import TripReports

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("abc", 3), ("Łódź", 4), ("Zoe\u{308}", 3), ("東京", 4), ("ｶﾅ", 2), ("Ｘ", 2), ("🚑", 2),
        ("a\u{200B}b", 2), ("40.79–41.55 →", 13), ("", 0),
    ])
    func columnsAreCountedByCodePoints(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func aCutTextNeverHasMoreColumnsThanAskedFor() {
        #expect(DisplayWidth.cut("Basic life support", to: 10) == "Basic lif…")
        #expect(DisplayWidth.cut("Basic life support", to: 7) == "Basic…")
        #expect(DisplayWidth.cut("東京都", to: 5) == "東京…")
        #expect(DisplayWidth.cut("東京都", to: 4) == "東…")
        #expect(DisplayWidth.cut("fits", to: 4) == "fits")
    }

    @Test func textsArePaddedByColumns() {
        #expect(DisplayWidth.padded("東", to: 4) == "東  ")
        #expect(DisplayWidth.padded("7", to: 3, isRight: true) == "  7")
    }
}
