import Foundation
import Testing
import TripDomain

/// Numbers and texts are written byte by byte; here beside what the standard library makes of them.
@Suite struct JSONTextTests {
    private static func written(_ body: (inout JSONText) -> Void) -> String {
        var json = JSONText()
        json.array(isLine: true, body)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func integersHaveTheDigitsOfTheirText() {
        let edges = [0, 1, 9, 10, 11, 99, 100, .max, .max - 1].flatMap { [$0, -$0] } + [.min]
        let ofAllLengths = (1...1_000).map { number in
            Int(truncatingIfNeeded: UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> (number % 64)
        }
        for value in edges + ofAllLengths {
            #expect(Self.written { $0.value(nil, value) } == "[\(value)]")
        }
    }

    @Test func hundredthsHaveTwoDecimals() {
        for hundredths in -10_000...10_000 {
            let expected = String(format: "[%.2f]", Double(hundredths) / 100)
            #expect(Self.written { $0.value(nil, hundredths: hundredths) } == expected)
        }
    }

    @Test func noMoreIsEscapedThanMustBe() {
        let written = Self.written { json in
            json.value(nil, "é /\u{7F} \"\\ \n\r\t \u{1}\u{1F}")
            json.object { $0.value(.made("a \"name\""), 1) }
            json.null()
            json.value(nil, true)
        }
        let expected = #""é /\#u{7F} \"\\ \n\r\t \u0001\u001f", {"a \"name\"": 1}, null, true"#
        #expect(written == "[\(expected)]")
    }

    /// Every byte that must be escaped and many that must not, alone, at either end and in the middle.
    @Test func textsComeBackAsTheyWere() throws {
        let letters = (0..<0x80).map { String(UnicodeScalar(UInt8($0))) } + ["é", "\u{2028}", "🚑"]
        let texts = letters.flatMap { letter in
            ["", "VISN 06", "a name that is too long to be kept in place"].flatMap {
                ["\(letter)\($0)", "\($0)\(letter)", "\($0)\(letter)\($0)"]
            }
        }
        let written = Self.written { json in for text in texts { json.value(nil, text) } }
        let read = try JSONDecoder().decode([String].self, from: Data(written.utf8))
        #expect(read.elementsEqual(texts) { $0.utf8.elementsEqual($1.utf8) })
    }
}
