import Testing

@testable import TripRuns

@Suite struct CommandWordsTests {
    private static func options(
        pipeline: String = "p",
        mart: String = "data/mart",
        input: String = "data/landing",
        reference: String = "data/reference"
    ) -> RunOptions {
        RunOptions(
            pipelinePath: pipeline,
            martPath: mart,
            inputPath: input,
            referencePath: reference,
            now: 0
        )
    }

    @Test func theUsualFoldersNeedNoFlag() {
        #expect(Self.options().martFlags == "")
        #expect(Self.options().runWords == "p")
        #expect(Self.options().planWords("x.plan") == "--plan x.plan")
    }

    @Test func everyOtherFolderHasItsFlag() {
        var options = Self.options(mart: "a mart", input: "in", reference: "ref")
        options.keyPath = "key"
        #expect(options.martFlags == " --mart 'a mart' --key-file key")
        #expect(options.pipelineWords == "p --mart 'a mart' --key-file key --reference ref")
        #expect(options.runWords == options.pipelineWords + " --input in")
        #expect(options.planWords("x.plan") == "--plan x.plan --mart 'a mart' --key-file key")
    }

    /// A command that reads no exports does not know their folder, and must not name another one.
    @Test func whatIsNotKnownStandsInCapitals() {
        #expect(Self.options(pipeline: "", input: "").runWords == "PIPELINE --input DIR")
    }

    @Test func aRunIsRepeatedWithAllThatWasAskedOfIt() {
        var options = Self.options(mart: "m")
        options.isFull = true
        options.appliesChanges = true
        options.skippedFiles = ["a.csv", "-b.csv"]
        options.acceptedFiles = ["c.csv"]
        #expect(
            options.againWords
                == "p --mart m --full --apply-changes --skip a.csv --skip=-b.csv "
                + "--accept-smaller c.csv"
        )
    }
}
