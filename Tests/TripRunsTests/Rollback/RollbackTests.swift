import Foundation
import Testing
import TripDomain
import TripReports

@testable import TripMart
@testable import TripRules
@testable import TripRuns

/// Rollback: the older content gets a new number, and later contents are excluded.
@Suite struct RollbackTests {
    @Test func theOlderContentIsServedUnderANewNumber() throws {
        let night = try RollbackNight.folder()
        let folder = MartFolder(path: night.options().martPath)
        func dump(_ number: Int) throws -> [String] {
            try [folder.generationPath(number), folder.historyPath(number), folder.kpiPath(number)]
                .flatMap { try SQLiteDump.lines($0, excluding: ["generation", "hold", "meta"]) }
        }
        let report = try RollbackNight.goBack(night, to: 1)
        #expect(report.generation == 4 && report.contentOf == 1)
        #expect(report.status == .published)
        #expect(RunScreen(report).summary.contains("PUBLISHED 4"))
        #expect(report.excludedEdits.isEmpty)
        #expect(RunScreen(report).summary.contains("the content of 1 | 2 files held"))
        #expect(try dump(4) == dump(1))
        let served = try RollbackNight.served(night)
        #expect(served.header.number == 4)
        #expect(served.header.dataThrough == CivilDate(text: "2026-01-05"))
        #expect(try SQLiteDump.query(served.file.path, "PRAGMA integrity_check") == ["ok"])
        try SumFile.verify(served.file.path)
        #expect(
            try SQLiteDump.query(
                served.file.path,
                "SELECT value FROM meta WHERE key = 'content_of'"
            ) == ["1"]
        )
        // `kpi.sqlite` has the same content.
        #expect(
            try SQLiteDump.query(folder.kpiPath(4), "SELECT number FROM generation") == ["4"]
        )
        // Published numbers are unchanged.
        #expect(try PublishedCube.open(folder, generation: 3).files().count == 3)
    }

    /// A rollback to other rules needs the same approval as publishing them.
    @Test func aRollbackNeedsASecondPersonToo() throws {
        let night = try RunFolder()
        let text = RunPipeline.text()
        try night.write("pipeline/pipeline.yaml", text)
        try night.write("in/trips_1.csv", RollbackNight.file(1))
        try night.run()
        let strict = text + "\nchanges: {rules: hold, reference: hold, approval: second_person}\n"
        try night.write("pipeline/pipeline.yaml", strict)
        try night.run {
            $0.appliesChanges = true
            $0.madeBy = "analyst"
            $0.approvedBy = "reviewer"
        }
        func goBack(_ approver: String?) throws -> RunReport {
            try Rollback(
                options: night.options {
                    $0.madeBy = "analyst"
                    $0.approvedBy = approver
                },
                to: 1,
                progress: Progress()
            ).perform()
        }
        for approver in [nil, "Analyst"] {
            let error = #expect(throws: RunError.self) { try goBack(approver) }
            #expect(error?.code == .withheld)
        }
        let report = try goBack("reviewer")
        #expect(report.excludedEdits == ["pipeline.yaml"])
        // The served pipeline requires no second person, but the one that was left did.
        try night.write("pipeline/pipeline.yaml", text.replacing("va_fleet", with: "other_fleet"))
        let error = #expect(throws: RunError.self) {
            try Reclassification(
                options: night.options(),
                plan: nil,
                progress: Progress()
            ).perform()
        }
        #expect(error?.code == .withheld)
    }

    /// A generation from before rollbacks existed can be gone back to, and be left.
    @Test func generationsWithoutExclusionsCanBeRolledBackTo() throws {
        let night = try RollbackNight.folder()
        let folder = MartFolder(path: night.options().martPath)
        for path in [folder.generationPath(1), folder.historyPath(1)] {
            try SQLiteDump.execute(path, "DROP TABLE hold; VACUUM")
        }
        #expect(try ServedMart.open(folder, generation: 1).exclusions().isEmpty)
        try RollbackNight.goBack(night, to: 1)
        #expect(
            try RollbackNight.served(night).exclusions().map(\.path) == [
                "trips_2.csv", "trips_3.csv",
            ]
        )
    }

    /// After a rollback and a step forward, nothing served is excluded.
    @Test func goingForwardAgainExcludesNothing() throws {
        let night = try RollbackNight.folder()
        try RollbackNight.goBack(night, to: 1)
        try RollbackNight.goBack(night, to: 3)
        #expect(try RollbackNight.served(night).exclusions().isEmpty)
        #expect(try RollbackNight.files(night).count == 3)
        #expect(try night.run().outcome == .nothingDue)
        try RollbackNight.goBack(night, to: 4)
        #expect(
            try RollbackNight.served(night).exclusions().map(\.path) == [
                "trips_2.csv", "trips_3.csv",
            ]
        )
    }

    /// Where runs publish edits, those that a rollback left out are held until they are published.
    @Test func editsAreHeldAfterARollback() throws {
        let night = try RunFolder()
        let text = RunPipeline.text() + "\nchanges: {rules: apply, reference: apply}\n"
        try night.write("pipeline/pipeline.yaml", text)
        try night.write("in/trips_1.csv", RollbackNight.file(1))
        try night.run()
        try night.write(
            "pipeline/pipeline.yaml",
            text.replacing("basis: va_fleet", with: "basis: other_fleet")
        )
        #expect(try night.run().outcome == .published)
        func bases() throws -> [String] {
            try RollbackNight.served(night).basisCells().filter { $0.month == KPICell.all }.map(
                \.basis
            )
        }
        #expect(try Set(bases()) == ["other_fleet"])
        try RollbackNight.goBack(night, to: 1)
        #expect(try Set(bases()) == ["va_fleet"])
        try night.write("in/trips_2.csv", RollbackNight.file(2))
        let report = try night.run()
        #expect(report.held.count == 1)
        #expect(try Set(bases()) == ["va_fleet"])
        _ = try Reclassification(
            options: night.options(),
            plan: nil,
            progress: Progress()
        ).perform()
        #expect(try Set(bases()) == ["other_fleet"])
        #expect(try RollbackNight.served(night).exclusions().isEmpty)
        try night.write("in/trips_3.csv", RollbackNight.file(3))
        #expect(try night.run().held.isEmpty)
    }

    /// The generation that is left may be damaged.
    @Test func aDamagedGenerationCanBeLeft() throws {
        let night = try RollbackNight.folder()
        let path = try RollbackNight.served(night).file.path
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: RunError.self) { try night.run() }
        #expect(error?.code == .ioFailed)
        try RollbackNight.goBack(night, to: 2)
        #expect(try RollbackNight.files(night) == ["trips_1.csv", "trips_2.csv"])
        #expect(try RollbackNight.served(night).exclusions().map(\.path) == ["trips_3.csv"])
    }

    @Test func impossibleRollbacksAreRefused() throws {
        let night = try RollbackNight.folder()
        let folder = MartFolder(path: night.options().martPath)
        for (target, code) in [(3, RunError.Code.usage), (9, .notFound)] {
            let error = #expect(throws: RunError.self) {
                try RollbackNight.goBack(night, to: target)
            }
            #expect(error?.code == code)
        }
        // Not one byte of the republished file may have changed.
        try SQLiteDump.execute(
            folder.generationPath(1),
            "UPDATE trip_row SET counted = 0",
            keepsSums: true
        )
        #expect(throws: MartError.self) { try RollbackNight.goBack(night, to: 1) }
        #expect(try RollbackNight.served(night).header.number == 3)
        #expect(try folder.generationNumbers() == [1, 2, 3])
    }
}
