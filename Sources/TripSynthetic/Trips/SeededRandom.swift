/// SplitMix64: a small generator whose whole state is one seed, so that any trip can be drawn again
/// without drawing those before it.
///
/// - SeeAlso: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct SeededRandom: Sendable {
    /// The odd constant nearest to 2⁶⁴ divided by the golden ratio.
    static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64

    /// A generator for one numbered item of one numbered stream.
    @inline(__always)
    init(seed: UInt64, stream: UInt64, index: UInt64) {
        state = Self.mixed(seed &+ Self.mixed(stream &* Self.step)) &+ index &* Self.step
        // The states of neighbours differ by one step; mixing once makes their draws independent.
        state = Self.mixed(state)
    }

    /// The next 64 bits.
    @inline(__always)
    mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.mixed(state)
    }

    /// A number from 0 up to, but not including, a limit below 2³².
    ///
    /// The bias of multiplying instead of dividing is less than 1 in 2³² ÷ limit.
    @inline(__always)
    mutating func below(_ limit: Int) -> Int {
        Int(((next() >> 32) &* UInt64(limit)) >> 32)
    }

    /// True with the given probability, in 65,536ths.
    @inline(__always)
    mutating func chance(_ of65536: Int) -> Bool {
        Int(next() >> 48) < of65536
    }

    /// A number from 0 up to, but not including, a limit, by the lowest 16 of some drawn bits.
    @inline(__always)
    static func scaled(_ bits: UInt64, to limit: Int) -> Int {
        Int(bits & 0xFFFF) * limit / 65_536
    }

    @inline(__always)
    static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
