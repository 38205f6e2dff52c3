import TestSupport
import Testing

@testable import TripEngine

/// Compares members expanded at once, where the trait `Libdeflate` is on, with zlib's result;
/// without the trait both are zlib's.
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
            buffers: ExpansionBuffers(),
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
        return dice.bytes(size, in: 0x30...0x39)
    }

    @Test(arguments: [0, 1, 6, 9] as [Int32])
    func everyMemberOfAFileIsExpandedInFull(level: Int32) {
        // The trailer at the end is that of a short member, of a long one, and of an empty one.
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

    @Test func expandingTooFarIsRefusedAtTheSameByte() {
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
        // Longer than the memory limit: noise cannot be compressed.
        var dice = SeededDice(seed: 13)
        let text = dice.bytes(33 << 20, in: 0...255)
        let file = GzipFile().member(text, level: 0)
        #expect(Self.outcome(file, isPiecewise: false, bufferSize: 1 << 20).bytes == text)
    }

    /// A member with an undefined length symbol: zlib refuses it; libdeflate reads it as 258, and
    /// then finds that the content does not match the trailer.
    @Test func aMemberThatLibdeflateMisreadsIsLeftToZlib() {
        // Fixed codes: the literal 'a', the length symbol 286, which no encoder writes, distance 1,
        // the end; each code from its highest bit, packed into bytes from the lowest.
        let codes: [(value: Int, size: Int)] = [
            (0x30 + 0x61, 8), (0b1100_0110, 8), (0, 5), (0, 7),
        ]
        var bits = [1, 1, 0]
        for code in codes {
            bits += (0..<code.size).reversed().map { code.value >> $0 & 1 }
        }
        let deflated = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start...].prefix(8).enumerated().reduce(UInt8(0)) {
                $0 | UInt8($1.element << $1.offset)
            }
        }
        let meant = [UInt8](repeating: 0x61, count: 201)
        let file = GzipFile().header() + deflated + GzipFile.trailer(meant)
        let found = Self.outcome(file, isPiecewise: false)
        #expect(found.fault?.code == .gzipDamaged)
        #expect(found == Self.outcome(file, isPiecewise: true))
    }

    #if Libdeflate
    @Test func aMemberThatFitsIsExpandedAtOnce() {
        let text = Self.text(100_000, seed: 17)
        let member = GzipFile.deflated(text, level: 6) + GzipFile.trailer(text)
        let whole = WholeMember(ExpansionBuffers())
        func size(_ input: [UInt8], limit: Int = 1 << 30) -> Int? {
            input.withUnsafeBufferPointer { whole.expand($0, limit: limit) }
        }
        #expect(size(member) == member.count - 8)
        #expect(whole.count == text.count)
        // A member of another size follows; the buffer still has the size of the member before.
        #expect(size(member + GzipFile().member([])) == member.count - 8)
        #expect(size(member, limit: text.count) == member.count - 8)
        #expect(size(member, limit: text.count - 1) == nil)
        #expect(size(Array(member.dropLast())) == nil)
        #expect(size(Array(member.dropLast(5)) + [1, 2, 3, 4, 5]) == nil)
        #expect(WholeMember.inputSize(of: 32 << 20) == 32 << 20 + 1)
        #expect(WholeMember.inputSize(of: 32 << 20 + 1) == nil)
    }
    #endif
}
