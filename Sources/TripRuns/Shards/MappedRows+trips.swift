import TripDomain
import TripEngine
import TripMart
import TripRules

extension MappedRows {
    /// The rows of a `trips` frame, whose records and lines count from the slice's first.
    ///
    /// - Parameters:
    ///   - batch: The trips of a slice, classified.
    ///   - refs: Their references.
    /// - Returns: The columns, in the order of the plan.
    /// - Throws: `MartError` where the system returns no random bytes to seal with.
    func trips(_ batch: TripBatch, _ refs: Refs) throws(MartError) -> [FrameColumn] {
        var patients: [Int: SealedPatients] = [:]
        for (_, origin) in columns.columns {
            guard case .patientRef(let index) = origin else { continue }
            patients[index] = try SealedPatients(batch.columns[index].texts, keys)
        }
        return columns.columns.map { column, origin in
            switch origin {
            case .ref: return refs.texts
            case .stored(let index): return stored(column, batch, index)
            case .day(let index): return Self.days(column.name, batch.columns[index].integers)
            case .patientRef(let index):
                return .wide(column.name, patients[index]?.rows(\.refs) ?? [])
            case .patientSealed(let index):
                return Self.sealed(column.name, patients[index]?.rows(\.sealed) ?? [])
            case .month: return months(column.name, batch.columns[setting.pickupIndex].integers)
            case .tripClass:
                return ruleTexts(column.name, batch) { ($0?.tripClass ?? .undetermined).word }
            case .basis: return ruleTexts(column.name, batch) { $0?.basis ?? "" }
            case .rule: return ruleTexts(column.name, batch) { $0?.id }
            case .counted:
                return FrameColumn(name: column.name, type: .bool, values: .truths(batch.counted))
            case .sourceFile: return paths(column.name, count: batch.count)
            case .record: return .wide(column.name, batch.recordNumbers.map { Int64($0) })
            case .line: return .wide(column.name, batch.lineNumbers.map { Int64($0) })
            }
        }
    }

    private func stored(
        _ column: ShardPlan.Column,
        _ batch: TripBatch,
        _ index: Int
    ) -> FrameColumn {
        switch batch.columns[index] {
        case .text: return texts(column.name, batch, index)
        case .real(let reals):
            return FrameColumn(
                name: column.name,
                type: column.type,
                values: .reals(reals.values),
                nulls: reals.nulls
            )
        case .integer(let integers):
            let values: FrameColumn.Values =
                switch column.type {
                case .bool: .truths(integers.values.map { $0 != 0 })
                case .date32: .narrow(integers.values.map { Int32(truncatingIfNeeded: $0) })
                default: .wide(integers.values)
                }
            return FrameColumn(
                name: column.name,
                type: column.type,
                values: values,
                nulls: integers.nulls
            )
        }
    }

    private static func days(_ name: String, _ seconds: IntegerColumn) -> FrameColumn {
        FrameColumn(
            name: name,
            type: .date32,
            values: .narrow(
                seconds.values.map {
                    Int32(truncatingIfNeeded: CivilTime.floorDivide($0, CivilTime.daySeconds))
                }
            ),
            nulls: seconds.nulls
        )
    }

    private func months(_ name: String, _ pickups: IntegerColumn) -> FrameColumn {
        var bytes = FrameColumn.Bytes(capacity: pickups.values.count)
        var last: (day: Int64, text: String)?
        for pickup in pickups.values {
            let day = CivilTime.floorDivide(pickup, CivilTime.daySeconds)
            // Most trips of an export are of the day before them.
            if last?.day != day { last = (day, CivilTime.date(ofSeconds: pickup).month.text) }
            bytes.append((last?.text ?? "").utf8)
        }
        return bytes.column(name, .utf8)
    }

    /// A text of the deciding rule of each trip; nil is given for no rule.
    private func ruleTexts(
        _ name: String,
        _ batch: TripBatch,
        _ text: (RuleEntry?) -> String?
    ) -> FrameColumn {
        let texts = [text(nil)] + setting.classifier.rules.map { text($0) }
        var bytes = FrameColumn.Bytes(capacity: batch.count)
        for number in batch.ruleNumbers {
            let text = texts[Int(number)]
            bytes.data.append(contentsOf: (text ?? "").utf8)
            bytes.endRow(isNull: text == nil)
        }
        return bytes.column(name, .utf8)
    }

    private func paths(_ name: String, count: Int) -> FrameColumn {
        let path = Array(setting.plan.files[fileIndex].path.utf8)
        var bytes = FrameColumn.Bytes(capacity: count)
        for _ in 0..<count { bytes.append(path) }
        return bytes.column(name, .utf8)
    }

    private static func sealed(_ name: String, _ values: [[UInt8]?]) -> FrameColumn {
        var bytes = FrameColumn.Bytes(capacity: values.count)
        for value in values {
            bytes.data.append(contentsOf: value ?? [])
            bytes.endRow(isNull: value == nil)
        }
        return bytes.column(name, .binary)
    }
}

extension ShardSetting {
    fileprivate var pickupIndex: Int { classifier.shape.pickupIndex }
}

/// The patients of a slice: each distinct text of the column is sealed once.
private struct SealedPatients {
    let codes: [UInt32]
    /// By entry of the pool: the reference and the sealed identifier; nil for a blank.
    private(set) var refs: [Int64?]
    private(set) var sealed: [[UInt8]?]

    init(_ texts: TextColumn, _ keys: MartKeys) throws(MartError) {
        codes = texts.codes
        let count = texts.pool.count
        refs = [Int64?](repeating: nil, count: count)
        sealed = [[UInt8]?](repeating: nil, count: count)
        let ref = keys.patientReferences()
        var sealer = try keys.patientSealer(count: count)
        for code in 1..<max(1, UInt32(count)) {
            let found = try texts.pool.slice(code).withUnsafeBufferPointer {
                text throws(MartError) -> (Int64, [UInt8])? in
                let text = UnsafeRawBufferPointer(text)
                guard let number = ref(text) else { return nil }
                return (number, try sealer.seal(text, row: number))
            }
            (refs[Int(code)], sealed[Int(code)]) = (found?.0, found?.1)
        }
    }

    /// The values of all rows.
    func rows<Value>(_ values: KeyPath<SealedPatients, [Value?]>) -> [Value?] {
        let values = self[keyPath: values]
        return codes.map { values[Int($0)] }
    }
}
