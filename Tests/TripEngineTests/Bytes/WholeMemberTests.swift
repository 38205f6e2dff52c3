import Testing

@testable import TripEngine

/// Members expanded at once, where the trait `Libdeflate` is on, against zlib's own way; without it both
/// are the same.
@Suite struct WholeMemberTests {
    private struct Outcome: Equatable {
        var bytes: [UInt8] = []
        var fault: SourceFault?
    }

    private static func outcome(
        _ file: [UInt8],
        isPiecewise: Bool,
        bufferSize: Int = 4096,
        limits: ExpansionLimits = ExpansionLimits()
    ) -> Outcome {
        let reader = GzipReader(
            raw: RawBytes(bytes: file, name: "a.gz"),
            prefix: [],
            limits: limits,
            isPiecewise: isPiecewise
        )
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bufferSize)
        defer { buffer.deallocate() }
        var outcome = Outcome()
        do {
            var count = bufferSize
            while count == bufferSize {
                count = try reader.read(into: buffer)
                outcome.bytes += buffer[..<count]
            }
        } catch {
            outcome = Outcome(fault: error)
        }
        return outcome
    }

    private static func text(_ size: Int, seed: UInt64) -> [UInt8] {
        var dice = SeededDice(seed: seed)
        return (0..<size).map { _ in UInt8(0x30 + dice.below(10)) }
    }

    @Test(arguments: [0, 1, 6, 9] as [Int32])
    func everyMemberOfAFileIsGivenWhole(level: Int32) {
        // The trailer at the end speaks of a short member, a long one, and none.
        for (size, cuts) in [
            (0, []), (1, []), (100_000, []), (3_000_000, [2_999_990]), (100_000, [10, 20, 99_000]),
            (100_000, [0, 50_000, 100_000]),
        ] {
            let text = Self.text(size, seed: 7)
            let file = GzipFile.members(text, cutAt: cuts, level: level)
            for bufferSize in [1009, 65_536, 4 << 20] {
                let padded = file + [UInt8](repeating: 0, count: bufferSize % 3)
                let found = Self.outcome(padded, isPiecewise: false, bufferSize: bufferSize)
                #expect(found == Outcome(bytes: text), "\(size) \(cuts) \(bufferSize)")
                #expect(Self.outcome(padded, isPiecewise: true) == found)
            }
        }
    }

    @Test func damageIsFoundAtTheSameByteInTheSameWords() {
        let text = Self.text(4000, seed: 11)
        let file = GzipFile.members(text, cutAt: [1000, 1000, 3900], level: 6)
        var dice = SeededDice(seed: 12)
        for size in stride(from: 0, to: file.count, by: 7) {
            let cut = Array(file[..<size])
            #expect(
                Self.outcome(cut, isPiecewise: false) == Self.outcome(cut, isPiecewise: true)
            )
        }
        var faultCount = 0
        for _ in 0..<2000 {
            var damaged = file
            damaged[dice.below(file.count)] ^= 1 << UInt8(dice.below(8))
            let found = Self.outcome(damaged, isPiecewise: false)
            #expect(found == Self.outcome(damaged, isPiecewise: true))
            faultCount += found.fault == nil ? 0 : 1
        }
        #expect(faultCount > 1500)
    }

    @Test func growthIsRefusedAtTheSameByte() {
        let member = GzipFile().member([UInt8](repeating: 0x61, count: 1 << 20), level: 9)
        let file = Array([member, member, member].joined())
        for size in [0, 1, 1 << 20, 3 << 20 - 1, 3 << 20] {
            for limits in [
                ExpansionLimits(expandedSizeMax: size),
                ExpansionLimits(ratioMax: 3, ratioFloorSize: size),
            ] {
                let found = Self.outcome(file, isPiecewise: false, limits: limits)
                #expect(found == Self.outcome(file, isPiecewise: true, limits: limits))
                #expect((found.fault == nil) == (size == 3 << 20))
            }
        }
    }

    @Test func aFileThatDoesNotFitIsReadPieceByPiece() {
        // Longer than is held in memory: noise does not get shorter.
        var dice = SeededDice(seed: 13)
        let noise = (0..<(1 << 20)).map { _ in UInt8(dice.below(256)) }
        let text = Array((0..<33).map { _ in noise }.joined())
        let file = GzipFile().member(text, level: 0)
        #expect(Self.outcome(file, isPiecewise: false, bufferSize: 1 << 20).bytes == text)
    }
}
