import TripDomain
import TripEngine
import TripPipeline

/// Why a column of a trip is NULL: blank in the export, not in its layout, or derived.
struct BlankValues {
    private let pipeline: PipelineDefinition
    private let file: SourceFileEntry

    /// Explains the columns of a trip.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline the trip was read by.
    ///   - file: The file it came in.
    init(_ pipeline: PipelineDefinition, file: SourceFileEntry) {
        self.pipeline = pipeline
        self.file = file
    }

    /// Why a column is NULL, as a clause.
    func reason(for column: String) -> String {
        if let derived = pipeline.derived.first(where: { $0.name == column }) {
            let words = derived.expression.text.split(whereSeparator: \.isWhitespace)
            return "derived: " + words.joined(separator: " ")
        }
        return isLacking(column)
            ? "the layout \(file.layout) does not have it" : "the export left it blank"
    }

    /// Why the cost is not known.
    var costReason: String {
        isLacking((pipeline.kpis.costField ?? "") + "_cents")
            ? "the layout \(file.layout) does not have it" : "blank"
    }

    /// Whether no field of the file's layout fills a column.
    private func isLacking(_ column: String) -> Bool {
        let source = pipeline.sources.first { $0.name == file.source }
        guard let layout = source?.layouts.first(where: { $0.name == file.layout }) else {
            return false
        }
        return !layout.fields.contains { Self.columns(of: $0).contains(column) }
    }

    /// The columns of a field that rules can name.
    private static func columns(of field: FieldDefinition) -> [String] {
        let stored = field.shapeColumns.map(\.name)
        guard field.type == .timestamp else { return stored }
        return stored + [ShapeColumn.dateName(ofTimestamp: field.name)]
    }
}
