import Testing
import TripDomain

@Suite struct WordNumbersTests {
    private func texts(_ words: [String]) -> PackedTexts {
        PackedTexts(TextColumn(codes: [], pool: TextPool(words)))
    }

    @Test func aWordKeepsItsFirstNumber() {
        var numbers = WordNumbers()
        // Entry 0 of a pool is NULL, a word without bytes.
        #expect(numbers.numbers(of: texts(["08", "23"])) == [0, 1, 2])
        #expect(numbers.numbers(of: texts(["23", "10", "08"])) == [0, 2, 3, 1])
        #expect(numbers.texts == ["", "08", "23", "10"])
    }

    @Test func wordsAreBytes() {
        var numbers = WordNumbers()
        #expect(numbers.numbers(of: texts(["\u{E9}", "e\u{301}"])) == [0, 1, 2])
    }

    @Test func anotherNumberingIsTranslated() {
        var (left, right) = (WordNumbers(), WordNumbers())
        _ = left.numbers(of: texts(["BLS", "ALS1"]))
        _ = right.numbers(of: texts(["ALS1", "SCT"]))
        #expect(left.numbers(of: right) == [0, 2, 3])
        #expect(left.texts == ["", "BLS", "ALS1", "SCT"])
    }
}
