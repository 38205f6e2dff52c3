import Testing

@testable import TripMart

@Suite struct PageCursorTests {
    @Test(arguments: [
        PageCursor(generation: 1, before: 1), PageCursor(generation: 999_999, before: 10_000_000),
        PageCursor(generation: 418, before: .max), PageCursor(generation: 0, before: .min),
    ])
    func aTextOpensInItsOwnListAlone(cursor: PageCursor) throws {
        let mart = try BuiltMart()
        let text = mart.keys.text(of: cursor, in: "a list")
        #expect(mart.keys.cursor(text, in: "a list") == cursor)
        #expect(mart.keys.text(of: cursor, in: "a list") == text)
        #expect(mart.keys.cursor(text, in: "another list") == nil)
        #expect(mart.keys.text(of: cursor, in: "another list") != text)
        let other = try BuiltMart()
        #expect(other.keys.cursor(text, in: "a list") == nil)
    }

    @Test func everyChangedCharacterIsFound() throws {
        let keys = try BuiltMart().keys
        let text = Array(keys.text(of: PageCursor(generation: 7, before: 99), in: "x").utf8)
        for index in text.indices {
            var changed = text
            changed[index] = changed[index] == 0x41 ? 0x42 : 0x41
            #expect(keys.cursor(String(decoding: changed, as: UTF8.self), in: "x") == nil)
        }
        let none = String(repeating: "A", count: 32)
        for text in ["", "A", "=", "é", none, none + none, "A B"] {
            #expect(keys.cursor(text, in: "x") == nil)
        }
    }
}
