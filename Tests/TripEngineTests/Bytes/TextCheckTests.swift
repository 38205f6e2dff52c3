import TestSupport
import Testing

@testable import TripEngine

@Suite struct TextCheckTests {
    static func isText(_ bytes: [UInt8], _ encoding: CSVDialect.Encoding) -> Bool {
        (bytes + [UInt8](repeating: 0, count: 8)).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return TextCheck.isText(base, from: 0, to: bytes.count, in: encoding)
        }
    }

    @Test func everySequenceOfTwoBytesIsCheckedRightly() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let bytes = [first, second]
                let expected = String(validating: bytes, as: UTF8.self) != nil
                #expect(Self.isText(bytes, .utf8) == expected, "\(bytes)")
            }
        }
    }

    @Test func agreesWithTheStandardLibraryAtEveryAlignment() {
        var dice = SeededDice(seed: 3)
        let pieces: [[UInt8]] =
            ["a", "é", "€", "🚑"].map { Array($0.utf8) } + [
                [0xED, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE0, 0x9F, 0x80], [0xE0, 0xA0, 0x80],
                [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
                [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xE2, 0x82], [0x80], [0xC1, 0x80],
            ]
        for _ in 0..<20_000 {
            var bytes = [UInt8](repeating: 0x78, count: dice.below(18))
            for _ in 0..<dice.below(4) { bytes += dice.pick(pieces) }
            bytes += [UInt8](repeating: 0x78, count: dice.below(10))
            let expected = String(validating: bytes, as: UTF8.self) != nil
            #expect(Self.isText(bytes, .utf8) == expected, "\(bytes)")
        }
    }

    @Test func undefinedBytesOfWindows1252AreNoText() {
        let unused: [UInt8] = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
        for byte in UInt8.min...UInt8.max {
            #expect(Self.isText([byte], .windows1252) == !unused.contains(byte))
            #expect(Self.isText([byte], .latin1))
        }
    }
}
