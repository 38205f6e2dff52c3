public import TripDomain

/// A layout bound to the header of one file: which column of the file each field is read from.
public struct RecordPlan: Sendable {
    /// One field with the indexes of its columns in the file.
    struct BoundField: Sendable {
        let definition: FieldDefinition
        /// The field's columns in the file, from 0; empty for a constant.
        let columnIndexes: [Int]
        /// The stored column, the first of two for a time stamp.
        let shapeIndex: Int
    }

    /// The layout.
    public let layout: LayoutDefinition
    let fields: [BoundField]
    /// The columns of the shape that fields fill, in order.
    let columnKinds: [ColumnKind]
    /// The field whose cell lists several units, where the layout has one.
    let splitField: Int?
    /// The field the ledger sums, where the layout has it.
    let costField: Int?
    let tripIDField: Int
    let pickupField: Int
    /// The number of columns every record must have.
    let columnCount: Int

    /// Binds a layout to a header.
    ///
    /// - Parameters:
    ///   - layout: The layout.
    ///   - header: The file's column names, in order.
    ///   - shapeColumns: The stored columns of all declared fields, in shape order.
    ///   - costName: The money field the KPIs sum, such as `cost`; nil where there is none.
    ///   - refusesUnknownColumns: Whether a column no field uses is an error.
    /// - Throws: ``LayoutMismatch`` listing every difference.
    public init(
        layout: LayoutDefinition,
        header: [String],
        shapeColumns: [ShapeColumn],
        costName: String?,
        refusesUnknownColumns: Bool
    ) throws(LayoutMismatch) {
        var indexOfName: [String: Int] = [:]
        var mismatch = LayoutMismatch(layout: layout.name)
        mismatch.expected = Set(layout.fields.flatMap(\.columns))
        mismatch.header = header
        for (index, name) in header.enumerated() {
            if indexOfName.updateValue(index, forKey: name) != nil {
                mismatch.duplicate.append(name)
            }
        }
        var used: Set<String> = Set(layout.ignoredColumns)
        var bound: [BoundField] = []
        for field in layout.fields {
            var indexes: [Int] = []
            for column in field.columns {
                used.insert(column)
                if let index = indexOfName[column] {
                    indexes.append(index)
                } else if !mismatch.missing.contains(column) {
                    mismatch.missing.append(column)
                }
            }
            guard let first = field.shapeColumns.first,
                let shapeIndex = shapeColumns.firstIndex(of: first)
            else { preconditionFailure("the shape holds a column for every declared field") }
            bound.append(
                BoundField(definition: field, columnIndexes: indexes, shapeIndex: shapeIndex)
            )
        }
        if refusesUnknownColumns {
            mismatch.unknown = header.filter { !used.contains($0) }
        }
        guard mismatch.isEmpty else { throw mismatch }
        self.layout = layout
        fields = bound
        columnKinds = shapeColumns.map(\.kind)
        splitField = bound.firstIndex { $0.definition.separator != nil }
        costField = costName.flatMap { name in bound.firstIndex { $0.definition.name == name } }
        columnCount = header.count
        guard let tripID = bound.firstIndex(where: { $0.definition.name == "trip_id" }),
            let pickup = bound.firstIndex(where: { $0.definition.name == "pickup_at" })
        else { preconditionFailure("a checked pipeline has trip_id and pickup_at in every layout") }
        tripIDField = tripID
        pickupField = pickup
    }

    /// Chooses the one layout that fits a header.
    ///
    /// - Parameters:
    ///   - layouts: The source's layouts, in order.
    ///   - header: The file's column names, in order.
    ///   - shapeColumns: The stored columns of all declared fields, in shape order.
    ///   - costName: The money field the KPIs sum.
    ///   - refusesUnknownColumns: Whether a column no field uses is an error.
    /// - Returns: The layout bound to the header.
    /// - Throws: ``LayoutMismatch`` with the nearest layout's differences where none fits, or with
    ///   the names of all fitting layouts where several do.
    public static func choose(
        among layouts: [LayoutDefinition],
        header: [String],
        shapeColumns: [ShapeColumn],
        costName: String?,
        refusesUnknownColumns: Bool
    ) throws(LayoutMismatch) -> RecordPlan {
        var fitting: [RecordPlan] = []
        var nearest: LayoutMismatch?
        for layout in layouts {
            do throws(LayoutMismatch) {
                fitting.append(
                    try RecordPlan(
                        layout: layout,
                        header: header,
                        shapeColumns: shapeColumns,
                        costName: costName,
                        refusesUnknownColumns: refusesUnknownColumns
                    )
                )
            } catch {
                if nearest.map({ error.size < $0.size }) ?? true { nearest = error }
            }
        }
        guard let plan = fitting.first else {
            throw nearest ?? LayoutMismatch(layout: "")
        }
        guard fitting.count == 1 else {
            var mismatch = LayoutMismatch(layout: plan.layout.name)
            mismatch.ambiguous = fitting.map(\.layout.name)
            throw mismatch
        }
        return plan
    }
}

