import Testing
import TripDomain

@Suite struct TextInternerTests {
    private func texts(_ words: [String]) -> PackedTexts {
        PackedTexts(TextColumn(codes: [], pool: TextPool(words)))
    }

    @Test func aWordKeepsItsFirstCode() {
        var interner = TextInterner()
        // Entry 0 of a pool is NULL, which is no word.
        #expect(interner.wordCodes(of: texts(["08", "23"])) == [0, 1, 2])
        #expect(interner.wordCodes(of: texts(["23", "10", "08"])) == [0, 2, 3, 1])
        #expect(interner.wordCodes(of: TextPool(["10", "", "30"])) == [0, 3, 0, 4])
        #expect(interner.texts == ["", "08", "23", "10", "30"])
    }

    @Test func textsAreBytes() {
        var interner = TextInterner()
        #expect(interner.wordCodes(of: texts(["\u{E9}", "e\u{301}"])) == [0, 1, 2])
    }

    @Test func theWordsOfAnotherInternerAreTranslated() {
        var (left, right) = (TextInterner(), TextInterner())
        _ = left.wordCodes(of: texts(["BLS", "ALS1"]))
        _ = right.wordCodes(of: texts(["ALS1", "SCT"]))
        #expect(left.wordCodes(of: right.pool) == [0, 2, 3])
        #expect(left.texts == ["", "BLS", "ALS1", "SCT"])
    }

    @Test func anEmptyTextHasACodeOfItsOwn() {
        var interner = TextInterner()
        #expect(interner.code(of: "a") == 1)
        #expect(interner.code(of: "") == 2)
        #expect(interner.code(of: "") == 2)
    }

    /// Compares it with a dictionary, with texts of every size up to forty bytes, through several
    /// growths of the table.
    @Test func codesAreThoseOfADictionary() {
        var interner = TextInterner()
        var twin: [[UInt8]: UInt32] = [:]
        var bits: UInt64 = 1
        var mistakes = 0
        for _ in 0..<20_000 {
            bits = foldedProduct(bits)
            let size = Int((bits >> 8) % 41)
            let rest = [UInt8(bits & 15), UInt8(bits >> 60)]
            let text = [UInt8](repeating: 0x61, count: size) + rest
            let known = twin[text] ?? 0
            let expected = known == 0 ? UInt32(twin.count + 1) : known
            twin[text] = expected
            text.withUnsafeBufferPointer { text in
                if interner.find(text) != known { mistakes += 1 }
                interner.prefetch([textHash(text)])
                if interner.code(of: text) != expected { mistakes += 1 }
                if interner.find(text) != expected { mistakes += 1 }
            }
        }
        #expect(mistakes == 0)
        #expect(interner.count == twin.count)
        #expect(interner.codes.allSatisfy { twin[Array(interner.pool.slice($0))] == $0 })
    }
}
