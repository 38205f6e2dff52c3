import Foundation
import Testing

@testable import TripText

/// Compares numbers and texts, which are written byte by byte, with those of the standard library.
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

    /// Compares numbers written at once with those written one by one, also at the beginning and
    /// where there is none.
    @Test func numbersWrittenAtOnceEqualThoseWrittenOneByOne() {
        let values: [Int64?] = [nil, 0, 7, -7, 99, -100, 12_345_678, .max, .min]
        for first in values {
            for second in values {
                let atOnce = Self.written { json in
                    json.object { $0.numbers([:]) }
                    json.object { $0.numbers(["a": .integer(first), "bc": .hundredths(second)]) }
                    json.object { json in
                        json.value("text", "x")
                        json.numbers(["a": .hundredths(first)])
                        json.numbers([:])
                        json.value("last", true)
                    }
                }
                let one = first.map { "\($0)" } ?? "null"
                let (left, right) = (Self.decimal(first), Self.decimal(second))
                let whole = #"{"a": \#(one), "bc": \#(right)}"#
                let last = #"{"text": "x", "a": \#(left), "last": true}"#
                #expect(atOnce == "[{}, \(whole), \(last)]")
            }
        }
    }

    /// A number with two decimals as text.
    private static func decimal(_ hundredths: Int64?) -> String {
        guard let hundredths else { return "null" }
        let digits = "\(hundredths.magnitude)"
        let filled = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return (hundredths < 0 ? "-" : "") + filled.dropLast(2) + "." + filled.suffix(2)
    }

    @Test func noMoreIsEscapedThanMustBeAndWhatIsNotSeen() {
        let written = Self.written { json in
            json.value(nil, "é /\u{7F} \"\\ \n\r\t \u{1}\u{1F}")
            json.value(nil, "O\u{92}B\u{FEFF}\u{A0}\u{2028}\u{E0001}")
            json.object { $0.value(.made("a \"name\""), 1) }
            json.null()
            json.value(nil, true)
        }
        let expected =
            #""é /\u007f \"\\ \n\r\t \u0001\u001f", "#
            + #""O\u0092B\ufeff\#u{A0}\u2028\udb40\udc01", {"a \"name\"": 1}, null, true"#
        #expect(written == "[\(expected)]")
    }

    /// Every byte that must be escaped and many that must not, alone, at either end and in the
    /// middle.
    @Test func textsAreUnchangedAfterReading() throws {
        let letters =
            (0..<0x100).map { String(UnicodeScalar(UInt8($0))) } + ["\u{2028}", "🚑", "\u{E0001}"]
        let texts = letters.flatMap { letter in
            ["", "VISN 06", "a name that is too long to be kept inline"].flatMap {
                ["\(letter)\($0)", "\($0)\(letter)", "\($0)\(letter)\($0)"]
            }
        }
        let written = Self.written { json in for text in texts { json.value(nil, text) } }
        let read = try JSONDecoder().decode([String].self, from: Data(written.utf8))
        #expect(read.elementsEqual(texts) { $0.utf8.elementsEqual($1.utf8) })
    }
}