/// How a header differs from a layout.
public struct LayoutMismatch: Error, Sendable, Hashable {
    /// The layout compared with; empty where the source has one layout alone.
    public let layout: String
    /// Columns the layout reads and the header lacks.
    public var missing: [String] = []
    /// Columns the header has and no field uses.
    public var unknown: [String] = []
    /// Names the header has more than once.
    public var duplicate: [String] = []
    /// Layouts that all fit, where more than one does.
    public var ambiguous: [String] = []
    /// The columns the layout reads.
    var expected: Set<String> = []
    /// The header's names.
    var header: [String] = []

    init(layout: String) {
        self.layout = layout
    }

    /// Whether there is no difference.
    public var isEmpty: Bool { size == 0 && ambiguous.isEmpty }

    /// The number of differences.
    public var size: Int { missing.count + unknown.count + duplicate.count }

    /// The differences as a sentence for people.
    public var text: String {
        if !ambiguous.isEmpty {
            return "the header fits several layouts: \(ambiguous.joined(separator: ", "))"
        }
        var parts: [String] = []
        func add(_ names: [String], _ label: String) {
            guard !names.isEmpty else { return }
            let shown = names.prefix(8).map(Self.printable).joined(separator: ", ")
            let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
            parts.append("\(label) \(shown)\(rest)")
        }
        if let delimiter = betterDelimiter {
            return "the first line has one column; divided by \(delimiter.name) it has "
                + "\(delimiter.count) of the \(expected.count) that are expected: declare "
                + "`dialect: {delimiter: \(delimiter.word)}`"
        }
        add(missing.filter { twin($0) == nil }, "missing")
        parts += missing.compactMap { name in
            twin(name).map { "missing '\(name)', which the header writes '\($0)'" }
        }
        guard missing.count(where: { twin($0) == nil }) * 2 <= expected.count else {
            // The first line may be data, and its texts could name a patient: they are not printed.
            return "the first line is not the expected header: " + parts.joined(separator: "; ")
        }
        parts += missing.filter { twin($0) == nil }.compactMap(nearest)
        add(unknown, "unknown")
        add(duplicate, "twice")
        let against = layout.isEmpty ? "" : " (nearest layout: \(layout))"
        return "the header's columns differ: " + parts.joined(separator: "; ") + against
    }

    /// The header's name that differs from a missing one only by case and blanks.
    ///
    /// Such a name is never data, so it may be printed.
    private func twin(_ name: String) -> String? {
        func folded(_ text: String) -> String {
            text.lowercased().filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
        }
        return header.first { !expected.contains($0) && folded($0) == folded(name) }
    }

    /// A sentence with the unused name of the header that is nearest to a missing one.
    private func nearest(_ name: String) -> String? {
        let unused = header.filter { !expected.contains($0) }
        return NearestName.find(name, among: unused).map {
            "nearest to '\(name)' is \(Self.printable($0))"
        }
    }

    /// The delimiter that divides a header of one column into the expected ones.
    private var betterDelimiter: (name: String, word: String, count: Int)? {
        guard header.count == 1, expected.count > 1, let line = header.first else { return nil }
        let marks: [(mark: Character, name: String, word: String)] = [
            (",", "commas", "\",\""), (";", "semicolons", "\";\""), ("\t", "tabs", "tab"),
            ("|", "vertical bars", "\"|\""),
        ]
        let found = marks.map { mark in
            (mark.name, mark.word, Set(line.split(separator: mark.mark).map(String.init)))
        }
        let counted = found.map { ($0.0, $0.1, $0.2.intersection(expected).count) }
        return counted.max { $0.2 < $1.2 }.flatMap { $0.2 * 2 >= expected.count ? $0 : nil }
    }

    /// A name for printing.
    ///
    /// Long names and names with many digits could be data in the line of the header; only their
    /// length is printed.
    private static func printable(_ name: String) -> String {
        let digits = name.utf8.count { (0x30...0x39).contains($0) }
        return name.count <= 32 && digits <= 3 ? "'\(name)'" : "(\(name.count) characters)"
    }
}
