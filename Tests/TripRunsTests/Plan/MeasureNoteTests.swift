import TestSupport
import Testing
import TripPipeline

@testable import TripRuns

@Suite struct MeasureNoteTests {
    private static func pipeline(_ kpis: String) throws -> PipelineDefinition {
        let text = MinimalPipeline.text + "\nkpis: {\(kpis)}\n"
        return try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))]
        )
    }

    private static let declared = "measures: {paid: {sum: cost}, middle: {median: cost}}"

    @Test(
        arguments: [
            (["kpis.measures"], true), (["goal", "derived"], true), (["lookups"], true),
            (["fields"], true), (["rules"], false), (["kpis.dimensions"], false), ([], false),
        ] as [([String], Bool)]
    )
    func whatMeasuresReadIsNamed(parts: [String], isTouched: Bool) throws {
        let note = MeasureNote.text(parts, files: [String](), of: try Self.pipeline(Self.declared))
        #expect(
            note
                == (isTouched
                    ? "Declared measures are not compared: paid, middle may change; compare "
                        + "`triptych kpi` before and after" : nil)
        )
    }

    /// A file that no look-up reads has labels at most.
    @Test func aFileWithoutALookUpChangesNoMeasure() throws {
        let pipeline = try Self.pipeline(Self.declared)
        #expect(MeasureNote.text([String](), files: ["labels.csv"], of: pipeline) == nil)
    }

    @Test func withoutMeasuresNothingIsSaid() throws {
        let pipeline = try Self.pipeline("suppress_below: 11")
        #expect(MeasureNote.text(["kpis.measures"], files: [String](), of: pipeline) == nil)
    }
}
