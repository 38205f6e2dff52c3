import Foundation
import Testing
import TripDomain
import TripMart
import TripReports

@testable import TripRules
@testable import TripRuns

/// A saved plan is published as it was shown, or not at all.
@Suite struct ApprovedPlanTests {
    /// Saves a plan of the folder's edits.
    private static func saved(
        _ folder: ChangeFolder,
        by author: String = "analyst"
    ) throws -> PlanFile {
        let options = folder.night.options { $0.madeBy = author }
        let answer = try Planning(options: options, progress: Progress())
            .answer(isSaved: true)
        let folder = MartFolder(path: options.martPath)
        return try PlanFile(path: PlanFile.path(named: answer.id, in: folder))
    }

    @discardableResult
    private static func apply(
        _ plan: PlanFile,
        _ folder: ChangeFolder,
        approvedBy: String? = nil
    ) throws -> RunReport {
        try Reclassification(
            options: folder.night.options { $0.approvedBy = approvedBy },
            plan: .saved(plan),
            progress: Progress()
        ).perform()
    }

    private static func expectMismatch(
        _ plan: PlanFile,
        _ folder: ChangeFolder,
        names clause: String
    ) throws {
        let served = try folder.served.header.number
        let error = #expect(throws: RunError.self) { try apply(plan, folder) }
        #expect(error.map { Failure($0).status } == .planMismatch)
        #expect(error?.what.contains(clause) == true, "\(error?.what ?? "")")
        #expect(try folder.served.header.number == served)
    }

