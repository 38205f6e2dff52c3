import Testing

@testable import TripMart

/// The differing bits of a key, moved together.
@Suite struct BitGatherTests {
    @Test func gatheredBitsKeepTheirOrder() {
        let gather = BitGather(0b1111_0000_0011)
        #expect(gather.count == 6)
        #expect(gather(0b0101_0011_0010) == 0b01_0110)
        #expect(BitGather(.max)(0x0123_4567_89AB_CDEF) == 0x0123_4567_89AB_CDEF)
        #expect(BitGather(0)(.max) == 0)
        #expect(BitGather(1 << 63)(.max) == 1)
    }
}
