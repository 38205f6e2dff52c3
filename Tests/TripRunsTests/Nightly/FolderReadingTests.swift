import Testing
import TripDomain
import TripMart

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// A folder in the middle of an edit does not stop a run.
@Suite struct FolderReadingTests {
    /// An edit that makes a folder unusable, and the expected message.
    struct Edit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let names: String
        var sites: String? = FolderReadingTests.sites
    }

    static let sites = "visn,name\n08,South\n"

    static let pipeline =
        RunPipeline.text() + "\nlookups:\n  site: {file: sites.csv, match: {region: visn}}\n"

    static let edits = [
        Edit(
            testDescription: "a YAML error",
            text: pipeline + "kpis: {cost: cost\n",
            names: "pipeline.yaml:"
        ),
        Edit(
            testDescription: "an unknown key",
            text: pipeline + "kpi: {cost: cost}\n",
            names: "unknown key"
        ),
        Edit(
            testDescription: "a rule that cannot be compiled",
            text: pipeline.replacing("owner = 'VA'", with: "ownr = 'VA'"),
            names: "ownr"
        ),
        Edit(
            testDescription: "a rule that fails its own example",
            text: pipeline.replacing(
                "    because: The vehicle belongs to VA.",
                with: "    because: The vehicle belongs to VA.\n"
                    + "    examples: [{owner: VENDOR}]"
            ),
            names: "example 1 of `decides` of `own` is decided by the rule `vendor`"
        ),
        Edit(
            testDescription: "a check that cannot be compiled",
            text: pipeline + "checks:\n  - {id: few, error_if: recrods < 1}\n",
            names: "recrods"
        ),
        Edit(
            testDescription: "a deleted reference file",
            text: pipeline,
            names: "sites.csv",
            sites: nil
        ),
        Edit(
            testDescription: "a broken reference file",
            text: pipeline,
            names: "sites.csv",
            sites: "visn,name\n08,South\n08,Double\n"
        ),
        Edit(
            testDescription: "a reference file that is named and not there",
            text: pipeline.replacing("sites.csv", with: "places.csv"),
            names: "places.csv"
        ),
    ]

    private func published(_ policy: String = "hold") throws -> RunFolder {
        let folder = try RunFolder()
        let changes = "\nchanges: {rules: \(policy), reference: \(policy)}\n"
        try folder.write("pipeline/pipeline.yaml", Self.pipeline + changes)
        try folder.write("reference/sites.csv", Self.sites)
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        try folder.write("in/trips_2.csv", RunPipeline.header + RunPipeline.line(2))
        return folder
    }

    private func make(_ edit: Edit, in folder: RunFolder) throws {
        try folder.write("pipeline/pipeline.yaml", edit.text)
        try folder.remove("reference/sites.csv")
        if let sites = edit.sites { try folder.write("reference/sites.csv", sites) }
    }

    @Test(arguments: edits, ["hold", "apply"])
    func theRunGoesOnWithThePublishedInputs(edit: Edit, policy: String) throws {
        let folder = try published(policy)
        try make(edit, in: folder)
        let report = try folder.run()
        #expect(report.outcome == .published)
        #expect(report.trips == 2)
        #expect(report.latestMonth?.sums.inHouseTrips == 2)
        #expect(report.status == .publishedWithWarnings)
        let faults = report.held.filter { $0.contains("has a fault") }
        #expect(faults.count == 1)
        #expect(faults.first?.contains(edit.names) == true, "\(report.held)")
    }

    @Test(arguments: edits)
    func aRunWithoutNewFilesReportsItToo(edit: Edit) throws {
        let folder = try published()
        try folder.run()
        try make(edit, in: folder)
        let report = try folder.run()
        #expect(report.outcome == .nothingDue)
        #expect(report.status == .publishedWithWarnings)
    }

    @Test(arguments: edits, [true, false])
    func explicitUseOfAFaultyFolderIsAnError(edit: Edit, isFull: Bool) throws {
        let folder = try published()
        try make(edit, in: folder)
        let error = #expect(throws: (any Error).self) {
            try folder.run {
                $0.isFull = isFull
                $0.appliesChanges = !isFull || edit.text == Self.pipeline
            }
        }
        #expect(error.map { Failure($0).status } == .badPipeline)
    }

    @Test(arguments: edits)
    func inAFirstRunAFaultyFolderIsAnError(edit: Edit) throws {
        let folder = try RunFolder()
        try folder.write("reference/sites.csv", Self.sites)
        try make(edit, in: folder)
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        let error = #expect(throws: (any Error).self) { try folder.run() }
        #expect(error.map { Failure($0).status } == .badPipeline)
    }

    @Test func aMissingFolderIsAWrongArgument() throws {
        let folder = try published()
        for adjust: (inout RunOptions) -> Void in [
            { $0.pipelinePath += "s" }, { $0.referencePath += "s" },
        ] {
            let error = #expect(throws: RunError.self) { try folder.run(adjust) }
            #expect(error?.code == .badPipeline)
            #expect(error?.remedies.first?.contains("Did you mean `") == true)
        }
    }

    @Test func theUnreadableFolderOfAnotherPipelineIsRefused() throws {
        let folder = try published()
        try folder.write(
            "pipeline/pipeline.yaml",
            Self.edits[0].text.replacing("pipeline: mine", with: "pipeline: theirs")
        )
        let error = #expect(throws: RunError.self) { try folder.run() }
        #expect(error?.what.contains("theirs") == true)
    }

    @Test func aCorrectedCheckTakesEffectInTheNextRun() throws {
        let folder = try published()
        try make(Self.edits[3], in: folder)
        try folder.run()
        try folder.write("pipeline/pipeline.yaml", Self.pipeline)
        try folder.write("in/trips_3.csv", RunPipeline.header + RunPipeline.line(3))
        let report = try folder.run()
        #expect(report.held.isEmpty)
        #expect(report.status == .published)
    }
}