    @Test func aPlanIsPublishedAsItWasSaved() throws {
        let folder = try ChangeFolder(seed: 41, trips: 300)
        try SampleEdit.vehicles.make(folder)
        let plan = try Self.saved(folder)
        let report = try Self.apply(plan, folder, approvedBy: "reviewer")
        #expect(report.generation == 2)
        let served = try folder.served
        #expect(try plan.cube() == served.cube())
        #expect(try plan.basisCells() == served.basisCells())
        #expect(plan.binding.inputs == (try served.inputs()))
        #expect(
            try SQLiteDump.query(
                served.file.path,
                "SELECT * FROM meta WHERE key IN ('plan', 'made_by', 'approved_by') ORDER BY key"
            ) == ["approved_by|reviewer", "made_by|analyst", "plan|\(plan.binding.id)"]
        )
        let printed = RunScreens().text(of: report).plan
        #expect(printed.contains("  made by analyst, approved by reviewer"))
        // The generation it was made against is no longer served.
        try Self.expectMismatch(plan, folder, names: "generation 1 was served, and 2 is now")
    }

    @Test func noInputOfAPlanMayChange() throws {
        let folder = try ChangeFolder(seed: 42, trips: 200)
        try SampleEdit.basis.make(folder)
        let plan = try Self.saved(folder)
        for name in ["pipeline/rules.yaml", "pipeline/pipeline.yaml", "reference/stations.csv"] {
            let text = try folder.text(name)
            try folder.night.write(name, text + (name.hasSuffix(".csv") ? "" : "# seen\n") + "\n")
            let file = name.split(separator: "/").last.map(String.init) ?? name
            try Self.expectMismatch(plan, folder, names: "\(file) was edited")
            try folder.night.write(name, text)
        }
        // Files that were edited since may be faulty, need the exports, or be missing: the only
        // message is that the plan no longer holds.
        for (name, old, new) in [
            ("pipeline/layouts/native.yaml", "range: [0, 5000]", "range: [0, 4000]"),
            ("pipeline/rules.yaml", "class:", "clas:"),
        ] {
            let text = try folder.text(name)
            try folder.replace(name, old, new)
            let file = name.hasSuffix("native.yaml") ? "layouts/native.yaml" : "rules.yaml"
            try Self.expectMismatch(plan, folder, names: "\(file) was edited")
            try folder.night.write(name, text)
        }
        let stations = try folder.text("reference/stations.csv")
        try folder.night.remove("reference/stations.csv")
        try Self.expectMismatch(plan, folder, names: "stations.csv is missing")
        try folder.night.write("reference/stations.csv", stations)
        try folder.night.run { $0.isFull = true }
        try Self.expectMismatch(plan, folder, names: "generation 1 was served, and 2 is now")
    }

    /// A plan does not explain trips of another mart, though the generation has the same number.
    @Test func tripsOfAnotherMartAreNotExplained() throws {
        let (folder, other) = (
            try ChangeFolder(seed: 48, trips: 100), try ChangeFolder(seed: 49, trips: 100)
        )
        try SampleEdit.basis.make(folder)
        let id = try Self.saved(folder).binding.id
        let path = MartFolder(path: folder.options.martPath).planPath(id)
        let trip = try #require(other.served.trips(TripFilter(), limit: 1).trips.first).tripID
        let error = #expect(throws: RunError.self) {
            try MartQueries(martPath: other.options.martPath, keyPath: nil)
                .explain(trip, by: .plan(path))
        }
        #expect(error.map { Failure($0).status } == .planMismatch)
    }

    /// The number and the folder are the same, but the trips are others.
    @Test func anotherFileUnderTheSameNumberIsNoticed() throws {
        let (folder, other) = (
            try ChangeFolder(seed: 43, trips: 200), try ChangeFolder(seed: 44, trips: 200)
        )
        try SampleEdit.basis.make(folder)
        let plan = try Self.saved(folder)
        for name in ["mart", "mart.key"] {
            try folder.night.remove(name)
            try FileManager.default.copyItem(
                atPath: other.night.path + "/" + name,
                toPath: folder.night.path + "/" + name
            )
        }
        try Self.expectMismatch(plan, folder, names: "generation 1 has another file than before")
    }

    /// Numbers that this program does not compute are not published as if they had been approved.
    @Test func alteredNumbersAreNoticed() throws {
        let folder = try ChangeFolder(seed: 45, trips: 200)
        try SampleEdit.basis.make(folder)
        let id = try Self.saved(folder).binding.id
        let path = MartFolder(path: folder.options.martPath).planPath(id)
        try SQLiteDump.execute(path, "UPDATE kpi_cube SET trips = trips + 1 WHERE month = 'all'")
        try Self.expectMismatch(
            try PlanFile(path: path),
            folder,
            names: "it now computes other numbers"
        )
    }

    @Test func withoutAnEditNothingIsSaved() throws {
        let folder = try ChangeFolder(seed: 46, trips: 100)
        let options = folder.options
        let answer = try Planning(options: options, progress: Progress())
            .answer(isSaved: true)
        #expect(!answer.hasEdits)
        let plans = try FileManager.default.contentsOfDirectory(atPath: options.martPath + "/plans")
        #expect(plans.isEmpty)
    }

    /// The plan file keeps everything that the screen shortens.
    @Test func theFileHoldsEveryEditAndEveryCell() throws {
        let folder = try ChangeFolder(seed: 47, trips: 500)
        try SampleEdit.vehicles.make(folder)
        let edits = try folder.edits()
        try #require(edits.count > edits.clauses.count)
        let binding = try Self.saved(folder).binding
        let path = MartFolder(path: folder.options.martPath).planPath(binding.id)
        #expect(try SQLiteDump.query(path, "SELECT what FROM edit ORDER BY number") == edits.all)
        #expect(try SQLiteDump.query(path, "PRAGMA integrity_check") == ["ok"])
        let cells = try SQLiteDump.query(
            path,
            "SELECT sum(in_house_trips), sum(contracted_trips) FROM cell_move"
        )
        let now = try #require(folder.served.cube().last { $0.isTotal })
        let planned = try #require(PlanFile(path: path).cube().last { $0.isTotal })
        #expect(
            cells == [
                "\(planned.sums.inHouseTrips - now.sums.inHouseTrips)|"
                    + "\(planned.sums.contractedTrips - now.sums.contractedTrips)"
            ]
        )
    }
}

extension KPICell {
    fileprivate var isTotal: Bool { [month, tripType, region].allSatisfy { $0 == KPICell.all } }
}
