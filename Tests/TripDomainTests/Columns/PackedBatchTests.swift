import TestSupport
import Testing

@testable import TripDomain

/// Packed values equal the original ones, at every width and at its limits.
@Suite struct PackedBatchTests {
    static let spans: [UInt64] = [
        0, 1, 254, 255, 256, 65_534, 65_535, 65_536, 1 << 32 - 2, 1 << 32 - 1, 1 << 32,
        .max - 1, .max,
    ]

    @Test(arguments: spans, [0, -1, 7, .min, .max])
    func integersAreUnchangedAtEveryWidth(span: UInt64, start: Int64) {
        let end = start &+ Int64(bitPattern: span)
        let (low, high) = (min(start, end), max(start, end))
        let values = [low, high, low, low &+ (high &- low) / 2, high]
        let packed = PackedIntegers(values)
        #expect(values.indices.map { packed[$0] } == values)
        let nulls = [false, true, false, false, false]
        let holed = PackedIntegers(IntegerColumn(values: values, nulls: nulls))
        let expected = values.indices.map { nulls[$0] ? nil : values[$0] }
        #expect(values.indices.map { holed.value($0) } == expected)
        #expect(values.indices.map { holed.reader.isNull($0) } == nulls)
    }

    @Test func theWidestSpanStillHasACodeForNull() {
        let values: [Int64] = [.min, .max, .min &+ 1, 0]
        let packed = PackedIntegers(
            IntegerColumn(values: values, nulls: [false, false, false, true])
        )
        #expect((0..<4).map { packed.value($0) } == [.min, .max, .min + 1, nil])
    }

    @Test func codesAreAsNarrowAsTheValuesAllow() {
        #expect(PackedIntegers([Int64](repeating: 7, count: 9)).byteCount == 0)
        #expect(PackedIntegers((0..<100).map { Int64($0) * 3 + 5 }).byteCount == 0)
        #expect(PackedIntegers([1000, 1255, 1001] as [Int64]).byteCount == 3)
        #expect(PackedIntegers([1000, 1256, 1001] as [Int64]).byteCount == 6)
        #expect(PackedIntegers([0, 1 << 40, 3] as [Int64]).byteCount == 24)
        // NULL takes the greatest code of a byte.
        let holed = IntegerColumn(values: [0, 255, 0], nulls: [false, false, true])
        #expect(PackedIntegers(holed).byteCount == 6)
        #expect(PackedIntegers([Int64]()).count == 0)
    }

    @Test(arguments: 0..<40)
    func anyIntegersAreUnchanged(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        let mask = UInt64.max >> (next() % 64)
        let rise = Int64(next() % 5) &- 2
        let offset = Int64(bitPattern: next() >> 1)
        let values = (0..<200).map { row in
            offset &+ rise &* Int64(row) &+ Int64(bitPattern: next() & mask)
        }
        let nulls = next() % 2 == 0 ? [] : values.map { _ in next() % 4 == 0 }
        let column = IntegerColumn(values: values, nulls: nulls)
        let packed = PackedIntegers(column)
        #expect(values.indices.map { packed.value($0) } == values.indices.map { column.value($0) })
        let raised = packed.raised(by: 12)
        #expect(
            values.indices.map { raised.value($0) }
                == values.indices.map { row in column.value(row).map { $0 &+ 12 } }
        )
    }

    @Test func textsAndTheirFillerAreUnchanged() {
        var column = TextColumn(codes: [2, 0, 1, 3, 2], pool: TextPool(["é", "", "528A8"]))
        column.fillerCode = 3
        let packed = PackedTexts(column)
        #expect((0..<5).map { packed.string(row: $0) } == ["", nil, "é", "528A8", ""])
        #expect(packed.poolCount == 4)
        #expect(packed.fillerCode == 3)
        #expect(packed.withEntry(3) { Array($0) } == Array("528A8".utf8))
    }

    @Test func aBatchIsUnchanged() {
        var batch = TripBatch(
            fileIndex: 3,
            columns: [
                .text(TextColumn(codes: [1, 2, 0], pool: TextPool(["T-1", "T-2"]))),
                .integer(IntegerColumn(values: [5, 0, -9], nulls: [false, true, false])),
                .real(RealColumn(values: [0.5, 0, 1], nulls: [false, true, false])),
            ],
            recordNumbers: [1, 3, 4],
            lineNumbers: [2, 4, 5]
        )
        batch.ruleNumbers = [0, 300, 2]
        batch.counted = [true, false, true]
        let packed = PackedBatch(batch)
        let unpacked = packed.unpacked
        #expect("\(unpacked)" == "\(batch)")
        #expect(packed.raised(records: 10, lines: 20).unpacked.recordNumbers == [11, 13, 14])
        #expect(packed.raised(records: 10, lines: 20).unpacked.lineNumbers == [22, 24, 25])
    }

    @Test func idsOfEqualLengthTakeNoMemoryBesideTheirBytes() {
        let ids = (0..<50).map { "SYN-\(100 + $0)" }
        let codes = ids.indices.map { UInt32($0 + 1) }
        #expect(PackedTexts(TextColumn(codes: codes, pool: TextPool(ids))).byteCount == 50 * 7)
    }
}

extension PackedIntegers {
    /// The bytes its codes take.
    fileprivate var byteCount: Int { count * reader.width }
}

extension PackedTexts {
    /// The bytes its codes, texts and ends take.
    fileprivate var byteCount: Int {
        let texts = (0..<poolCount).reduce(0) { $0 + reader.entry($1).count }
        return codes.byteCount + texts + poolCount * reader.ends.width
    }
}
