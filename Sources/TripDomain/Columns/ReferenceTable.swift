/// A reference file as loaded for one lookup: its rows by column.
///
/// Row 0 is the row of a trip that found no match, NULL in every column; the file's own rows begin
/// at 1.
public struct ReferenceTable: Sendable {
    /// The lookup's name in the pipeline, such as `site`.
    public let lookup: String
    /// The file's path below the reference folder.
    public let file: String
    /// The columns' names, as in the file's header.
    public let columnNames: [String]
    /// What the columns' values are: text, integer, decimal, boolean, money, miles or date.
    public let columnKinds: [ColumnKind]
    /// The columns, each with `rowCount + 1` entries; entry 0 is NULL.
    public let columns: [Column]
    /// The line of the file each row starts on; entry 0 is 0.
    public let lineNumbers: [UInt32]

    /// Gathers the parts of one table.
    public init(
        lookup: String,
        file: String,
        columnNames: [String],
        columnKinds: [ColumnKind],
        columns: [Column],
        lineNumbers: [UInt32]
    ) {
        self.lookup = lookup
        self.file = file
        self.columnNames = columnNames
        self.columnKinds = columnKinds
        self.columns = columns
        self.lineNumbers = lineNumbers
    }

    /// The same rows for another lookup.
    ///
    /// - Parameter lookup: The lookup's name.
    /// - Returns: The table, which shares its columns with this one.
    public func named(_ lookup: String) -> ReferenceTable {
        ReferenceTable(
            lookup: lookup,
            file: file,
            columnNames: columnNames,
            columnKinds: columnKinds,
            columns: columns,
            lineNumbers: lineNumbers
        )
    }

    /// The number of the file's own rows.
    public var rowCount: Int { lineNumbers.count - 1 }
}

/// A reference file, or a list of overrides, that cannot be used as it stands.
public struct ReferenceFault: Error, Sendable {
    /// The file, and the line where one is known; never what the line says.
    public let position: SourcePosition?
    /// What was found, what was expected, and what to do.
    public let remedy: String

    /// Describes a fault.
    public init(position: SourcePosition?, remedy: String) {
        self.position = position
        self.remedy = remedy
    }
}

/// Why a reference file, or a list of overrides, cannot be used.
public struct ReferenceFaults: Error, Sendable {
    /// The greatest number of faults that are described one by one.
    static let limit = 20

    /// The faults in the order of their lines.
    ///
    /// Where there are more than are described, the last one counts the others.
    public let faults: [ReferenceFault]

    /// Gathers the faults of one file.
    ///
    /// - Parameter faults: All of them, in any order; at least one.
    public init(_ faults: [ReferenceFault]) {
        func line(_ fault: ReferenceFault) -> Int { fault.position?.lineNumber ?? 0 }
        let sorted = faults.enumerated()
            .sorted { (line($0.element), $0.offset) < (line($1.element), $1.offset) }
            .map(\.element)
        let rest = sorted.count - Self.limit
        guard rest > 0 else {
            self.faults = sorted
            return
        }
        let file = sorted[0].position.map { SourcePosition(file: $0.file) }
        self.faults =
            sorted.prefix(Self.limit) + [
                ReferenceFault(
                    position: file,
                    remedy: "The file has \(Counted.text(rest, "more fault"))."
                )
            ]
    }
}
