import TestSupport
import Testing
import TripDomain

@testable import TripEngine

@Suite struct GzipReaderTests {
    static let text = Array("a,b\n1,2\n3,4\nfive,\"six\"\n".utf8)

    /// The bytes of a file, which count only after the file is confirmed, or else the fault.
    static func outcome(
        _ bytes: [UInt8],
        limits: ExpansionLimits = ExpansionLimits()
    ) -> Result<[[String]], SourceFault> {
        do {
            return .success(try Reading(bytes, name: "a.csv.gz", limits: limits).records)
        } catch let fault as SourceFault {
            return .failure(fault)
        } catch {
            preconditionFailure("reading throws only source faults")
        }
    }

    static func code(
        _ bytes: [UInt8],
        limits: ExpansionLimits = ExpansionLimits()
    )
        -> SourceFault.Code?
    {
        if case .failure(let fault) = outcome(bytes, limits: limits) { fault.code } else { nil }
    }

    static let rows = [["1", "2"], ["3", "4"], ["five", "six"]]

    @Test func readsEveryFormOfHeader() {
        let forms = [
            GzipFile(), GzipFile(flags: 1), GzipFile(extra: [1, 2, 3]), GzipFile(extra: []),
            GzipFile(extra: [UInt8](repeating: 7, count: 65_535)),
            GzipFile(name: "../../etc/passwd"), GzipFile(comment: "é"),
            GzipFile(hasHeaderCheck: true),
            GzipFile(extra: [9], name: "n", comment: "c", hasHeaderCheck: true),
        ]
        for form in forms {
            #expect(Self.outcome(form.member(Self.text)) == .success(Self.rows))
        }
    }

    @Test(arguments: [0, 1, 6, 9] as [Int32])
    func readsConcatenatedMembers(level: Int32) {
        let cuts = [0, 1, 5, 5, 17]
        let packed = GzipFile.members(Self.text, cutAt: cuts, level: level)
        #expect(Self.outcome(packed) == .success(Self.rows))
        #expect(Self.outcome(packed + [UInt8](repeating: 0, count: 5000)) == .success(Self.rows))
    }

    /// A file of blocks, each with its size in the extra field `BC`, and perhaps the last, empty
    /// one.
    static func blocks(_ parts: [[UInt8]], isWhole: Bool, before: [UInt8] = []) -> [UInt8] {
        (parts + (isWhole ? [[]] : [])).flatMap { part in
            // The size of the whole member, less one, in two bytes.
            let size = GzipFile(extra: before + [0x42, 0x43, 2, 0, 0, 0]).member(part).count - 1
            let field: [UInt8] = [0x42, 0x43, 2, 0, UInt8(size & 255), UInt8(size >> 8)]
            return GzipFile(extra: before + field).member(part)
        }
    }

    @Test(arguments: [[], [0x41, 0x42, 3, 0, 0x42, 0x43, 2]] as [[UInt8]])
    func aFileOfBlocksEndsWithAnEmptyOne(before: [UInt8]) {
        let parts = [Array(Self.text[..<8]), Array(Self.text[8...])]
        let whole = Self.blocks(parts, isWhole: true, before: before)
        let cut = Self.blocks(parts, isWhole: false, before: before)
        let zeros = [UInt8](repeating: 0, count: 12)
        let plain = GzipFile().member(Array("7,8\n".utf8))
        #expect(Self.outcome(whole) == .success(Self.rows))
        #expect(Self.outcome(whole + zeros) == .success(Self.rows))
        #expect(Self.outcome(whole + plain) == .success(Self.rows + [["7", "8"]]))
        #expect(Self.outcome(plain + whole) != Self.outcome(plain))
        for file in [cut, cut + zeros, cut + plain, whole + cut, plain + cut] {
            #expect(Self.code(file) == .gzipTruncated)
        }
    }

    @Test func anotherExtraFieldAsksForNoEmptyMember() {
        for extra: [UInt8] in [
            [0x42, 0x43, 3, 0, 1, 2, 3], [0x42, 0x43], [0x49, 0x47, 2, 0, 0, 0],
        ] {
            #expect(Self.outcome(GzipFile(extra: extra).member(Self.text)) == .success(Self.rows))
        }
    }

    @Test func aMemberWithoutContentIsAnEmptyFile() {
        #expect(Self.code(GzipFile().member([])) == .empty)
        #expect(Self.code([]) == .empty)
        #expect(Self.outcome(GzipFile().member(Array("a,b\n".utf8))) == .success([]))
    }

