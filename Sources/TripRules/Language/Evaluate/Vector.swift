internal import TripDomain

/// The values of one node for every row of what is computed: trips, distinct values or reference
/// rows.
///
///     values     [4, 0, 9, …]     0 where the row is NULL or anything else
///     nulls      [f, t, f, …]     or empty: no row is NULL
///     overflows  [f, t, f, …]     or empty: the row's value rests on a sum that left 64 bits
///
/// A uniform vector holds one entry for every row, so that constants cost nothing. That and the
/// marks of overflow are why it is a type beside ``NumberColumn``.
struct Vector<Element: Sendable>: Sendable {
    var values: [Element]
    var nulls: [Bool] = []
    var overflows: [Bool] = []
    var isUniform = false

    /// The value of one row; any value where the row is NULL.
    subscript(row: Int) -> Element { values[isUniform ? 0 : row] }

    /// Whether one row is NULL.
    func isNull(_ row: Int) -> Bool { !nulls.isEmpty && nulls[isUniform ? 0 : row] }

    /// Whether one row rests on an overflow.
    func hasOverflow(_ row: Int) -> Bool { !overflows.isEmpty && overflows[isUniform ? 0 : row] }

    /// One value for every row.
    static func uniform(_ value: Element, isNull: Bool = false) -> Vector {
        Vector(values: [value], nulls: isNull ? [true] : [], isUniform: true)
    }

    /// The same values with an entry for each of so many rows.
    func expanded(to count: Int) -> Vector {
        guard isUniform else { return self }
        func filled(_ marks: [Bool]) -> [Bool] {
            marks.first == true ? [Bool](repeating: true, count: count) : []
        }
        return Vector(
            values: [Element](repeating: values[0], count: count),
            nulls: filled(nulls),
            overflows: filled(overflows)
        )
    }

    /// The values of the rows that are named, in the order in which they are named.
    func gathered(_ rows: [UInt32]) -> Vector {
        guard !isUniform else { return self }
        return Vector(
            values: Loops.gather(values, rows),
            nulls: nulls.isEmpty ? [] : Loops.gather(nulls, rows),
            overflows: overflows.isEmpty ? [] : Loops.gather(overflows, rows)
        )
    }

    /// Takes the marks of two operands: NULL where either is, overflow where either has one.
    mutating func inherit<A, B>(_ left: Vector<A>, _ right: Vector<B>) {
        nulls = Loops.either(left.nulls, left.isUniform, right.nulls, right.isUniform, values.count)
        overflows = Loops.either(
            left.overflows,
            left.isUniform,
            right.overflows,
            right.isUniform,
            values.count
        )
    }
}

/// Texts by code; code 0 is NULL, so that no other mark is needed.
struct TextVector: Sendable {
    var codes: Vector<UInt32>
    var pool: TextPool

    func isNull(_ row: Int) -> Bool { codes[row] == 0 }
}

/// The loops all operations are made of.
///
/// They run over flat memory without bounds checks, which the optimizer needs to turn them into
/// vector instructions. What makes that right: every array handed in has either `count` entries or,
/// where it is marked uniform, one; `Vector` upholds this, and a precondition per call (not per
/// row) checks it. The bodies are literal closures, inlined into each caller; none is stored.
enum Loops {
    /// A result per pair of rows.
    @inline(__always)
    static func pairs<A, B, Result>(
        _ left: Vector<A>,
        _ right: Vector<B>,
        _ body: (A, B) -> Result
    ) -> Vector<Result> {
        let isUniform = left.isUniform && right.isUniform
        let count = left.isUniform ? right.values.count : left.values.count
        precondition(right.isUniform || right.values.count == count, "rows of two operands agree")
        let values = left.values.withUnsafeBufferPointer { leftValues in
            right.values.withUnsafeBufferPointer { rightValues in
                // Every element up to `count` is written, whatever the input: see the type.
                [Result](unsafeUninitializedCapacity: count) { buffer, filled in
                    if right.isUniform && count > 0 {
                        let constant = rightValues[0]
                        for row in 0..<count {
                            buffer.initializeElement(at: row, to: body(leftValues[row], constant))
                        }
                    } else if left.isUniform && count > 0 {
                        let constant = leftValues[0]
                        for row in 0..<count {
                            buffer.initializeElement(at: row, to: body(constant, rightValues[row]))
                        }
                    } else {
                        for row in 0..<count {
                            buffer.initializeElement(
                                at: row,
                                to: body(leftValues[row], rightValues[row])
                            )
                        }
                    }
                    filled = count
                }
            }
        }
        var result = Vector(values: values)
        result.isUniform = isUniform
        return result
    }

