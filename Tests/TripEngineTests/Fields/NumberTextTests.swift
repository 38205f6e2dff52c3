import TestSupport
import Testing

@testable import TripEngine

@Suite struct NumberTextTests {
    private func cents(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBufferPointer { NumberText.cents($0) }
    }

    @Test(arguments: [
        ("$1,184.50", 118_450), ("(12.00)", -1200), ("1184.5", 118_450), ("0", 0), ("-0.01", -1),
        ("$-3", -300), ("-$3", -300), ("($12.00)", -1200), (".5", 50), ("5.", 500), ("+7.25", 725),
        ("12,345,678.90", 1_234_567_890), ("1.2300", 123),
        ("999999999.99", 99_999_999_999),
    ])
    func dollarsAreReadExactly(text: String, expected: Int64) {
        #expect(cents(text) == expected)
    }

    @Test(arguments: [
        "", "$", "-", "()", "1,18.50", "1184,50", "12,34", "1.005", "1.2.3", "12 00", "USD 5",
        "--5", "$$5", "(5", "5)", "(-5)", "1e3", "1,,000", ",100", "1000,000", "0x10", "١٢",
        "1000000000", "999999999999999.99",
    ])
    func aTextThatIsNoAmountOfWholeCentsIsNotRead(text: String) {
        #expect(cents(text) == nil)
    }

    @Test(arguments: [
        ("1.005", 101), ("1.004", 100), ("-1.005", -101), ("(2.4951)", -250), ("0.9999", 100),
        ("12.34", 1234), (".005", 1), ("1.0049999", 100),
    ])
    func moreDecimalsAreRoundedWhereTheFieldSaysSo(text: String, expected: Int64) {
        let found = Array(text.utf8).withUnsafeBufferPointer {
            NumberText.cents($0, isRounded: true)
        }
        #expect(found == expected)
    }

    @Test(arguments: ["999999999.999", "(999999999.995)"])
    func anAmountThatRoundingMakesTooLongIsNotRead(text: String) {
        let found = Array(text.utf8).withUnsafeBufferPointer {
            NumberText.cents($0, isRounded: true)
        }
        #expect(found == nil)
    }

    /// The plainest implementation that could be right: by strings, digit by digit.
    private func twin(_ text: String) -> Int64? {
        var rest = Substring(text)
        var isNegative = false
        if rest.first == "-" {
            isNegative = true
            rest = rest.dropFirst()
        }
        let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]) else { return nil }
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        guard let hundredths = Int64((fraction + "00").prefix(2)) else { return nil }
        let value = whole * 100 + hundredths
        return isNegative ? -value : value
    }

    @Test func plainAmountsAgreeWithTheTwin() {
        var random = SeededDice(seed: 7)
        for _ in 0..<20_000 {
            let whole = random.next() % 100_000_000
            let digits = Int(random.next() % 3)
            var text = random.next() % 4 == 0 ? "-\(whole)" : "\(whole)"
            if digits > 0 {
                text += "." + (0..<digits).map { _ in String(random.next() % 10) }.joined()
            }
            #expect(cents(text) == twin(text), "\(text)")
        }
    }

    @Test func integersCoverAllOf64BitsAndNoMore() {
        func integer(_ text: String) -> Int64? {
            Array(text.utf8).withUnsafeBufferPointer { NumberText.integer($0) }
        }
        #expect(integer("-9223372036854775808") == .min)
        #expect(integer("9223372036854775807") == .max)
        #expect(integer("9223372036854775808") == nil)
        #expect(integer("-9223372036854775809") == nil)
        #expect(integer("1.0") == nil)
        #expect(integer("+12") == 12)
    }
}
