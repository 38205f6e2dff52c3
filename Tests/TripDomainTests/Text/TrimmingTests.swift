import Foundation
import TestSupport
import Testing
import TripDomain

@Suite struct TrimmingTests {
    /// The plainest code that could be right: characters are looked at one by one.
    private static func slowlyTrimmed(_ text: String) -> String {
        func isDropped(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value <= 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{2800}"
                || (0xFFF9...0xFFFB).contains(scalar.value) || scalar.properties.isWhitespace
                || scalar.properties.isDefaultIgnorableCodePoint
        }
        var scalars = Array(text.unicodeScalars)
        while let last = scalars.last, isDropped(last) { scalars.removeLast() }
        while let first = scalars.first, isDropped(first) { scalars.removeFirst() }
        var view = String.UnicodeScalarView()
        view += scalars
        return String(view)
    }

    private static func trimmedText(_ text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer {
            String(decoding: trimmed($0), as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("VA\u{A0}", "VA"), ("\u{FEFF}T-1", "T-1"), ("08\u{200B}", "08"), ("\u{2060}08\t", "08"),
        (" \u{3000}\u{A0} ", ""), ("\r\nVA\n", "VA"), ("VA\u{7F}\u{1F}", "VA"), ("VA\u{AD}", "VA"),
        ("\u{200E}VA\u{202C}", "VA"), ("é", "é"), ("Zoë\u{202F}", "Zoë"),
        ("\u{85}VA\u{2028}", "VA"),
        ("VA\u{92}", "VA"), ("\u{9D}T-2\u{FFF9}", "T-2"), ("O\u{92}B", "O\u{92}B"),
        ("a\u{A0}b", "a\u{A0}b"), ("日本", "日本"), ("🚑", "🚑"), ("", ""),
    ])
    func unseenCharactersAroundACellAreDropped(text: String, rest: String) {
        #expect(Array(Self.trimmedText(text).utf8) == Array(rest.utf8))
    }

    @Test func everyTextIsTrimmedAsItsCharactersAre() {
        var dice = SeededDice(seed: 46)
        let pieces = [
            " ", "\t", "\n", "\u{7F}", "\u{80}", "\u{85}", "\u{92}", "\u{FFFB}", "\u{A0}", "\u{AD}",
            "\u{200B}",
            "\u{2028}", "\u{3000}", "\u{FEFF}", "\u{E0001}", "\u{1F691}", "\u{2800}", "é", "a", "€",
        ]
        for _ in 0..<5_000 {
            let text = (0..<dice.below(7)).map { _ in dice.pick(pieces) }.joined()
            #expect(Array(Self.trimmedText(text).utf8) == Array(Self.slowlyTrimmed(text).utf8))
        }
    }

    @Test func bytesThatAreNoTextStay() {
        for bytes: [UInt8] in [[0xC2], [0xA0], [0xE2, 0x80], [0x80, 0x80, 0x80, 0x80, 0x80]] {
            bytes.withUnsafeBufferPointer { #expect(Array(trimmed($0)) == bytes) }
        }
    }
}
