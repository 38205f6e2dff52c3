import TripDomain

/// One column of a batch while it grows value by value.
///
/// It is a type beside ``BlockColumn`` because it takes one value of any kind at a time, where
/// records are built one by one; a block's columns know their kind and loop over the block.
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

    /// The finished column.
    ///
    /// - Parameter pool: The pool that codes refer to; columns without codes ignore it.
    /// - Returns: The column.
    func column(pool: TextPool) -> Column {
        let nulls = hasNull ? self.nulls : []
        return switch kind {
        case .text, .patient: .text(TextColumn(codes: codes, pool: pool))
        case .decimal: .real(RealColumn(values: reals, nulls: nulls))
        default: .integer(IntegerColumn(values: integers, nulls: nulls))
        }
    }
}
