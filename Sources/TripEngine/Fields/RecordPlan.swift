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
    /// The time stamp that units have a time of their own for, where the layout has one.
    let unitTimeField: Int?
    /// The field the ledger sums, where the layout has it.
    let costField: Int?
    let tripIDField: Int
    let pickupField: Int
    /// The number of columns every record must have.
    let columnCount: Int
    /// The last time that a pick-up may have; nil where any may.
    var latestPickup: LatestTime?
    /// What makes the trip ids of their positions; nil where they are read from columns.
    private(set) var positionIDs: SourcePositionIDs?

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
        mismatch.declared = mismatch.expected.union(layout.ignoredColumns)
        mismatch.header = header
        for (index, name) in header.enumerated() {
            if indexOfName.updateValue(index, forKey: name) != nil {
                mismatch.duplicate.append(index)
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
            mismatch.unknown = header.indices.filter { !used.contains(header[$0]) }
        }
        guard mismatch.isEmpty else { throw mismatch }
        self.layout = layout
        fields = bound
        columnKinds = shapeColumns.map(\.kind)
        splitField = bound.firstIndex { $0.definition.separator != nil }
        let unitTime = splitField.flatMap { bound[$0].definition.unitTime }
        unitTimeField = unitTime.flatMap { time in
            bound.firstIndex { $0.definition.name == time.field }
        }
        costField = costName.flatMap { name in bound.firstIndex { $0.definition.name == name } }
        columnCount = header.count
        guard let tripID = bound.firstIndex(where: { $0.definition.name == "trip_id" }),
            let pickup = bound.firstIndex(where: { $0.definition.name == "pickup_at" })
        else { preconditionFailure("a checked pipeline has trip_id and pickup_at in every layout") }
        tripIDField = tripID
        pickupField = pickup
    }

    /// The same plan for the records of one file, by the path that identifies it.
    func bound(toPath path: String) -> RecordPlan {
        guard fields[tripIDField].definition.isSourcePosition else { return self }
        var plan = self
        plan.positionIDs = SourcePositionIDs(path: path, hasUnits: splitField != nil)
        return plan
    }

    /// The last time that a field may have; nil where any may.
    func latest(_ field: Int) -> LatestTime? {
        field == pickupField && !fields[field].definition.allowsFuture ? latestPickup : nil
    }

    /// The names of a header, each as a layout declares it where they differ in the case of a to z.
    static func declaredNames(_ header: [String], among layouts: [LayoutDefinition]) -> [String] {
        func folded(_ name: String) -> [UInt8] {
            name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        }
        let declared = layouts.flatMap { $0.fields.flatMap(\.columns) + $0.ignoredColumns }
        let names = Dictionary(declared.map { (folded($0), $0) }) { first, _ in first }
        return header.map { names[folded($0)] ?? $0 }
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
