public import TripDomain
public import TripMart

/// The rejects, grouped by reason and field.
public struct RejectsScreen {
    private let header: GenerationHeader
    private let groups: [RejectGroup]

    /// Shows the groups of one generation.
    public init(header: GenerationHeader, groups: [RejectGroup]) {
        self.header = header
        self.groups = groups
    }

    /// The groups in one format.
    public func text(_ format: OutputFormat) -> String {
        var set = RowSet([
            "reason", "field", "rejects", "items", "corrections", "first_number", "generation",
        ])
        for group in groups {
            set.add([
                .text(group.reason.rawValue), .text(group.field),
                .integer(Int64(group.count)), .integer(Int64(group.itemCount)),
                .integer(Int64(group.correctionCount)), .integer(Int64(group.firstNumber)),
                .integer(Int64(header.number)),
            ])
        }
        switch format {
        case .json: return set.json
        case .csv: return set.csv
        case .table: return lines.joined(separator: "\n")
        }
    }

    private var lines: [String] {
        guard !groups.isEmpty else { return ["Generation \(header.number): nothing was rejected"] }
        var table = TextTable([
            ("reason", .left), ("field", .left), ("rejects", .right), ("items", .right),
            ("corrections", .right), ("first", .right),
        ])
        for group in groups {
            table.add([
                group.reason.rawValue, group.field ?? "–", NumberFormat.count(group.count),
                NumberFormat.count(group.itemCount), NumberFormat.count(group.correctionCount),
                String(group.firstNumber),
            ])
        }
        return ["Generation \(header.number) · rejects by reason", ""] + table.lines + [
            "",
            "Corrections come after all valid records of a known trip, which stays as it was.",
            "One reject: triptych rejects show \(groups[0].firstNumber)",
            "Meaning of each reason: docs/REJECTS.md",
        ]
    }
}

/// Rejects one by one.
public struct RejectListScreen {
    private let header: GenerationHeader
    private let rows: [RejectRow]

    /// Shows some rejects of one generation.
    public init(header: GenerationHeader, rows: [RejectRow]) {
        self.header = header
        self.rows = rows
    }

    /// The rejects in one format.
    public func text(_ format: OutputFormat) -> String {
        switch format {
        case .table: lines.joined(separator: "\n")
        case .json: rowSet.json
        case .csv: rowSet.csv
        }
    }

    private var lines: [String] {
        var table = TextTable([
            ("number", .right), ("file", .left), ("record", .right), ("line", .right),
            ("byte", .right), ("field", .left), ("reason", .left), ("amount", .right),
            ("correction", .left),
        ])
        for row in rows {
            table.add([
                String(row.number), row.place.file, NumberFormat.count(row.place.recordNumber),
                NumberFormat.count(row.place.lineNumber), NumberFormat.count(row.place.byteOffset),
                row.field ?? "–", row.reason.rawValue,
                row.isUnpriced
                    ? "unreadable" : row.amountCents.map(NumberFormat.dollars) ?? "not known",
                row.isCorrection ? "of a known trip" : "–",
            ])
        }
        return table.lines
    }

    private var rowSet: RowSet {
        var set = RowSet([
            "number", "file", "record_number", "line_number", "byte_offset", "byte_size",
            "items", "field", "reason", "amount_cents", "unpriced",
            "rejected_correction", "generation",
        ])
        for row in rows {
            set.add([
                .integer(Int64(row.number)), .text(row.place.file),
                .integer(Int64(row.place.recordNumber)), .integer(Int64(row.place.lineNumber)),
                .integer(Int64(row.place.byteOffset)), .integer(Int64(row.byteSize)),
                .integer(Int64(row.itemCount)), .text(row.field), .text(row.reason.rawValue),
                .integer(row.amountCents), .truth(row.isUnpriced), .truth(row.isCorrection),
                .integer(Int64(header.number)),
            ])
        }
        return set
    }
}
