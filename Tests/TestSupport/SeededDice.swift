/// SplitMix64: the same numbers from the same seed, on every system.
public struct SeededDice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Begins a sequence.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A number below a bound.
    public mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &self)
    }

    /// Bytes, each drawn from a range.
    public mutating func bytes(_ count: Int, in range: ClosedRange<UInt8>) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: range, using: &self) }
    }

    /// True once in `count` times on average.
    public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    /// One of several.
    public mutating func pick<Value>(_ values: [Value]) -> Value {
        values[below(values.count)]
    }
}
