import Testing
import TripEngine

@testable import TripPipeline
@testable import TripRuns

@Suite struct YAMLWordTests {
    /// Texts that YAML would take for something else.
    static let texts = [
        "Trip Number", "a: b", "a #b", "#", "null", "NULL", "~", "true", "No", "007", "528E5", "'",
        "\"", "\\", "a\\nb", "line\nbreak", "tab\there", " blank ", "Größe", "[x]", "{x}", "*.csv",
        "&a", "!b", "%c", "@d", "`e`", "- f", "? g", "|", ">", "a,b", "\u{A0}x", "Y",
    ]

    @Test(arguments: texts)
    func aTextIsReadAsItWasWritten(text: String) throws {
        var lines = MinimalText.lines
        lines.append("  word: {constant: \(YAMLWord.quoted(text))}")
        let pipeline = try PipelineReader.read(
            files: [
                PipelineFile(
                    path: "pipeline.yaml",
                    content: Array((lines.joined(separator: "\n") + "\n").utf8)
                )
            ]
        )
        let field = pipeline.sources[0].layouts[0].fields.first { $0.name == "word" }
        #expect(field?.constant == text)
    }
}

/// The lines of a pipeline, up to its fields.
private enum MinimalText {
    static let lines = [
        "pipeline: mine", "sources:", "  exports: {files: \"*.csv\"}", "fields:",
        "  trip_id: A", "  pickup_at: B", "  region: C", "  trip_type: D",
    ]
}
