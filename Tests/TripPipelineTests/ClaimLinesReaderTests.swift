import TestSupport
import Testing
import TripDomain
import TripEngine

@testable import TripPipeline

@Suite struct ClaimLinesReaderTests {
    static let lines = """
            lines:
              claim: [payer, claim]
              line: line
              kind: level
              base: [BLS, ALS]
              mileage: MI
              same: pickup_at
              add: {cost: all, miles: [mileage, ancillary], charge: base}
              frequency: {field: frequency, original: ["1"], replacement: ["7"], void: ["8"]}
              replaces: [payer, replaced]

        """

    static let fields = """
          payer: Payer
          claim: Claim
          line: Line
          level: Level
          frequency: Frequency
          replaced: Replaced
          miles: Units
          charge: {from: Charge, type: money}

        """

    private func text(_ lines: String = lines) -> String {
        MinimalPipeline.text
            .replacing(
                "  trips: {files: \"*.csv*\"}\n",
                with: "  trips:\n    files: \"*.csv\"\n" + lines
            )
            .replacing("  owner: Vehicle Owner", with: Self.fields + "  owner: Vehicle Owner")
    }

    private func read(_ text: String) throws -> PipelineDefinition {
        try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))])
    }

    @Test func eachKeyIsRead() throws {
        let lines = try #require(try read(text()).sources[0].lines)
        #expect(lines.claim == ["payer", "claim"] && lines.line == "line" && lines.kind == "level")
        #expect(lines.kinds == ["BLS": .base, "ALS": .base, "MI": .mileage])
        #expect(lines.shared == ["pickup_at"] && lines.replaced == ["payer", "replaced"])
        #expect(
            lines.sums == [
                ClaimLineDefinition.Sum(field: "cost", kinds: [.base, .mileage, .ancillary]),
                ClaimLineDefinition.Sum(field: "miles", kinds: [.mileage, .ancillary]),
                ClaimLineDefinition.Sum(field: "charge", kinds: [.base]),
            ]
        )
        #expect(lines.frequency?.values == ["1": .original, "7": .replacement, "8": .void])
    }

    private func message(_ text: String) -> String? {
        let faults = PipelineReader.examine(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))]
        ).faults
        return faults.faults.first?.message
    }

    @Test(arguments: [
        ("mileage: MI", "mileage: A04*"), ("base: [BLS, ALS]", "base: [BLS, \"A?S\"]"),
    ])
    func aPatternOfCodesIsAFault(find: String, replacement: String) throws {
        let found = try #require(message(text(Self.lines.replacing(find, with: replacement))))
        #expect(found.contains("texts are compared as written, patterns are not read here"))
    }

    @Test func linesSayWhichClaimsAreVoidsOrThatNothingDoes() throws {
        let keys = Self.lines.split(separator: "\n")
        let key = try #require(keys.first { $0.contains("frequency:") })
        let silent = try read(text(Self.lines.replacing(key, with: "")))
        #expect(silent.sources[0].lines?.frequency == nil)
        #expect(silent.sources[0].silentLinesPosition?.line == 9)
        let without = try read(text(Self.lines.replacing(key, with: "      frequency: null")))
        #expect(without.sources[0].lines == silent.sources[0].lines)
        #expect(without.sources[0].silentLinesPosition == nil)
        #expect(try read(text()).sources[0].silentLinesPosition == nil)
        #expect(DecisionText.differences(silent, without) == [])
    }

    @Test func aSourceWithoutLinesDecidesAsBefore() throws {
        let plain = try read(MinimalPipeline.text)
        #expect(plain.sources[0].lines == nil)
        let sources = DecisionText.parts(of: plain).first { $0.name == "sources" }
        #expect(sources?.text.contains("lines") == false)
    }

    @Test(arguments: [
        ("base: [BLS, ALS]", "base: [BLS]"), ("mileage: MI", "ancillary: MI"),
        ("same: pickup_at", "same: [pickup_at, payer]"), ("charge: base", "charge: all"),
        ("void: [\"8\"]", "void: [\"8\", \"9\"]"), ("line: line", "line: claim"),
        ("replaces: [payer, replaced]", "replaces: [payer, claim]"),
    ])
    func anEditOfLinesIsAnEditOfTheSources(find: String, replacement: String) throws {
        let (old, new) = (text(), text(Self.lines.replacing(find, with: replacement)))
        let differences = DecisionText.differences(try read(old), try read(new))
        #expect(differences == ["sources"])
    }
}
