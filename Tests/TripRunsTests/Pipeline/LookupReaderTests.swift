import TestSupport
import Testing
import TripDomain

@testable import TripEngine
@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// The keys of a look-up, and the requirements for its file.
@Suite struct LookupReaderTests {
    static let header = "s,from,to,x\n"

    static func trial(_ lookup: String, reference: String) -> PipelineTrial {
        var trial = FieldConsistencyTests.trial([:], more: "lookups:\n  site: {\(lookup)}\n")
        trial.references["r.csv"] = reference
        return trial
    }

    @Test(arguments: [
        ("from", "date"), ("to", "date"), ("to", "integer"), ("s", "integer"), ("s", "money"),
    ])
    func columnsThatALookUpReadsItselfHaveFixedTypes(column: String, type: String) throws {
        let trial = Self.trial(
            "file: r.csv, match: {region: s}, valid_on: pickup_date, types: {\(column): \(type)}",
            reference: Self.header + "08,,,1\n"
        )
        let fault = try #require(try trial.fault)
        #expect(fault.file == "pipeline.yaml" && fault.line == 10)
        #expect(fault.message.contains("'\(column)'") && fault.message.contains(type))
        #expect(fault.suggestion.contains("from `types`"))
    }

    @Test(arguments: [
        "../r.csv", "a/../../r.csv", "/etc/passwd", "..", "/\u{301}r.csv", "..//r.csv",
    ])
    func aFileOutsideTheReferenceFolderIsRefused(path: String) throws {
        for part in [
            "lookups:\n  site: {file: \"\(path)\", match: {region: s}}\n",
            "dimensions:\n  region: {file: \"\(path)\", value: s, label: x}\n",
        ] {
            let text = MinimalPipeline.text + "\n" + part
            let folder = try RunFolder()
            try folder.write("pipeline/pipeline.yaml", text)
            let faults = #expect(throws: PipelineFaults.self) {
                try PipelineReader.read(path: folder.path + "/pipeline")
            }
            let fault = faults?.faults.first
            #expect(fault?.file == "pipeline.yaml" && fault?.line == 24)
            #expect(fault?.message.contains("leads out of the reference folder") == true)
            // A generation that stores the rows of such a file can still be read.
            let file = PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))
            #expect(try PipelineReader.read(files: [file]).referenceFileNames == [path])
        }
    }

    @Test(arguments: [
        ("s,x\n08,1\n", "", "lacks the columns 'from' and 'to'"),
        ("s,from,x\n08,,1\n", "", "lacks the column 'to'"),
        ("s,from,to\n08,,\n", ", from: since", "lacks the column 'since'"),
    ])
    func aDatedLookUpNeedsItsDays(reference: String, more: String, words: String) throws {
        let trial = Self.trial(
            "file: r.csv, match: {region: s}, valid_on: pickup_date\(more)",
            reference: reference
        )
        let fault = try #require(try trial.fault)
        #expect(fault.file == "r.csv" && fault.line == 1)
        #expect(fault.message.contains(words), "\(fault)")
        let header = reference.split(separator: "\n")[0].split(separator: ",")
        #expect(fault.message.contains("the header has " + header.joined(separator: ", ")))
    }

    @Test func validityColumnsWithoutValidOnAreAFault() throws {
        let trial = Self.trial(
            "file: r.csv, match: {region: s}, from: since",
            reference: "s,since\n08,\n"
        )
        let fault = try #require(try trial.fault)
        #expect(fault.line == 10 && fault.message.contains("no `valid_on`"))
    }

    @Test(arguments: [("", true), (", valid_on: null", false), (", valid_on: pickup_date", false)])
    func unusedValidityColumnsAreAWarning(more: String, warns: Bool) throws {
        let trial = Self.trial(
            "file: r.csv, match: {region: s}\(more)",
            reference: Self.header + "08,,,1\n"
        )
        let text = try #require(try trial.findings)
        #expect(text.contains("warning  pipeline.yaml:10: the lookup `site`") == warns)
        #expect(text.contains("0 faults"))
    }

    @Test func otherColumnsHaveTheTypeThatIsDeclared() throws {
        let trial = Self.trial(
            "file: r.csv, match: {region: s}, valid_on: pickup_date, types: {x: integer, to: text}",
            reference: Self.header + "08,,,1\n"
        )
        #expect(try trial.fault == nil)
    }
}
