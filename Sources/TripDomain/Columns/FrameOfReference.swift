/// The straight line and the code width that ``PackedIntegers`` stores a column with.
///
/// A code is the distance of a value from the line.
struct FrameOfReference {
    /// The difference of the line between one row and the next.
    let slope: Int64
    /// The least distance from the line: the value of code 0.
    let least: Int64
    /// The greatest code of a value.
    let range: UInt64
    /// The bytes of a code: 0, 1, 2, 4 or 8.
    let width: Int

    /// The line whose codes are narrowest: a level one, or the one through the first and the last
    /// value.
    static func narrowest<Value: FixedWidthInteger>(
        _ values: UnsafeBufferPointer<Value>,
        nulls: UnsafeBufferPointer<Bool>?
    ) -> FrameOfReference {
        let level = FrameOfReference(values, nulls: nulls, slope: 0)
        guard nulls == nil, let first = values.first, let last = values.last, values.count > 1
        else { return level }
        let (rise, overflows) = Int64(truncatingIfNeeded: last)
            .subtractingReportingOverflow(Int64(truncatingIfNeeded: first))
        let slope = rise / Int64(values.count - 1)
        guard !overflows, slope != 0, level.width > 0 else { return level }
        let steep = FrameOfReference(values, nulls: nil, slope: slope)
        return steep.width < level.width ? steep : level
    }

    private init<Value: FixedWidthInteger>(
        _ values: UnsafeBufferPointer<Value>,
        nulls: UnsafeBufferPointer<Bool>?,
        slope: Int64
    ) {
        var (least, greatest) = (Int64.max, Int64.min)
        var line: Int64 = 0
        for row in values.indices {
            if nulls?[row] != true {
                let rest = Int64(truncatingIfNeeded: values[row]) &- line
                least = min(least, rest)
                greatest = max(greatest, rest)
            }
            line &+= slope
        }
        let isEmpty = least > greatest
        self.slope = slope
        self.least = isEmpty ? 0 : least
        range = isEmpty ? 0 : UInt64(bitPattern: greatest &- least)
        // NULL takes one code more.
        let codes = nulls == nil || range == .max ? range : range + 1
        width =
            switch codes {
            case 0: 0
            case ..<(1 << 8): 1
            case ..<(1 << 16): 2
            case ..<(1 << 32): 4
            default: 8
            }
    }

    /// A code that no value has.
    func freeCode<Value: FixedWidthInteger>(
        _ values: UnsafeBufferPointer<Value>,
        nulls: UnsafeBufferPointer<Bool>
    ) -> UInt64 {
        guard range == .max else { return range + 1 }
        // The values span all of 64 bits, but there are far fewer values than codes.
        var used: Set<UInt64> = []
        for row in values.indices where !nulls[row] {
            used.insert(UInt64(bitPattern: Int64(truncatingIfNeeded: values[row]) &- least))
        }
        return (0...UInt64(values.count)).first { !used.contains($0) } ?? 0
    }

    /// Writes one code per value.
    func store<Value: FixedWidthInteger, Code: FixedWidthInteger & UnsignedInteger>(
        _ values: UnsafeBufferPointer<Value>,
        _ nulls: UnsafeBufferPointer<Bool>?,
        _ nullCode: UInt64?,
        in codes: UnsafeMutableBufferPointer<Code>
    ) {
        var line = least
        for row in values.indices {
            codes[row] = Code(truncatingIfNeeded: Int64(truncatingIfNeeded: values[row]) &- line)
            line &+= slope
        }
        guard let nulls, let nullCode else { return }
        for row in values.indices where nulls[row] { codes[row] = Code(nullCode) }
    }
}
