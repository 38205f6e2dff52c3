import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// Makes the rows of frames from classified trips of one file.
///
/// Any number of threads may use it at once.
struct MappedRows: Sendable {
    let setting: ShardSetting
    let keys: MartKeys
    let fileIndex: Int
    let columns: TripColumns

    init(_ setting: ShardSetting, _ keys: MartKeys, fileIndex: Int) {
        self.setting = setting
        self.keys = keys
        self.fileIndex = fileIndex
        columns = TripColumns(setting.classifier.shape)
    }

    private var shape: TripShape { setting.classifier.shape }

    /// The references of trips, as bytes and as texts.
    struct Refs: Sendable {
        let bytes: FrameColumn
        let texts: FrameColumn
    }

    /// The references of the trips of a column of ids.
    ///
    /// - Complexity: O(*n*) in the trips: one key wrap for each.
    func refs(of ids: TextColumn) -> Refs {
        let write = keys.refWriter()
        var bytes = FrameColumn.Bytes(capacity: ids.codes.count)
        var texts = FrameColumn.Bytes(capacity: ids.codes.count)
        ids.pool.bytes.withUnsafeBytes { pool in
            for code in ids.codes {
                let start = bytes.data.count
                let range = code == 0 ? 0..<0 : ids.pool.range(code)
                write(UnsafeRawBufferPointer(rebasing: pool[range]), &bytes.data)
                bytes.data.withUnsafeBytes { data in
                    MartKeys.appendText(
                        ofRef: UnsafeRawBufferPointer(rebasing: data[start...]),
                        to: &texts.data
                    )
                }
                bytes.endRow()
                texts.endRow()
            }
        }
        return Refs(bytes: bytes.column("ref", .binary), texts: texts.column("trip_ref", .utf8))
    }

    /// The digest of the declared fields of each trip but its id, which equal versions share.
    ///
    /// - Complexity: O(*n*) in the values: one keyed hash for each trip.
    func digests(of batch: TripBatch) -> FrameColumn {
        let fields = shape.columns.indices.filter {
            !shape.columns[$0].isDerived && $0 != shape.tripIDIndex
        }.map { DigestField(batch.columns[$0]) }
        let digest = keys.versionDigests()
        var digests = FrameColumn.Bytes(capacity: batch.count)
        var values: [UInt8] = []
        for row in 0..<batch.count {
            values.removeAll(keepingCapacity: true)
            for field in fields { field.append(row, to: &values) }
            values.withUnsafeBytes { digest($0, &digests.data) }
            digests.endRow()
        }
        return digests.column("digest", .binary)
    }

    /// The rows of a `versions` frame, whose records and lines count from the slice's first.
    ///
    /// - Parameters:
    ///   - batch: The trips of a slice, classified.
    ///   - refs: Their references.
    ///   - digests: Their digests.
    /// - Returns: The columns, in the order of the plan.
    func versions(_ batch: TripBatch, _ refs: Refs, _ digests: FrameColumn) -> [FrameColumn] {
        let count = batch.count
        func integers(_ index: Int?) -> [Int64?] {
            guard let index else { return [Int64?](repeating: nil, count: count) }
            let column = batch.columns[index].integers
            return (0..<count).map { column.value($0) }
        }
        let source = setting.pipeline.sources[setting.sourceOfFile[fileIndex]]
        var columns = [
            refs.bytes,
            FrameColumn(
                name: "file",
                type: .int32,
                values: .narrow([Int32](repeating: Int32(fileIndex), count: count))
            ),
            .wide("record", batch.recordNumbers.map { Int64($0) }),
            .wide("line", batch.lineNumbers.map { Int64($0) }),
            .narrow("reject", [Int32?](repeating: nil, count: count)),
            texts("order", batch, source.orderColumn(in: shape)),
            digests,
            .wide("pickup", integers(shape.pickupIndex)),
            texts("trip_type", batch, shape.tripTypeIndex),
            texts("region", batch, shape.regionIndex),
            .narrow("rule", batch.ruleNumbers.map { Int32($0) }),
            FrameColumn(name: "counted", type: .bool, values: .truths(batch.counted)),
            .wide("cents", integers(shape.costIndex)),
            .wide("miles", integers(shape.milesIndex)),
            overrides(of: batch.columns[shape.tripIDIndex].texts),
            texts("status", batch, TripCounts.statusIndex(in: shape)),
        ]
        for (number, measure) in shape.declared.measures.enumerated() {
            columns.append(.wide("m\(number)", integers(measure.index)))
        }
        for (number, dimension) in shape.declared.dimensions.enumerated() {
            columns.append(texts("d\(number)", batch, dimension.index))
        }
        return columns
    }

