import TripDomain
import TripEngine

/// The columns of the exports that fill the columns that rules can name.
struct ExportColumns {
    private let layouts: [LayoutDefinition]

    /// Reads layouts.
    ///
    /// - Parameter layouts: The layouts that files may have.
    init(_ layouts: [LayoutDefinition]) {
        self.layouts = layouts
    }

    /// The columns that fill one that rules can name.
    ///
    /// - Parameter column: The column's name in rules, such as `paid_cents`.
    /// - Returns: The names in the order of layouts, each once; a field of several columns names
    ///   all of them. Empty where none fills it.
    func names(of column: String) -> [String] {
        var names: [String] = []
        for field in layouts.flatMap(\.fields) where field.ruleColumns.contains(column) {
            let name = field.columns.joined(separator: " and ")
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension FieldDefinition {
    /// The columns of the field that rules can name.
    var ruleColumns: [String] {
        let stored = shapeColumns.map(\.name)
        guard type == .timestamp else { return stored }
        return stored + [ShapeColumn.dateName(ofTimestamp: name)]
    }
}
