import Testing
import TripDomain

@testable import TripEngine
@testable import TripPipeline
@testable import TripRuns

/// Lines of claims that `init` finds: the key `lines` as it is written, and what is asked.
@Suite struct ClaimLinesTests {
    private let folder: RunFolder

    init() throws {
        folder = try RunFolder()
    }

    private func drafted(
        _ lines: [String]
    ) throws -> (report: InitReport, pipeline: PipelineDefinition) {
        try folder.write("in/claims.csv", lines.joined(separator: "\n") + "\n")
        let report = try InitWork(
            paths: [folder.path + "/in/claims.csv"],
            folder: folder.path + "/draft",
            name: nil,
            now: 1_793_513_640,
            threadCount: 1
        ).perform()
        return (report, try PipelineReader.read(path: folder.path + "/draft"))
    }

    /// Ten claims of a base and a mileage line; the third is replaced, the fourth voided.
    private func claims(
        _ header: String,
        original: String,
        replacement: String,
        void: String
    )
        -> [String]
    {
        func lines(_ claim: Int, _ frequency: String, of other: String, _ paid: Int) -> [String] {
            [
                "C\(claim),\(frequency),\(other),1,202609\(claim + 10),A0429,RH,1,\(paid).00",
                "C\(claim),\(frequency),\(other),2,202609\(claim + 10),A0425,RH,12.5,40.00",
            ]
        }
        return [header] + (1...10).flatMap { lines($0, original, of: "", 200) }
            + lines(11, replacement, of: "C3", 250) + lines(12, void, of: "C4", 200)
    }

    private func question(_ name: String, _ report: InitReport) -> String? {
        report.questions.first { $0.name == name }?.text
    }

    @Test(arguments: [
        (
            "claim_control,frequency,original_ref,line,service_date,hcpcs,mod_1,units,paid",
            "1", "7", "8", "1 is the original, 6 and 7 replace one and 8 voids one"
        ),
        (
            "CLM_CNTL_NUM,CLM_ADJSMT_TYPE_CD,ORIG_CLM_NUM,CLM_LINE_NUM,CLM_LINE_FROM_DT,"
                + "CLM_LINE_HCPCS_CD,HCPCS_1_MDFR_CD,CLM_LINE_SRVC_UNIT_QTY,CLM_LINE_CVRD_PD_AMT",
            "0", "2", "1", "0 is the original, 2 replaces one and 1 voids one"
        ),
    ])
    func linesAreJoinedByTheNamesOfTheirColumns(
        header: String,
        original: String,
        replacement: String,
        void: String,
        words: String
    ) throws {
        let text = claims(header, original: original, replacement: replacement, void: void)
        let (report, pipeline) = try drafted(text)
        let lines = try #require(pipeline.sources[0].lines)
        #expect(lines.claim == ["claim"] && lines.line == "line" && lines.kind == "trip_type")
        #expect(lines.shared == ["pickup_at", "trip_modifier"])
        #expect(lines.replaced == ["replaced_claim"])
        #expect(lines.frequency?.values[original] == .original)
        #expect(lines.frequency?.values[replacement] == .replacement)
        #expect(lines.frequency?.values[void] == .void)
        let frequency = try #require(question("frequency", report))
        #expect(frequency.contains("\(original) in 20 records, "), "\(frequency)")
        #expect(frequency.hasSuffix("look whether " + words), "\(frequency)")
        // No amount is in an id, and no place of a record.
        let tripID = try #require(report.decisions.first { $0.field == "trip_id" })
        let columns = header.split(separator: ",")
        #expect(tripID.source == "`\(columns[0])` + `\(columns[3])`")
        #expect(question("trip_id", report) == nil)
        // Ten trips, one replaced by another number, one voided.
        guard case .done(let run) = report.trial else {
            Issue.record("the trial did not run: \(report.questions)")
            return
        }
        #expect(run.trips == 9)
        let sums = run.months.values.reduce(into: KPISums()) { $0 += $1 }
        #expect(sums.costs.costCents == (8 * 240 + 290) * 100)
        #expect(report.status == .publishedWithWarnings)
    }

    @Test func withoutAColumnForItTheFrequencyIsLeftOut() throws {
        let text = claims(
            "claim_control,paid_by,original_ref,line,service_date,hcpcs,mod_1,units,paid",
            original: "x",
            replacement: "y",
            void: "z"
        )
        let (report, pipeline) = try drafted(text)
        #expect(pipeline.sources[0].lines?.frequency == nil)
        #expect(question("frequency", report) == nil)
        // So `check` still says that nothing tells replacements.
        #expect(pipeline.sources[0].silentLinesPosition != nil)
    }

    @Test func withoutANumberOfTheLineTheKeyIsToBeCompleted() throws {
        let (report, pipeline) = try drafted(
            ["claim_control,service_date,hcpcs,paid"]
                + (1...20).flatMap { claim in
                    ["A0429", "A0425"].map { "C\(claim),2026-09-11,\($0),\(claim).25" }
                }
        )
        #expect(pipeline.sources[0].lines == nil)
        let lines = try #require(question("lines", report))
        #expect(lines.contains("complete `lines`, which stands there as a comment"), "\(lines)")
        #expect(question("trip_id", report)?.contains("source_position") != true)
    }

    @Test func otherCodesAreNamedWithTheirRecords() throws {
        let text = claims(
            "claim_control,frequency,original_ref,line,service_date,hcpcs,mod_1,units,paid",
            original: "1",
            replacement: "7",
            void: "8"
        )
        let (report, pipeline) = try drafted(text + ["C1,1,,3,20260911,99283,RH,1,12.00"])
        #expect(pipeline.sources[0].lines?.kinds["99283"] == nil)
        let lines = try #require(question("lines", report))
        #expect(lines.contains("1 record has another code, 99283, and is rejected"), "\(lines)")
    }
}
