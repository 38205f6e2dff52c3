import TripDomain

extension ServedMart {
    /// A trip that lies elsewhere, from the texts of its columns.
    ///
    /// - Parameters:
    ///   - id: Its id, which no column there has.
    ///   - texts: The texts of the columns under their names, as the view `trip` has them; a NULL
    ///     has none.
    /// - Returns: All that is known of it but its other versions, which lie elsewhere too; nil
    ///   where a column of the generation is missing or cannot be read.
    /// - Throws: ``MartError`` of the file.
    public func trip(id: String, texts: [String: String]) throws(MartError) -> TripDetail? {
        let columns = shape.columns.map { column in
            column.name == "trip_id" ? id : texts[column.name]
        }
        var values: [Column] = []
        for (column, text) in zip(shape.columns, columns) {
            guard let value = Self.value(text, column.kind) else { return nil }
            values.append(value)
        }
        func integer(_ name: String) -> Int64? { texts[name].flatMap { Int64($0) } }
        guard let path = texts["source_file"], let record = integer("record_number"),
            let line = integer("line_number"), let month = texts["month"],
            let isCounted = Self.truth(texts["counted"]),
            let files = Optional(try files()),
            let fileIndex = files.lastIndex(where: { $0.path == path }),
            let recordNumber = UInt32(exactly: record), let lineNumber = UInt32(exactly: line),
            let pickup = values[shape.pickupIndex].integers.value(0),
            let pickupUTC = values[shape.pickupUTCIndex].integers.value(0)
        else { return nil }
        let rule = try texts["rule"].flatMap { id throws(MartError) in
            try rules().first { $0.id == id }
        }
        // The rule of another generation.
        guard rule != nil || texts["rule"] == nil else { return nil }
        var batch = TripBatch(
            fileIndex: fileIndex,
            columns: values,
            recordNumbers: [recordNumber],
            lineNumbers: [lineNumber]
        )
        batch.ruleNumbers = [UInt16(rule?.number ?? 0)]
        batch.counted = [isCounted]
        return TripDetail(
            summary: TripSummary(
                tripNumber: 0,
                tripID: id,
                pickupAt: CivilTime.text(ofSeconds: pickup),
                month: month,
                tripType: texts["trip_type"] ?? "",
                region: texts["region"] ?? "",
                tripClass: texts["class"].flatMap { TripClass(word: $0) } ?? .undetermined,
                basis: texts["basis"] ?? "",
                ruleID: rule?.id,
                isCounted: isCounted,
                costCents: shape.costIndex.flatMap { values[$0].integers.value(0) },
                milesHundredths: shape.milesIndex.flatMap { values[$0].integers.value(0) },
                providerName: shape.providerNameIndex.flatMap { texts[shape.columns[$0].name] },
                position: SourcePosition(
                    file: path,
                    recordNumber: Int(record),
                    lineNumber: Int(line)
                )
            ),
            pickupOffsetSeconds: pickup - pickupUTC,
            values: named(id, texts),
            batch: batch,
            rule: rule,
            file: files[fileIndex],
            patientRef: integer("patient_ref"),
            versions: [],
            rejects: try rejects(where: "r.trip_id = ?", [id], limit: 1000)
        )
    }

    /// The values under their names, in the order of the view `trip`.
    private func named(_ id: String, _ texts: [String: String]) -> [TripValue] {
        var names: [(name: String, kind: ColumnKind)] = []
        let known = Set(shape.columns.map(\.name))
        for (index, column) in shape.columns.enumerated() where index != shape.patientIndex {
            names.append((column.name, column.kind))
            let day = TripTables.dateName(column.name)
            if tables.storage[index] == .seconds, column.name.hasSuffix("_at"),
                !known.contains(day)
            {
                names.append((day, .text))
            }
        }
        names += ["month", "class", "basis", "rule"].map { ($0, .text) }
        names += [("counted", .boolean), ("source_file", .text)]
        names += ["record_number", "line_number", "patient_ref"].map { ($0, .integer) }
        return names.map { name, kind in
            let text = name == "trip_id" ? id : texts[name]
            let value: StoredValue =
                switch kind {
                case .integer, .money, .miles: StoredValue(text.flatMap { Int64($0) })
                case .boolean: StoredValue(Self.truth(text).map { $0 ? Int64(1) : 0 })
                case .decimal: text.flatMap { Double($0) }.map { .real($0) } ?? .null
                case .text, .date, .timestamp, .patient: StoredValue(text)
                }
            return TripValue(name: name, value: value)
        }
    }

    private static func truth(_ text: String?) -> Bool? {
        switch text {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// One value as a column; nil where the text is none of its kind.
    private static func value(_ text: String?, _ kind: ColumnKind) -> Column? {
        func integer(_ value: Int64?) -> Column? {
            guard text != nil else {
                return .integer(IntegerColumn(values: [0], nulls: [true]))
            }
            return value.map { .integer(IntegerColumn(values: [$0])) }
        }
        switch kind {
        case .text, .patient:
            let shown = kind == .patient ? nil : text
            return .text(
                TextColumn(
                    codes: [shown == nil ? 0 : 1],
                    pool: shown.map { TextPool([$0]) } ?? TextPool()
                )
            )
        case .integer, .money, .miles: return integer(text.flatMap { Int64($0) })
        case .boolean: return integer(truth(text).map { $0 ? 1 : 0 })
        case .date:
            return integer(text.flatMap { CivilDate(text: $0) }.map { Int64($0.dayNumber) })
        case .timestamp: return integer(text.flatMap { seconds($0) })
        case .decimal:
            guard let text else {
                return .real(RealColumn(values: [0], nulls: [true]))
            }
            return Double(text).map { .real(RealColumn(values: [$0])) }
        }
    }

    /// The seconds of `YYYY-MM-DD HH:MM:SS`; nil where the text is no such time.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let day = CivilDate(text: String(parts[0])) else { return nil }
        let clock = parts[1].split(separator: ":").map { Int64($0) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        return Int64(day.dayNumber) * CivilTime.daySeconds + hour * 3600 + minute * 60 + second
    }
}
