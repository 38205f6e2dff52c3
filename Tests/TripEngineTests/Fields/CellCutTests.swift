import Testing

@testable import TripEngine

@Suite struct CellCutTests {
    private func cut(
        _ text: String,
        _ describe: (inout CellCut) throws -> Void
    ) rethrows
        -> String?
    {
        var cut = CellCut()
        try describe(&cut)
        return Array(text.utf8).withUnsafeBufferPointer { cut.applied(to: $0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        (1, "2026"), (2, "000123"), (3, "M7"), (4, ""), (-1, "M7"), (-3, "2026"), (-4, ""),
    ])
    func aPartIsCountedFromTheBeginningOrTheEnd(number: Int, expected: String) {
        let found = cut("2026- 000123 -M7") { $0.part = CellCut.Part(mark: "-", number: number) }
        #expect(found == expected)
    }

    @Test func aMarkMayHaveSeveralLetters() {
        #expect(cut("a::b:c") { $0.part = CellCut.Part(mark: "::", number: 2) } == "b:c")
        #expect(cut("a") { $0.part = CellCut.Part(mark: "::", number: 1) } == "a")
        #expect(cut("a") { $0.part = CellCut.Part(mark: "::", number: 2) } == "")
        #expect(cut("a::") { $0.part = CellCut.Part(mark: "::", number: -1) } == "")
    }

    @Test func whatFitsIsTaken() throws {
        #expect(try cut("Unit M-007 (spare)") { $0.pattern = try Pattern("M-(\\d+)") } == "007")
        #expect(try cut("Unit 12, Unit 13") { $0.pattern = try Pattern("\\d+") } == "12")
        #expect(try cut("no unit") { $0.pattern = try Pattern("\\d+") } == nil)
        #expect(try cut("") { $0.pattern = try Pattern("\\d+") } == "")
    }

    @Test(arguments: [
        ("007", "7"), ("000", "0"), ("0", "0"), ("70", "70"), ("00A", "0A"), ("A00", "A00"),
    ])
    func zerosAtTheBeginningAreDropped(text: String, expected: String) {
        #expect(cut(text) { $0.dropsZeros = true } == expected)
    }

    @Test func zerosArePutBeforeAShortText() {
        #expect(cut("7") { $0.paddedSize = 3 } == "007")
        #expect(cut("1234") { $0.paddedSize = 3 } == "1234")
        #expect(cut("") { $0.paddedSize = 3 } == "")
        let both = cut("0007") { cut in
            cut.dropsZeros = true
            cut.paddedSize = 2
        }
        #expect(both == "07")
    }

    @Test func lettersAreMadeSmall() {
        #expect(cut("Mobile 7 É") { $0.isLowercased = true } == "mobile 7 É")
    }

    /// A text of many beginnings of a match takes no longer than its size says.
    @Test func aLongTextIsReadOnce() throws {
        let text = String(repeating: "a", count: 200_000)
        #expect(try cut(text) { $0.pattern = try Pattern("a*b") } == nil)
    }
}
