public import TripDomain
public import TripRules

/// Loads a reference file: a CSV with a header, in UTF-8, with one row per record.
///
/// A reference file decides classes and regions, so a bad line is not skipped: the file is refused.
public enum ReferenceLoader {
    /// Loads the table of one lookup.
    ///
    /// - Parameters:
    ///   - definition: The lookup.
    ///   - bytes: The file.
    /// - Returns: The table; row 0 is NULL in every column.
    /// - Throws: ``ReferenceFaults`` naming each line and column that cannot be used.
    public static func load(
        _ definition: LookupDefinition,
        bytes: [UInt8]
    ) throws(ReferenceFaults) -> ReferenceTable {
        let rows = try rows(file: definition.file, bytes: bytes)
        var faults = rows.faults
        for name in definition.types.keys.sorted() where !rows.names.contains(name) {
            faults.append(
                fault(
                    definition.file,
                    1,
                    "`types` of the lookup `\(definition.name)` names the column '\(name)', which "
                        + "the header lacks"
                )
            )
        }
        var kinds: [ColumnKind] = []
        var columns: [Column] = []
        for (index, name) in rows.names.enumerated() {
            let kind = definition.types[name] ?? .text
            kinds.append(kind)
            columns.append(column(index, kind, rows, file: definition.file, &faults))
        }
        guard faults.isEmpty else { throw ReferenceFaults(faults) }
        return ReferenceTable(
            lookup: definition.name,
            file: definition.file,
            columnNames: rows.names,
            columnKinds: kinds,
            columns: columns,
            lineNumbers: rows.lineNumbers
        )
    }

    /// Loads pairs of two columns, such as values and their labels.
    ///
    /// - Parameters:
    ///   - file: The file's path below the reference folder.
    ///   - bytes: The file.
    ///   - key: The column of the keys.
    ///   - value: The column of the values.
    /// - Returns: The values by key.
    /// - Throws: ``ReferenceFaults`` naming each line and column that cannot be used.
    public static func pairs(
        file: String,
        bytes: [UInt8],
        key: String,
        value: String
    ) throws(ReferenceFaults) -> [String: String] {
        let rows = try rows(file: file, bytes: bytes)
        guard let keyIndex = rows.names.firstIndex(of: key),
            let valueIndex = rows.names.firstIndex(of: value)
        else {
            throw ReferenceFaults([
                fault(
                    file,
                    1,
                    "the columns '\(key)' and '\(value)' are needed; the header has "
                        + rows.names.joined(separator: ", ")
                )
            ])
        }
        var faults = rows.faults
        var pairs: [String: String] = [:]
        for row in 1..<max(1, rows.lineNumbers.count) {
            let (key, value) = (rows.cells[row][keyIndex], rows.cells[row][valueIndex])
            if pairs.updateValue(value, forKey: key) != nil {
                faults.append(
                    fault(file, Int(rows.lineNumbers[row]), "the key '\(key)' occurs twice")
                )
            }
        }
        guard faults.isEmpty else { throw ReferenceFaults(faults) }
        return pairs
    }

    /// One row of a file as it is written, without the blanks around its cells.
    public struct Line: Sendable, Hashable {
        /// The line it begins on, from 1.
        public let number: Int
        /// Its cells, in the order of the header.
        public let cells: [String]

        /// Describes a row.
        public init(number: Int, cells: [String]) {
            self.number = number
            self.cells = cells
        }
    }

    /// Reads a file as rows of texts, for comparing two versions of it.
    ///
    /// - Parameters:
    ///   - file: The file's path below the reference folder.
    ///   - bytes: The file.
    /// - Returns: The header's names, and the rows in order.
    /// - Throws: ``ReferenceFaults`` naming each line that cannot be read.
    public static func lines(
        file: String,
        bytes: [UInt8]
    ) throws(ReferenceFaults) -> (names: [String], lines: [Line]) {
        let rows = try rows(file: file, bytes: bytes)
        guard rows.faults.isEmpty else { throw ReferenceFaults(rows.faults) }
        let lines = zip(rows.lineNumbers, rows.cells).dropFirst()
        return (rows.names, lines.map { Line(number: Int($0), cells: $1) })
    }

    /// The texts of a file; entry 0 is the row of a trip without match.
    private struct Rows {
        var names: [String]
        var cells: [[String]] = [[]]
        var lineNumbers: [UInt32] = [0]
        /// The lines that cannot be read.
        var faults: [ReferenceFault] = []
    }

    /// Receives the records of a small file as texts.
    private struct RowSink: RecordSink {
        let decoder = FieldDecoder(CSVDialect())
        private(set) var cells: [[String]] = []
        private(set) var lineIndexes: [Int] = []
        private(set) var rejects: [(reason: RejectReason, lineIndex: Int)] = []

        mutating func record(
            _ fields: UnsafeBufferPointer<FieldSlice>,
            of base: UnsafePointer<UInt8>,
            at position: RecordPosition
        ) {
            cells.append(fields.map { decoder.string($0, of: base) })
            lineIndexes.append(position.lineIndex)
        }

        mutating func reject(
            _ reason: RejectReason,
            text: UnsafeBufferPointer<UInt8>,
            at position: RecordPosition
        ) {
            rejects.append((reason, position.lineIndex))
        }
    }