    @Test func refusesAFileThatIsCutAtAnyByte() {
        let form = GzipFile(extra: [1, 2], name: "n", comment: "c", hasHeaderCheck: true)
        let one = form.member(Self.text)
        let two = one + GzipFile().member(Array("7,8\n".utf8))
        for size in 1..<two.count where size != one.count {
            #expect(Self.code(Array(two[..<size])) == .gzipTruncated, "\(size)")
        }
    }

    @Test func refusesAnyFlippedBitOfHeaderAndTrailer() {
        let form = GzipFile(extra: [1, 2], name: "n", comment: "c", hasHeaderCheck: true)
        let headerSize = form.header().count
        let whole = form.member(Self.text)
        let indexes = Array(0..<headerSize) + Array((whole.count - 8)..<whole.count)
        for index in indexes {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << UInt8(bit)
                #expect(Self.code(bytes) != nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func aFlippedBitOfTheDataNeverGivesOtherRows() {
        var dice = SeededDice(seed: 54_195)
        var text = "a,b\n"
        for row in 0..<400 { text += "\(row),\(dice.below(100_000))\n" }
        let whole = GzipFile().member(Array(text.utf8))
        let intact = Self.outcome(whole)
        for _ in 0..<1000 {
            var bytes = whole
            let index = 10 + dice.below(whole.count - 18)
            bytes[index] ^= 1 << UInt8(dice.below(8))
            let outcome = Self.outcome(bytes)
            // The last byte of the data ends in unused bits, which may be flipped.
            if index == whole.count - 9 && outcome == intact { continue }
            let code = Self.code(bytes)
            let codes: [SourceFault.Code] = [.gzipDamaged, .gzipTruncated, .gzipTrailingBytes]
            #expect(code.map(codes.contains) == true, "byte \(index)")
        }
    }

    @Test func refusesWhatRFC1952Forbids() {
        let reserved = [0x20, 0x40, 0x80].map { GzipFile(flags: $0).member(Self.text) }
        for bytes in reserved + [GzipFile(method: 7).member(Self.text)] {
            #expect(Self.code(bytes) == .gzipHeader)
        }
    }

    @Test func refusesOtherBytesAfterTheLastMember() {
        let member = GzipFile().member(Self.text)
        for rubbish in [[1], [0x1F], [0, 1], [0, 0x1F, 0x8B], Array("a,b\n".utf8)] as [[UInt8]] {
            let code = Self.code(member + rubbish)
            #expect(code == (rubbish == [0x1F] ? .gzipTruncated : .gzipTrailingBytes))
        }
        #expect(Self.code(member + [0] + member) == .gzipTrailingBytes)
        #expect(Self.code(member + [0x1F, 0x8C]) == .gzipHeader)
    }

    @Test func namesMemberAndByte() throws {
        let member = GzipFile().member(Self.text)
        let result = Self.outcome(member + member.dropLast(3))
        guard case .failure(let fault) = result else {
            Issue.record("a cut file was taken")
            return
        }
        #expect(fault.memberNumber == 2)
        #expect(fault.position.byteOffset == 2 * member.count - 3)
        #expect(
            fault.finding
                == "ends inside gzip member 2 at byte \(2 * member.count - 3); "
                + "expected a trailer"
        )
    }

    @Test func stopsABombEarly() throws {
        let bomb = GzipFile().member([UInt8](repeating: 0x0A, count: 40 << 20), level: 9)
        #expect(Self.code(bomb) == .expandsTooFar)
        let source = try ByteSource(bytes: bomb, name: "bomb.gz")
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
        defer { buffer.deallocate() }
        do {
            while try source.read(into: buffer) == buffer.count {}
            Issue.record("a bomb was expanded")
        } catch {
            #expect(error.code == .expandsTooFar)
            #expect(source.expandedSize <= 17 << 20)
        }
        let limits = ExpansionLimits(expandedSizeMax: Self.text.count - 1)
        #expect(Self.code(GzipFile().member(Self.text), limits: limits) == .expandsTooFar)
        let exact = ExpansionLimits(expandedSizeMax: Self.text.count)
        #expect(Self.code(GzipFile().member(Self.text), limits: exact) == nil)
    }

    @Test func manyMembersDoNotEvadeTheRatio() {
        let member = GzipFile().member([UInt8](repeating: 0x61, count: 1 << 20), level: 9)
        let bomb = (0..<20).flatMap { _ in member }
        #expect(Self.code(bomb) == .expandsTooFar)
    }
}