    /// The rows of a `versions` frame for rejects whose trip id could be read.
    ///
    /// - Parameters:
    ///   - rejects: The rejects of the file.
    ///   - refs: The reference of each; nil where its id could not be read.
    /// - Returns: The columns, in the order of the plan.
    func versions(of rejects: [Reject], refs: [[UInt8]?]) -> [FrameColumn] {
        let rows = rejects.indices.filter { refs[$0] != nil }
        return setting.versions.all.map { column in
            switch column.name {
            case "ref":
                var bytes = FrameColumn.Bytes(capacity: rows.count)
                for row in rows { bytes.append(refs[row] ?? []) }
                return bytes.column(column.name, column.type)
            case "file": return .narrow(column.name, rows.map { _ in Int32(fileIndex) })
            case "record": return .wide(column.name, rows.map { Int64(rejects[$0].recordNumber) })
            case "line": return .wide(column.name, rows.map { Int64(rejects[$0].lineNumber) })
            case "reject": return .narrow(column.name, rows.map { Int32($0) })
            default: return FrameColumn.empty(column, count: rows.count)
            }
        }
    }

    /// The index of the decision made by hand about each trip; null where there is none.
    func overrides(of ids: TextColumn) -> FrameColumn {
        guard let list = setting.classifier.overrides, !list.overrides.isEmpty else {
            return .narrow("override", [Int32?](repeating: nil, count: ids.codes.count))
        }
        let found = ids.pool.bytes.withUnsafeBufferPointer { bytes in
            ids.codes.map { code -> Int32? in
                guard code != 0 else { return nil }
                let id = UnsafeBufferPointer(rebasing: bytes[ids.pool.range(code)])
                return list.position(of: id).map { Int32($0) }
            }
        }
        return .narrow("override", found)
    }

    /// A column of texts; all rows are null where there is none.
    func texts(_ name: String, _ batch: TripBatch, _ index: Int?) -> FrameColumn {
        var bytes = FrameColumn.Bytes(capacity: batch.count)
        guard let index else {
            for _ in 0..<batch.count { bytes.endRow(isNull: true) }
            return bytes.column(name, .utf8)
        }
        let texts = batch.columns[index].texts
        texts.pool.bytes.withUnsafeBytes { pool in
            for code in texts.codes {
                if code != 0 { bytes.data.append(contentsOf: pool[texts.pool.range(code)]) }
                bytes.endRow(isNull: code == 0)
            }
        }
        return bytes.column(name, .utf8)
    }
}

extension FrameColumn {
    /// A column whose rows are all null, or where a null has no meaning zero.
    static func empty(_ column: ShardPlan.Column, count: Int) -> FrameColumn {
        let nulls = [Bool](repeating: true, count: count)
        let values: Values =
            switch column.type {
            case .int32, .date32: .narrow([Int32](repeating: 0, count: count))
            case .int64, .timestamp: .wide([Int64](repeating: 0, count: count))
            case .float64: .reals([Double](repeating: 0, count: count))
            case .bool: .truths([Bool](repeating: false, count: count))
            case .utf8, .binary: .bytes(ends: [Int32](repeating: 0, count: count + 1), [])
            }
        return FrameColumn(name: column.name, type: column.type, values: values, nulls: nulls)
    }

    /// The same numbers, each greater by an amount.
    func raised(by amount: Int) -> FrameColumn {
        guard case .wide(let numbers) = values else { return self }
        var copy = self
        copy.values = .wide(numbers.map { $0 + Int64(amount) })
        return copy
    }
}

/// The values of one declared field as bytes that are equal exactly where `TripResolution` takes
/// the values for equal.
///
///     null      0
///     integer   1 ─ 8 bytes
///     real      1 ─ 8 bytes, of 0 and -0 those of 0
///     text      1 ─ 4 bytes of its size ─ its bytes; a word that replaces a blank is null
private struct DigestField {
    private let column: Column

    init(_ column: Column) { self.column = column }

    func append(_ row: Int, to bytes: inout [UInt8]) {
        switch column {
        case .integer(let column):
            Self.append(column.value(row).map { UInt64(bitPattern: $0) }, to: &bytes)
        case .real(let column):
            Self.append(column.value(row).map { ($0 == 0 ? 0 : $0).bitPattern }, to: &bytes)
        case .text(let column):
            let code = column.codes[row]
            guard code != 0, code != column.fillerCode else { return bytes.append(0) }
            let text = column.pool.slice(code)
            bytes.append(1)
            withUnsafeBytes(of: UInt32(text.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: text)
        }
    }

    private static func append(_ value: UInt64?, to bytes: inout [UInt8]) {
        guard let value else { return bytes.append(0) }
        bytes.append(1)
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
