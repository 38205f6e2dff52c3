import TripDomain
import TripPipeline
import TripRules

/// What a plan and a difference do not show: they count trips and costs, and an edit may move what
/// a pipeline declares beside these without moving any trip.
enum MeasureNote {
    /// The parts of a pipeline that decide what its measures read.
    private static let parts: Set = ["fields", "derived", "lookups", "kpis.measures"]

    /// The note on some edits.
    ///
    /// - Parameters:
    ///   - edited: The parts of the pipeline that are edited.
    ///   - files: The reference files that are edited.
    ///   - pipeline: The pipeline after the edits.
    /// - Returns: One sentence that names the measures; nil where none is declared, or none can
    ///   change without the trips.
    static func text(
        _ edited: some Sequence<String>,
        files: some Sequence<String>,
        of pipeline: PipelineDefinition
    ) -> String? {
        let measures = pipeline.kpis.measures.map(\.measure.name)
        let read = Set(pipeline.lookups.map { ByteText($0.file) })
        let isTouched =
            !parts.isDisjoint(with: edited) || files.contains { read.contains(ByteText($0)) }
        guard !measures.isEmpty, isTouched else { return nil }
        return "Declared measures are not compared: \(measures.joined(separator: ", ")) may "
            + "change; compare `triptych kpi` before and after"
    }
}