    /// Whether a test holds for any pair of rows.
    @inline(__always)
    static func anyPair<A, B>(
        _ left: Vector<A>,
        _ right: Vector<B>,
        _ test: (A, B) -> Bool
    ) -> Bool {
        let count = left.isUniform ? right.values.count : left.values.count
        precondition(right.isUniform || right.values.count == count, "rows of two operands agree")
        let leftStep = left.isUniform ? 0 : 1
        let rightStep = right.isUniform ? 0 : 1
        return left.values.withUnsafeBufferPointer { leftValues in
            right.values.withUnsafeBufferPointer { rightValues in
                var found = false
                for row in 0..<count {
                    found = found || test(leftValues[row * leftStep], rightValues[row * rightStep])
                }
                return found
            }
        }
    }

    /// A result per row.
    @inline(__always)
    static func each<A, Result>(_ values: [A], _ body: (A) -> Result) -> [Result] {
        let count = values.count
        return values.withUnsafeBufferPointer { source in
            // Every element up to `count` is written, whatever the input: see the type.
            [Result](unsafeUninitializedCapacity: count) { buffer, filled in
                for row in 0..<count {
                    buffer.initializeElement(at: row, to: body(source[row]))
                }
                filled = count
            }
        }
    }

    /// The values at the given indexes.
    ///
    /// The indexes are codes into a pool or rows of a reference table; they come from outside, so
    /// each is checked.
    static func gather<Element>(_ values: [Element], _ indexes: [UInt32]) -> [Element] {
        let count = indexes.count
        return values.withUnsafeBufferPointer { source in
            indexes.withUnsafeBufferPointer { indexes in
                // Checked ahead of the loop: a test per row would cost as much as the look-up.
                var greatest: UInt32 = 0
                for row in 0..<count { greatest = max(greatest, indexes[row]) }
                precondition(count == 0 || Int(greatest) < source.count, "codes lie in their pool")
                // Every element up to `count` is written, whatever the input: see the type.
                return [Element](unsafeUninitializedCapacity: count) { buffer, filled in
                    for row in 0..<count {
                        buffer.initializeElement(at: row, to: source[Int(indexes[row])])
                    }
                    filled = count
                }
            }
        }
    }

    /// Whether all bytes are the same one.
    static func isAll(_ byte: UInt8, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            // Without an early exit the loop becomes vector instructions, and is faster.
            var difference: UInt8 = 0
            for row in bytes.indices { difference |= bytes[row] ^ byte }
            return difference == 0
        }
    }

    /// Writes a number wherever a truth is true and no number is set yet.
    ///
    /// - Returns: Whether there is a row without a number left.
    static func assign(_ number: UInt16, _ truths: [UInt8], _ numbers: inout [UInt16]) -> Bool {
        precondition(truths.count == numbers.count, "there is a truth per number")
        return truths.withUnsafeBufferPointer { truths in
            numbers.withUnsafeMutableBufferPointer { numbers in
                // No branch and no count: of 16-bit masks the loop becomes vector instructions.
                var isOpen: UInt16 = 0
                for row in truths.indices {
                    // True is 2, so that its upper bit tells it from false and NULL.
                    let holds = UInt16(truths[row] >> 1)
                    let isEmpty: UInt16 = numbers[row] == 0 ? 1 : 0
                    numbers[row] |= number &* (holds & isEmpty)
                    isOpen |= isEmpty & ~holds
                }
                return isOpen != 0
            }
        }
    }

    /// The union of two sets of marks, each empty, uniform or one per row.
    static func either(
        _ left: [Bool],
        _ isLeftUniform: Bool,
        _ right: [Bool],
        _ isRightUniform: Bool,
        _ count: Int
    ) -> [Bool] {
        func full(_ marks: [Bool], _ isUniform: Bool) -> [Bool] {
            guard isUniform, !marks.isEmpty, count != 1 else { return marks }
            return marks[0] ? [Bool](repeating: true, count: count) : []
        }
        let left = full(left, isLeftUniform)
        let right = full(right, isRightUniform)
        if left.isEmpty { return right }
        if right.isEmpty { return left }
        precondition(left.count == count && right.count == count, "marks of two operands agree")
        return left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                // Every element up to `count` is written, whatever the input: see the type.
                [Bool](unsafeUninitializedCapacity: count) { buffer, filled in
                    for row in 0..<count {
                        buffer.initializeElement(at: row, to: left[row] || right[row])
                    }
                    filled = count
                }
            }
        }
    }
}
