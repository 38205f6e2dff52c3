/// Gathers the bits of a word that differ between keys, so that fewer bits have to be sorted.
///
///     mask      0000 1111 0000 0011
///     word      0011 0101 0011 0010      →  01 0110
///
/// Bits that are equal in all keys do not affect their order. Digits, for example, differ in four
/// bits.
struct BitGather: Sendable {
    /// The number of bits gathered.
    let count: Int
    /// The groups of adjacent bits from the top: the shift, the width, and the mask of the bits to
    /// keep.
    private let runs: [(shift: UInt64, width: UInt64, mask: UInt64)]

    init(_ mask: UInt64) {
        count = mask.nonzeroBitCount
        var runs: [(shift: UInt64, width: UInt64, mask: UInt64)] = []
        var rest = mask
        while rest != 0 {
            let shift = rest.trailingZeroBitCount
            let width = (~(rest >> shift)).trailingZeroBitCount
            let kept: UInt64 = width == 64 ? .max : (1 << width) - 1
            runs.append((UInt64(shift), UInt64(width), kept))
            rest &= width + shift >= 64 ? 0 : .max << (width + shift)
        }
        self.runs = runs.reversed()
    }

    /// The bits of one word, in their order.
    @inline(__always)
    func callAsFunction(_ word: UInt64) -> UInt64 {
        var gathered: UInt64 = 0
        for run in runs {
            gathered = gathered << run.width | (word &>> run.shift & run.mask)
        }
        return gathered
    }
}
