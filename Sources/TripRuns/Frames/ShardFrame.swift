/// The rows of one frame, or its text.
enum ShardFrame {
    /// Rows, by column.
    case rows(kind: String, count: Int, columns: [FrameColumn])
    /// A text.
    case text(kind: String, [UInt8])
    /// The end of the stream, with the number of rows of all frames before it.
    case end(rows: Int)
}

/// One column of a frame.
struct FrameColumn: Sendable {
    /// Its values, by the width of their type.
    enum Values: Sendable {
        /// `int32` and `date32`.
        case narrow([Int32])
        /// `int64` and `timestamp_s`.
        case wide([Int64])
        /// `float64`.
        case reals([Double])
        /// `bool`.
        case truths([Bool])
        /// `utf8` and `binary`: where each value ends, beginning with 0, and the bytes of all.
        case bytes(ends: [Int32], [UInt8])
    }

    let name: String
    let type: FrameType
    var values: Values
    /// Which rows are null; empty where none is.
    var nulls: [Bool] = []

    /// The number of rows.
    var count: Int {
        switch values {
        case .narrow(let values): values.count
        case .wide(let values): values.count
        case .reals(let values): values.count
        case .truths(let values): values.count
        case .bytes(let ends, _): max(0, ends.count - 1)
        }
    }
}

extension FrameColumn {
    /// A column of texts or bytes that grows row by row.
    struct Bytes {
        private(set) var ends: [Int32] = [0]
        var data: [UInt8] = []
        private(set) var nulls: [Bool] = []
        private var hasNulls = false

        init(capacity: Int) {
            ends.reserveCapacity(capacity + 1)
            nulls.reserveCapacity(capacity)
        }

        /// Ends a row whose bytes were appended to the data.
        mutating func endRow(isNull: Bool = false) {
            precondition(data.count <= Int(Int32.max), "a column of a frame stays below 2 GiB")
            ends.append(Int32(data.count))
            nulls.append(isNull)
            hasNulls = hasNulls || isNull
        }

        /// Appends a row.
        mutating func append(_ bytes: some Collection<UInt8>) {
            data.append(contentsOf: bytes)
            endRow()
        }

        /// The column.
        func column(_ name: String, _ type: FrameType) -> FrameColumn {
            FrameColumn(
                name: name,
                type: type,
                values: .bytes(ends: ends, data),
                nulls: hasNulls ? nulls : []
            )
        }
    }

    /// A column of whole numbers, some of which may be null.
    static func wide(_ name: String, _ values: [Int64?]) -> FrameColumn {
        FrameColumn(
            name: name,
            type: .int64,
            values: .wide(values.map { $0 ?? 0 }),
            nulls: values.contains(nil) ? values.map { $0 == nil } : []
        )
    }

    /// A column of narrow whole numbers, some of which may be null.
    static func narrow(_ name: String, _ values: [Int32?]) -> FrameColumn {
        FrameColumn(
            name: name,
            type: .int32,
            values: .narrow(values.map { $0 ?? 0 }),
            nulls: values.contains(nil) ? values.map { $0 == nil } : []
        )
    }

    /// A column of texts.
    static func texts(_ name: String, _ texts: [String]) -> FrameColumn {
        var bytes = Bytes(capacity: texts.count)
        for text in texts { bytes.append(text.utf8) }
        return bytes.column(name, .utf8)
    }
}
