import TripDomain

/// One column of a batch while it grows.
struct ColumnBuffer: Sendable {
    private let kind: ColumnKind
    private var codes: [UInt32] = []
    private var integers: [Int64] = []
    private var reals: [Double] = []
    private var nulls: [Bool] = []
    private var hasNull = false

    init(kind: ColumnKind) {
        self.kind = kind
    }

    mutating func append(code: UInt32) {
        codes.append(code)
    }

    mutating func append(integer: Int64) {
        integers.append(integer)
        nulls.append(false)
    }

    mutating func append(real: Double) {
        reals.append(real)
        nulls.append(false)
    }

    mutating func appendNull() {
        switch kind {
        case .text, .patient: codes.append(0)
        case .decimal:
            reals.append(0)
            nulls.append(true)
        default:
            integers.append(0)
            nulls.append(true)
        }
        hasNull = true
    }

    /// Puts a value in place of one already appended.
    mutating func set(integer: Int64, at row: Int) {
        integers[row] = integer
        nulls[row] = false
    }

    /// The finished column, without the room that growing left over.
    ///
    /// - Parameter pool: What codes refer to; ignored by other columns.
    /// - Returns: The column.
    func column(pool: TextPool) -> Column {
        let nulls = hasNull ? Self.exact(self.nulls) : []
        return switch kind {
        case .text, .patient: .text(TextColumn(codes: Self.exact(codes), pool: pool))
        case .decimal: .real(RealColumn(values: Self.exact(reals), nulls: nulls))
        default: .integer(IntegerColumn(values: Self.exact(integers), nulls: nulls))
        }
    }

    /// A copy that takes exactly the memory it needs: all batches of a run are held at once.
    static func exact<Value>(_ values: [Value]) -> [Value] {
        Array(unsafeUninitializedCapacity: values.count) { buffer, count in
            // Every place up to `count` is initialised, in order, before the array is used.
            count = buffer.initialize(from: values).index
        }
    }
}
