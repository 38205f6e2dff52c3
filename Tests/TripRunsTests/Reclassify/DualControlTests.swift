import Testing
import TripDomain
import TripMart
import TripReports

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// Where a pipeline requires a second person, no single person publishes edits.
@Suite struct DualControlTests {
    private static let rule = "changes: {rules: hold, reference: hold}"

    /// A mart whose pipeline requires a second person, with an edit to be published.
    private static func folder(seed: UInt64) throws -> ChangeFolder {
        let folder = try ChangeFolder(seed: seed, trips: 100)
        try ask(folder)
        try folder.night.run {
            $0.appliesChanges = true
            $0.approvedBy = "reviewer"
            $0.madeBy = "analyst"
        }
        try SampleEdit.basis.make(folder)
        return folder
    }

    private static func ask(_ folder: ChangeFolder) throws {
        try folder.replace(
            "pipeline/pipeline.yaml",
            rule,
            "changes: {rules: hold, reference: hold, approval: second_person}"
        )
    }

    private static func reclassify(
        _ folder: ChangeFolder,
        isPlanned: Bool,
        by approver: String?
    ) throws -> RunReport {
        var plan: ApprovedPlan?
        let options = folder.night.options {
            $0.madeBy = "Analyst"
            $0.approvedBy = approver
        }
        let progress = Progress()
        if isPlanned {
            let answer = try Planning(options: options, progress: progress)
                .answer(isSaved: true)
            #expect(PlanScreen(answer).text(.table, on: .usual).contains("--approved-by NAME"))
            plan = try ApprovedPlan.open(answer.id, martPath: options.martPath)
        }
        return try Reclassification(options: options, plan: plan, progress: progress).perform()
    }

    private static func expectWithheld(_ body: () throws -> RunReport) {
        let error = #expect(throws: RunError.self) { try body() }
        #expect(error.map { Failure($0).status } == .withheld)
    }

    @Test(arguments: [nil, "analyst", " ANALYST ", "Analyst"])
    func authorsCannotApproveTheirOwnEdits(approver: String?) throws {
        let folder = try Self.folder(seed: 51)
        Self.expectWithheld {
            try Self.reclassify(folder, isPlanned: true, by: approver)
        }
        Self.expectWithheld {
            try folder.night.run {
                $0.appliesChanges = true
                $0.madeBy = "analyst"
                $0.approvedBy = approver
            }
        }
        #expect(try folder.served.header.number == 2)
        // A run without the edit needs no approval, and neither does a dry run with it.
        #expect(try folder.night.run { $0.isFull = true }.outcome == .published)
        let dry = try folder.night.run {
            $0.appliesChanges = true
            $0.isDryRun = true
        }
        #expect(dry.outcome == .dryRun)
    }

    @Test func aSecondPersonApprovesEdits() throws {
        let folder = try Self.folder(seed: 52)
        // It needs a plan that both have seen.
        Self.expectWithheld { try Self.reclassify(folder, isPlanned: false, by: "reviewer") }
        #expect(try Self.reclassify(folder, isPlanned: true, by: "reviewer").generation == 3)
    }

    /// The rule belongs to the pipeline: an edit that removes it needs the approval once more.
    @Test func removingTheRuleNeedsApproval() throws {
        let folder = try Self.folder(seed: 53)
        try folder.replace("pipeline/pipeline.yaml", ", approval: second_person", "")
        Self.expectWithheld { try Self.reclassify(folder, isPlanned: false, by: nil) }
        // Every later run holds the edit.
        for _ in 0..<2 {
            let report = try folder.night.run { $0.isFull = true }
            #expect(report.held.contains { $0.contains("changes") })
        }
        Self.expectWithheld { try Self.reclassify(folder, isPlanned: false, by: nil) }
        let report = try folder.night.run {
            $0.appliesChanges = true
            $0.madeBy = "analyst"
            $0.approvedBy = "reviewer"
        }
        #expect(report.outcome == .published)
        try SampleEdit.counting.make(folder)
        #expect(try Self.reclassify(folder, isPlanned: false, by: nil).outcome == .published)
    }

    /// A person who plans the same edits once more does not become their author.
    @Test func planningAgainDoesNotChangeTheAuthor() throws {
        let folder = try Self.folder(seed: 55)
        var (id, texts) = ("", Set<String>())
        for name in ["analyst", "reviewer"] {
            let options = folder.night.options { $0.madeBy = name }
            let answer = try Planning(options: options, progress: Progress())
                .answer(isSaved: true)
            id = answer.id
            texts.insert(PlanScreen(answer).text(.json, on: .usual))
        }
        #expect(texts.count == 1)
        let plan = try ApprovedPlan.open(id, martPath: folder.options.martPath)
        #expect(plan.binding?.madeBy == "analyst")
        func publish(_ approver: String) throws -> RunReport {
            try Reclassification(
                options: folder.night.options { $0.approvedBy = approver },
                plan: plan,
                progress: Progress()
            ).perform()
        }
        Self.expectWithheld { try publish("analyst") }
        #expect(try publish("reviewer").generation == 3)
    }

    /// Where the folder's policy holds edits, they are not published by the older policy.
    @Test func aPolicyThatBecomesStricterHoldsAtOnce() throws {
        let folder = try ChangeFolder(seed: 56, trips: 100)
        let open = "changes: {rules: apply, reference: apply}"
        try folder.replace("pipeline/pipeline.yaml", Self.rule, open)
        try folder.night.run { $0.appliesChanges = true }
        try folder.replace(
            "pipeline/pipeline.yaml",
            open,
            "changes: {rules: hold, reference: hold, approval: second_person}"
        )
        try SampleEdit.basis.make(folder)
        try SampleEdit.vehicles.make(folder)
        let report = try folder.night.run { $0.isFull = true }
        #expect(report.held.count == 2, "\(report.held)")
    }

    @Test func aPolicyThatContradictsItselfIsAFault() throws {
        let folder = try ChangeFolder(seed: 54, trips: 50)
        try folder.replace(
            "pipeline/pipeline.yaml",
            Self.rule,
            "changes: {rules: hold, reference: apply, approval: second_person}"
        )
        let error = #expect(throws: PipelineFaults.self) { try FolderReading(folder.options) }
        #expect(error?.faults.first?.message.contains("contradict") == true)
    }
}
