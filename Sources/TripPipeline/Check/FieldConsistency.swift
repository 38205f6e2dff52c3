import TripDomain
import TripEngine

/// Checks that the fields of all layouts agree, and gathers their stored columns.
enum FieldConsistency {
    /// The most columns a trip can have: the tables of the mart stop at twice as many.
    static let columnLimit = 1000

    /// The stored columns of all layouts, in order of first declaration.
    ///
    /// - Parameters:
    ///   - layouts: The layouts, in the order of the sources and of their layouts.
    ///   - positions: The positions of the fields in the files.
    /// - Returns: The columns, each once. A field that has two types, or a column of two fields, is
    ///   noted as a fault.
    static func columns(
        _ layouts: [LayoutDefinition],
        _ positions: PipelinePositions
    ) -> [ShapeColumn] {
        var columns: [ShapeColumn] = []
        var types: [String: FieldType] = [:]
        var owners: [String: String] = [:]
        for (layout, value) in zip(layouts, positions.fields) {
            for field in layout.fields {
                if let known = types[field.name] {
                    if known != field.type { positions.faults.note(fault(field, known, value)) }
                    continue
                }
                types[field.name] = field.type
                for name in names(of: field) {
                    if let other = owners[name] {
                        positions.faults.note(clash(name, field.name, other, positions))
                    }
                    owners[name] = field.name
                }
                columns += field.shapeColumns.filter { column in
                    !columns.contains { $0.name == column.name }
                }
            }
        }
        if columns.count > columnLimit {
            positions.faults.note(
                positions.fault(
                    ["fields"],
                    "the fields give \(columns.count) columns; a trip has at most \(columnLimit)"
                )
            )
        }
        return columns
    }

    /// Refuses a column that one field seals as a patient's identifier and another reads in clear.
    ///
    /// - Parameters:
    ///   - layouts: The layouts, in the order of the sources and of their layouts.
    ///   - positions: The positions of the fields in the files.
    /// - Throws: ``PipelineFault`` at the field that would carry the identifier.
    static func checkPatients(
        _ layouts: [LayoutDefinition],
        _ positions: PipelinePositions
    ) throws(PipelineFault) {
        for (layout, value) in zip(layouts, positions.fields) {
            for patient in layout.fields where patient.type == .patientID {
                for column in patient.columns {
                    let reader = layout.fields.first {
                        $0.type != .patientID && $0.columns.contains(column)
                    }
                    guard let reader else { continue }
                    throw value.fault(
                        at: [reader.name, "from"],
                        "the column '\(column)' identifies the patient (`\(patient.name)`), and "
                            + "`\(reader.name)` would carry it in clear",
                        suggestion: reader.name == "trip_id"
                            ? "Compose the trip id of other columns, such as a run number and a "
                                + "unit."
                            : "Remove the column from `\(reader.name)`."
                    )
                }
            }
        }
    }

    /// Warns of two formats of one field that read one text as different times, as `d/M/yyyy` and
    /// `M/d/yyyy` do: the first that fits is taken, so that half of the days would move.
    ///
    /// - Parameters:
    ///   - layouts: The layouts, in the order of the sources and of their layouts.
    ///   - positions: The positions of the fields in the files.
    /// - Returns: A warning per field that has such formats.
    static func formatConflicts(
        _ layouts: [LayoutDefinition],
        _ positions: PipelinePositions
    ) -> [PipelineFault] {
        zip(layouts, positions.fields).flatMap { layout, value in
            layout.fields.compactMap { field in
                guard let (first, second, conflict) = conflict(field) else { return nil }
                return value.fault(
                    at: [field.name, "formats"],
                    "two formats of `\(field.name)` read one text differently: '\(conflict.text)' "
                        + "is \(conflict.first) by '\(first)' and \(conflict.second) by "
                        + "'\(second)'; the first that fits is taken",
                    suggestion: "Keep the one that the export is written in. Exports of both kinds "
                        + "need a layout or a source each."
                )
            }
        }
    }

    private static func conflict(
        _ field: FieldDefinition
    ) -> (first: String, second: String, TimeFormat.Conflict)? {
        for (index, first) in field.formats.enumerated() {
            for second in field.formats.dropFirst(index + 1) {
                let found = first.conflict(with: second, needsTime: field.type == .timestamp)
                if let found { return (first.text, second.text, found) }
            }
        }
        return nil
    }

    /// Warns of time stamps that shall be read from days alone, of which no format reads a day
    /// alone: a blank time would stay `wrong_type`.
    ///
    /// - Parameters:
    ///   - layouts: The layouts, in the order of the sources and of their layouts.
    ///   - positions: The positions of the fields in the files.
    /// - Returns: A warning per field.
    static func missingDayFormats(
        _ layouts: [LayoutDefinition],
        _ positions: PipelinePositions
    ) -> [PipelineFault] {
        zip(layouts, positions.fields).flatMap { layout, value in
            layout.fields.filter { $0.readsDaysAlone && !$0.formats.contains(where: \.readsDays) }
                .map { field in
                    let day = field.formats.lazy.compactMap(\.day).first
                    return value.fault(
                        at: [field.name, "formats"],
                        "`\(field.name)` has `day_alone: true`, and none of its formats reads a "
                            + "day alone: a day without a time is set aside as wrong_type",
                        suggestion: day.map { "Add the day's format: \"\($0)\"." }
                            ?? "Add the day's format, as in \"M/d/yyyy\"."
                    )
                }
        }
    }

    /// Every name a field takes in rules and tables: its columns, and a time stamp's local day.
    static func names(of field: FieldDefinition) -> [String] {
        let stored = field.shapeColumns.map(\.name)
        guard field.type == .timestamp else { return stored }
        return stored + [ShapeColumn.dateName(ofTimestamp: field.name)]
    }

    private static func fault(
        _ field: FieldDefinition,
        _ known: FieldType,
        _ layout: YAMLValue
    ) -> PipelineFault {
        layout.fault(
            at: [field.name, "type"],
            "the field `\(field.name)` is \(field.type.rawValue) here and \(known.rawValue) in "
                + "another layout; one field has one type in all of them",
            suggestion: "Write `type: \(known.rawValue)`, or give the field another name here."
        )
    }

    /// The fault of two fields that give one column; of the two, a field that every pipeline needs
    /// is not blamed.
    private static func clash(
        _ column: String,
        _ first: String,
        _ second: String,
        _ positions: PipelinePositions
    ) -> PipelineFault {
        let isFixed = FieldReader.fixedKinds[first] != nil
        let (blamed, other) = isFixed ? (second, first) : (first, second)
        return positions.fault(
            field: blamed,
            "the field `\(blamed)` clashes with `\(other)`: both give the column `\(column)`",
            suggestion: "Give it another name. A time stamp also takes `…_utc` and its local day "
                + "`…_date`, money `…_cents`, miles `…_hundredths`."
        )
    }
}
