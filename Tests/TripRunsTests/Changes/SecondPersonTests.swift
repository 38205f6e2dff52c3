import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// Where a pipeline asks for a second person, nobody publishes edits alone.
@Suite struct SecondPersonTests {
    private static let rule = "changes: {rules: hold, reference: hold}"

    /// A mart whose pipeline asks for a second person, with an edit to be published.
    private static func folder(seed: UInt64) throws -> ChangeFolder {
        let folder = try ChangeFolder(seed: seed, trips: 100)
        try ask(folder)
        try folder.night.run {
            $0.appliesChanges = true
            $0.approvedBy = "reviewer"
            $0.madeBy = "analyst"
        }
        try MadeEdit.basis.make(folder)
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
    ) throws -> NightReport {
        var plan: AgreedPlan?
        let options = folder.night.options {
            $0.madeBy = "Analyst"
            $0.approvedBy = approver
        }
        let progress = Progress(isShown: false)
        if isPlanned {
            let answer = try Planning(options: options, progress: progress)
                .answer(.table, isSaved: true)
            #expect(answer.text.contains("--approved-by NAME"))
            plan = try AgreedPlan.open(answer.id, martPath: options.martPath)
        }
        return try Reclassification(options: options, plan: plan, progress: progress).perform()
    }

    private static func expectWithheld(_ body: () throws -> NightReport) {
        let error = #expect(throws: RunError.self) { try body() }
        #expect(error.map { Failure($0).status } == .withheld)
    }

    @Test(arguments: [nil, "analyst", " ANALYST ", "Analyst"])
    func nobodyApprovesOfTheirOwnEdits(approver: String?) throws {
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
        // A night without the edit needs nobody, and neither does looking at one with it.
        #expect(try folder.night.run { $0.isFull = true }.outcome == .published)
        let dry = try folder.night.run {
            $0.appliesChanges = true
            $0.isDryRun = true
        }
        #expect(dry.outcome == .dryRun)
    }

    @Test func somebodyElseDoes() throws {
        let folder = try Self.folder(seed: 52)
        // Not without a plan that both have seen.
        Self.expectWithheld { try Self.reclassify(folder, isPlanned: false, by: "reviewer") }
        #expect(try Self.reclassify(folder, isPlanned: true, by: "reviewer").generation == 3)
    }

    /// The rule is itself a rule of the pipeline: whoever takes it away needs it once more.
    @Test func theRuleCannotBeTakenAwayAlone() throws {
        let folder = try Self.folder(seed: 53)
        try folder.replace("pipeline/pipeline.yaml", ", approval: second_person", "")
        Self.expectWithheld { try Self.reclassify(folder, isPlanned: false, by: nil) }
        // Nights hold it, however many pass.
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
        try MadeEdit.counting.make(folder)
        #expect(try Self.reclassify(folder, isPlanned: false, by: nil).outcome == .published)
    }

    /// Whoever plans the same edits once more to look at them does not become their author.
    @Test func lookingAtAPlanMakesNobodyItsAuthor() throws {
        let folder = try Self.folder(seed: 55)
        var (id, texts) = ("", Set<String>())
        for name in ["analyst", "reviewer"] {
            let options = folder.night.options { $0.madeBy = name }
            let answer = try Planning(options: options, progress: Progress(isShown: false))
                .answer(.json, isSaved: true)
            id = answer.id
            texts.insert(answer.text)
        }
        #expect(texts.count == 1)
        let plan = try AgreedPlan.open(id, martPath: folder.options.martPath)
        #expect(plan.binding?.madeBy == "analyst")
        func publish(_ approver: String) throws -> NightReport {
            try Reclassification(
                options: folder.night.options { $0.approvedBy = approver },
                plan: plan,
                progress: Progress(isShown: false)
            ).perform()
        }
        Self.expectWithheld { try publish("analyst") }
        #expect(try publish("reviewer").generation == 3)
    }

    /// Who asks in the folder for edits to be held does not want these to be published.
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
        try MadeEdit.basis.make(folder)
        try MadeEdit.vehicles.make(folder)
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
        let fault = #expect(throws: PipelineFault.self) { try FolderReading(folder.options) }
        #expect(fault?.message.contains("contradict") == true)
    }
}