    private static func rows(file: String, bytes: [UInt8]) throws(ReferenceFaults) -> Rows {
        do {
            let reader = RecordReader(
                try ByteSource(bytes: bytes, name: file),
                dialect: CSVDialect(),
                slicing: Slicing(threads: 1)
            )
            var rows = Rows(names: try reader.readHeader().names)
            try ReferenceHeader.check(rows.names, file: file)
            _ = try reader.scan(
                fieldCount: rows.names.count,
                makeSink: { RowSink() },
                deliver: { slice in
                    rows.faults += slice.sink.rejects.map { reason, lineIndex in
                        fault(
                            file,
                            slice.firstLineNumber + lineIndex,
                            "the line cannot be read (\(reason.rawValue)); expected "
                                + Counted.text(rows.names.count, "field")
                        )
                    }
                    rows.cells += slice.sink.cells.map { $0.map(Self.withoutBlanks) }
                    rows.lineNumbers += slice.sink.lineIndexes.map {
                        UInt32(slice.firstLineNumber + $0)
                    }
                }
            )
            return rows
        } catch let error as ReferenceFaults {
            throw error
        } catch let fault as SourceFault {
            throw ReferenceFaults([
                ReferenceFault(
                    position: fault.position,
                    remedy: "The file \(fault.finding). \(remedy(for: fault))"
                )
            ])
        } catch {
            throw ReferenceFaults([
                ReferenceFault(
                    position: SourcePosition(file: file),
                    remedy: "The file cannot be read as CSV."
                )
            ])
        }
    }

    /// What to do about a file that cannot be read: no source declares how a reference file is
    /// written, so that the advice for exports does not help here.
    private static func remedy(for fault: SourceFault) -> String {
        switch fault.code {
        case .encodingNotDeclared: "Save it as UTF-8: reference files have no other encoding."
        case .lineEndsNotDeclared: "Save it with the line ends of Unix or Windows."
        case .headerUnreadable, .empty:
            "Its first line must be a header: the names of its columns with commas between them."
        case .notGzip, .gzipHeader, .gzipTruncated, .gzipDamaged, .gzipTrailingBytes,
            .expandsTooFar:
            "Put it into the reference folder as it is, not compressed."
        case .otherKind:
            "Save it as CSV: commas between the columns, and no workbook or archive."
        case .cannotOpen, .noDescriptors, .cannotRead, .notRegularFile, .changedWhileRead,
            .tooManyRejects:
            fault.remedy
        }
    }

    /// A cell without the blanks and unseen characters around it; most cells have none.
    private static func withoutBlanks(_ cell: String) -> String {
        func mayBeBlank(_ byte: UInt8?) -> Bool { byte.map { $0 <= 0x20 || $0 >= 0x7F } ?? false }
        guard mayBeBlank(cell.utf8.first) || mayBeBlank(cell.utf8.last) else { return cell }
        var cell = cell
        return cell.withUTF8 { String(decoding: trimmed($0), as: UTF8.self) }
    }

    private static func column(
        _ index: Int,
        _ kind: ColumnKind,
        _ rows: Rows,
        file: String,
        _ faults: inout [ReferenceFault]
    ) -> Column {
        var buffer = ColumnBuffer(kind: kind)
        var interner = TextInterner()
        for (row, cells) in rows.cells.enumerated() {
            let cell = row == 0 ? "" : cells[index]
            if cell.isEmpty {
                buffer.appendNull()
            } else if kind == .text {
                buffer.append(code: interner.code(of: cell))
            } else {
                let converted = Array(cell.utf8).withUnsafeBufferPointer { text in
                    typed(rows.names[index], kind).map { ValueField($0).convert(text) }
                }
                switch converted {
                case .integer(let value): buffer.append(integer: value)
                case .real(let value): buffer.append(real: value)
                default:
                    buffer.appendNull()
                    faults.append(
                        fault(
                            file,
                            Int(rows.lineNumbers[row]),
                            "column '\(rows.names[index])' has a text that is no \(kind.rawValue)"
                        )
                    )
                }
            }
        }
        return buffer.column(pool: interner.pool)
    }

    /// The field that reads cells of a kind as an export's field would.
    private static func typed(_ name: String, _ kind: ColumnKind) -> FieldDefinition? {
        guard let type = FieldType(rawValue: kind.rawValue) else { return nil }
        var field = FieldDefinition(name: name, type: type, columns: [name])
        // The name of the profile is always a format.
        let format = try? TimeFormat(TimeFormat.iso8601Name)
        if type == .date { field.formats = [format].compactMap(\.self) }
        return field
    }

    private static func fault(_ file: String, _ line: Int, _ problem: String) -> ReferenceFault {
        ReferenceFault(
            position: SourcePosition(file: file, lineNumber: line),
            remedy: problem + "."
        )
    }
}

extension OverrideList {
    /// Reads a list from its file.
    ///
    /// - Parameters:
    ///   - file: Its path, as people know it.
    ///   - bytes: The file.
    ///   - classesAndBases: The classes and bases that the pipeline's rules give.
    /// - Throws: ``ReferenceFaults`` with every line that cannot be used.
    public init(
        file: String,
        bytes: [UInt8],
        classesAndBases: [OverrideClassAndBasis]
    ) throws(ReferenceFaults) {
        try self.init(
            table: ReferenceLoader.load(Self.lookup(file: file), bytes: bytes),
            classesAndBases: classesAndBases
        )
    }
}
