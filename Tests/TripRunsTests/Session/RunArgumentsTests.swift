import Glibc
import TestSupport
import Testing

@testable import TripMart
@testable import TripPipeline
@testable import TripRuns

/// A word of the command line that is wrong is refused before anything is listed as a run.
@Suite struct RunArgumentsTests {
    private static func night() throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        return folder
    }

    private static func refusal(
        _ folder: RunFolder,
        _ adjust: (inout RunOptions) -> Void
    ) -> RunError? {
        #expect(throws: RunError.self) { try RunArguments.check(folder.options(adjust)) }
    }

    @Test func aPartOfAPipelineIsNoPipeline() throws {
        let folder = try Self.night()
        try folder.write("pipeline/rules.yaml", "# pipeline rules\n- id: own\n")
        let path = folder.path + "/pipeline"
        let error = Self.refusal(folder) { $0.pipelinePath = path + "/rules.yaml" }
        #expect(error?.code == .badPipeline)
        #expect(error?.remedies == ["Name the pipeline's folder: \(path)"])
        try folder.write("pipeline/notes.md", "pipeline: x\n")
        let file = Self.refusal(folder) { $0.pipelinePath = path + "/notes.md" }
        #expect(file?.what.contains("is a file whose name does not end in .yaml") == true)
        // Another pipeline may lie beside it, and a file that is being written is empty.
        try folder.write("pipeline/other.yaml", "sources: {}\n'pipeline' : other\n")
        try folder.write("pipeline/empty.yaml", "")
        for name in ["other.yaml", "empty.yaml"] {
            try RunArguments.check(folder.options { $0.pipelinePath = path + "/" + name })
        }
    }

    @Test func aFolderWithNoneOfSeveralReferenceFilesIsTheWrongOne() throws {
        let folder = try Self.night()
        let names = ["sites.csv", "vehicles.csv"]
        let path = folder.path + "/reference"
        func require(_ names: [String]) throws {
            try RunArguments.requireReferences(names, path, mayBeEmpty: true)
        }
        let error = #expect(throws: RunError.self) { try require(names) }
        #expect(error?.summary == "no reference files")
        // One file that was removed is an edit.
        try require([names[0]])
        try folder.write("reference/sites.csv", "visn,name\n")
        try require(names)
    }

    @Test func aFolderThatIsAlmostNamedIsATypingError() throws {
        let folder = try Self.night()
        try folder.write("landing/trips_1.csv", RunPipeline.header)
        let error = Self.refusal(folder) { $0.inputPath = folder.path + "/landin" }
        #expect(error?.code == .noUsableInput)
        #expect(error?.remedies.first == "Did you mean `\(folder.path)/landing`?")
        // A disk that is not mounted belongs on record.
        try RunArguments.check(folder.options { $0.inputPath = folder.path + "/exports" })
    }

    @Test func aKeyFileThatIsNotThereIsATypingErrorWhereTheMartsOwnIs() throws {
        let folder = try Self.night()
        func check() throws {
            try RunArguments.check(folder.options { $0.keyPath = folder.path + "/elsewhere.key" })
        }
        // The first run makes the key.
        try check()
        try folder.run()
        let error = #expect(throws: RunError.self) { try check() }
        #expect(error?.remedies.first == "Did you mean `\(folder.path)/mart.key`?")
        // A key that was lost belongs on record.
        try folder.remove("mart.key")
        try check()
    }

    @Test func aMartOfAnotherPipelineAndAFileAreNoMart() throws {
        let folder = try Self.night()
        try folder.run()
        let other = RunPipeline.text().replacing("pipeline: mine", with: "pipeline: other")
        try folder.write("other/pipeline.yaml", other)
        let error = Self.refusal(folder) { $0.pipelinePath = folder.path + "/other" }
        #expect(error?.summary == "the mart belongs to another pipeline")
        let file = #expect(throws: MartError.self) {
            try RunArguments.check(
                folder.options { $0.martPath = folder.path + "/in/trips_1.csv" }
            )
        }
        #expect(file?.code == .notAFolder)
    }

    /// Root may read every file; what the others see is tested where tests run as another account.
    @Test(.enabled(if: geteuid() != 0))
    func aPermissionIsNoFaultOfThePipeline() throws {
        let folder = try Self.night()
        try folder.run()
        let path = folder.path + "/pipeline/pipeline.yaml"
        #expect(chmod(path, 0) == 0)
        let report = try folder.run()
        #expect(report.held.count == 1)
        #expect(report.held.first?.contains("the pipeline cannot be read") == true)
        let error = #expect(throws: PipelineFaults.self) { try folder.run { $0.isFull = true } }
        #expect(error?.isOfSystem == true)
        let key = folder.path + "/mart.key"
        #expect(chmod(key, 0) == 0)
        let denied = #expect(throws: MartError.self) {
            _ = try MartKeys.open(keyFile: key, for: MartFolder(path: folder.path + "/mart"))
        }
        #expect(denied?.code == .keyUnreadable)
        #expect(denied?.remedy.contains(FileText.systemMessage(EACCES)) == true)
    }

    @Test func aFailureNamesAPermissionAsOne() {
        func failure(_ isOfSystem: [Bool]) -> Failure {
            Failure(
                PipelineFaults(
                    faults: isOfSystem.map {
                        PipelineFault(file: "rules.yaml", message: "x", isOfSystem: $0)
                    }
                )
            )
        }
        #expect(failure([true]).summary == "a file of the pipeline cannot be read")
        #expect(failure([true, true]).summary == "2 files of the pipeline cannot be read")
        #expect(failure([true, false]).summary == "the pipeline has 2 faults")
        #expect(failure([true]).status == failure([false]).status)
        #expect(!failure([true]).remedies.joined().contains("Correct"))
        #expect(FileText.isOfPermission(EACCES) && !FileText.isOfPermission(ENOENT))
    }
}
