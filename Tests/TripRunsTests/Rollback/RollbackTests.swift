import Foundation
import Testing
import TripDomain
import TripReports

@testable import TripMart
@testable import TripRules
@testable import TripRuns

/// Rollback: the older content gets a new number, and later contents are excluded.
@Suite struct RollbackTests {
    /// Three runs of one file each; the second file is bad.
    private static func folder() throws -> RunFolder {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        for number in 1...3 {
            try night.write("in/trips_\(number).csv", file(number))
            try night.run()
        }
        return night
    }

    private static func file(_ number: Int, owner: String = "VA") -> String {
        let header = "Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner"
        let rows = (1...5).map { "T-\(number)-\($0),1/\($0)/2026 8:00,08,BLS,10.00,\(owner)" }
        return ([header] + rows).joined(separator: "\n") + "\n"
    }

    @discardableResult
    private static func goBack(_ night: RunFolder, to target: Int) throws -> RunReport {
        try Rollback(options: night.options(), to: target, progress: Progress()).perform()
    }

    private static func files(_ night: RunFolder) throws -> [String] {
        try ServedMart.open(MartFolder(path: night.options().martPath)).files().map(\.path)
    }

    private static func served(_ night: RunFolder) throws -> ServedMart {
        try ServedMart.open(MartFolder(path: night.options().martPath))
    }

    @Test func theOlderContentIsServedUnderANewNumber() throws {
        let night = try Self.folder()
        let folder = MartFolder(path: night.options().martPath)
        func dump(_ number: Int) throws -> [String] {
            try [folder.generationPath(number), folder.historyPath(number), folder.kpiPath(number)]
                .flatMap { try SQLiteDump.lines($0, excluding: ["generation", "hold", "meta"]) }
        }
        let report = try Self.goBack(night, to: 1)
        #expect(report.generation == 4 && report.contentOf == 1)
        #expect(report.status == .published)
        #expect(RunScreen(report).summary.contains("PUBLISHED 4"))
        #expect(report.excludedEdits.isEmpty)
        #expect(RunScreen(report).summary.contains("the content of 1 | 2 files held"))
        #expect(try dump(4) == dump(1))
        let served = try Self.served(night)
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

    /// A bad file stays excluded and every run names it, whatever other files come.
    @Test func excludedFilesStayOutAndAreNamed() throws {
        let night = try Self.folder()
        try Self.goBack(night, to: 1)
        for number in 5...6 {
            try night.write("in/trips_\(number).csv", Self.file(number))
            let report = try night.run()
            #expect(report.outcome == .published)
            #expect(report.status == .publishedWithWarnings)
            #expect(report.exclusions.map(\.path) == ["trips_2.csv", "trips_3.csv"])
            let lines = RunScreen(report).details
            #expect(lines.contains { $0.contains("held trips_2.csv") })
            #expect(lines.contains { $0.contains("--include") })
        }
        #expect(try Self.files(night) == ["trips_1.csv", "trips_5.csv", "trips_6.csv"])
        // Every run names the file: without new files, and after it was removed from the folder. A
        // full rebuild leaves it out as well.
        let quiet = try night.run()
        #expect(quiet.outcome == .nothingDue && quiet.exclusions.count == 2)
        try night.remove("in/trips_2.csv")
        #expect(try night.run { $0.isFull = true }.exclusions.count == 2)
        #expect(try Self.files(night) == ["trips_1.csv", "trips_5.csv", "trips_6.csv"])
        // Other bytes are another export; the excluded ones stay excluded.
        let bad = try Data(contentsOf: URL(fileURLWithPath: night.path + "/in/trips_3.csv"))
        try night.write("in/trips_3.csv", Self.file(3, owner: "CITY"))
        #expect(try night.run().exclusions.map(\.path) == ["trips_2.csv"])
        #expect(try Self.served(night).exclusions().map(\.path) == ["trips_2.csv", "trips_3.csv"])
        try night.write("in/trips_3.csv", Array(bad))
        #expect(try night.run().exclusions.map(\.path) == ["trips_2.csv", "trips_3.csv"])
        #expect(try Self.served(night).cube().last?.sums.contractedTrips == 5)
        #expect(
            try Self.files(night) == ["trips_1.csv", "trips_3.csv", "trips_5.csv", "trips_6.csv"]
        )
    }

    /// An included file is taken in again, from the input folder or from the archive.
    @Test(arguments: [true, false])
    func includedFilesAreTakenInAgain(isDelivered: Bool) throws {
        let night = try Self.folder()
        let before = try night.dump()
        try Self.goBack(night, to: 1)
        if !isDelivered {
            try night.remove("in/trips_2.csv")
            try night.remove("in/trips_3.csv")
        }
        let error = #expect(throws: RunError.self) {
            try night.run { $0.includedFiles = ["trips_9.csv"] }
        }
        #expect(error?.code == .usage)
        let report = try night.run { $0.includedFiles = ["trips_3.csv"] }
        #expect(report.exclusions.map(\.path) == ["trips_2.csv"])
        #expect(try Self.files(night) == ["trips_1.csv", "trips_3.csv"])
        #expect(try night.run { $0.includedFiles = ["all"] }.exclusions.isEmpty)
        // The result is the one without any rollback.
        #expect(
            try night.dump().filter { !$0.hasPrefix("source:") }
                == before.filter { !$0.hasPrefix("source:") }
        )
    }

    /// Contents of one path that came, went and came again.
    @Test(arguments: ["same_path", "nothing"])
    func contentsOfOnePathAreDistinguished(replaces: String) throws {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text(replaces: replaces))
        let owners = ["VA", "CITY", replaces == "nothing" ? "COUNTY" : "VA"]
        for owner in owners {
            try night.write("in/trips_1.csv", Self.file(1, owner: owner))
            try night.run()
        }
        let before = try night.dump()
        // The content that is left also counts in the older generation, where it came first: it
        // must not be taken in again.
        try Self.goBack(night, to: 2)
        #expect(try night.run().exclusions.map(\.path) == ["trips_1.csv"])
        #expect(try Self.files(night).count == 2)
        try night.write("in/trips_2.csv", Self.file(2))
        let report = try night.run()
        #expect(report.exclusions.map(\.path) == ["trips_1.csv"])
        #expect(report.status == .publishedWithWarnings)
        // The folder is empty, and the run still names the file; included, it comes from the
        // archive.
        try night.remove("in/trips_1.csv")
        try night.remove("in/trips_2.csv")
        #expect(try night.run().exclusions.map(\.path) == ["trips_1.csv"])
        try Self.goBack(night, to: 1)
        #expect(try Self.served(night).exclusions().files.count == 3)
        #expect(
            try night.run { $0.includedFiles = ["trips_1"] }.exclusions.map(\.path) == [
                "trips_2.csv"
            ]
        )
        #expect(try Self.files(night).count == 3)
        func trips(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("trip_row:") } }
        #expect(try trips(night.dump()) == trips(before))
    }

    /// A content that was replaced is no longer missing: including all files does not bring it
    /// back.
    @Test func replacedContentsAreNotIncludedAgain() throws {
        let night = try Self.folder()
        try Self.goBack(night, to: 1)
        try night.write("in/trips_2.csv", Self.file(2, owner: "CITY"))
        #expect(try night.run().exclusions.map(\.path) == ["trips_3.csv"])
        for path in ["trips_2.csv", "trips_2.csv.gz"] {
            let error = #expect(throws: RunError.self) {
                try night.run { $0.includedFiles = [path] }
            }
            #expect(error?.what.contains("came later and counts") == true)
        }
        #expect(throws: RunError.self) {
            try night.run {
                $0.includedFiles = ["trips_3.csv"]
                $0.skippedFiles = ["trips_3.csv"]
            }
        }
        #expect(try night.run { $0.includedFiles = ["all"] }.exclusions.isEmpty)
        #expect(try Self.files(night) == ["trips_1.csv", "trips_2.csv", "trips_3.csv"])
        #expect(try Self.served(night).cube().last?.sums.contractedTrips == 5)
        #expect(try night.run().outcome == .nothingDue)
        // After another rollback and a step forward it is replaced as before.
        let mended = try Self.served(night).header.number
        #expect(try Self.goBack(night, to: 1).exclusions.count == 3)
        #expect(try Self.goBack(night, to: mended).exclusions.isEmpty)
    }

    /// After two rollbacks, contents of the second target do not count as replacements of excluded
    /// ones.
    @Test func exclusionsSurviveFurtherRollbacks() throws {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        for owner in ["VA", "CITY", "COUNTY"] {
            try night.write("in/trips_1.csv", Self.file(1, owner: owner))
            try night.run()
        }
        let before = try night.dump()
        #expect(try Self.goBack(night, to: 1).exclusions.count == 2)
        let report = try Self.goBack(night, to: 2)
        #expect(report.exclusions.map(\.sequence) == [3])
        try night.remove("in/trips_1.csv")
        #expect(try night.run { $0.includedFiles = ["all"] }.exclusions.isEmpty)
        #expect(
            try night.dump().filter { !$0.hasPrefix("source:") && !$0.hasPrefix("hold:") }
                == before.filter { !$0.hasPrefix("source:") && !$0.hasPrefix("hold:") }
        )
    }

    /// A replacement comes after the content it replaces, after any number of rollbacks.
    @Test func replacementsComeAfterTheContentsTheyReplace() throws {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        for owner in ["VA", "CITY", "VA", "COUNTY", "VA"] {
            try night.write("in/trips_1.csv", Self.file(1, owner: owner))
            try night.run()
        }
        try Self.goBack(night, to: 1)
        try night.write("in/trips_1.csv", Self.file(1, owner: "TOWN"))
        #expect(try night.run().outcome == .published)
        try Self.goBack(night, to: 1)
        // Compressed it is the same content, and is taken in as such.
        try night.write("in/trips_1.csv", Self.file(1, owner: "TOWN"))
        #expect(try night.run { $0.includedFiles = ["all"] }.exclusions.isEmpty)
        let owners = try SQLiteDump.query(
            Self.served(night).file.path,
            "SELECT DISTINCT owner FROM trip"
        )
        #expect(owners == ["TOWN"])
        #expect(try night.run().outcome == .nothingDue)
    }

    /// A file that cannot be included stays excluded.
    @Test func filesThatCannotBeIncludedStayExcluded() throws {
        let night = try Self.folder()
        let archive = Archive(MartFolder(path: night.options().martPath))
        try Self.goBack(night, to: 1)
        let exclusion = try #require(
            try Self.served(night).exclusions().first { $0.path == "trips_2.csv" }
        )
        let path = try #require(archive.path(hash: exclusion.archiveHash))
        try Data("other bytes".utf8).write(to: URL(fileURLWithPath: path))
        try night.remove("in/trips_2.csv")
        try night.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text().replacing(
                "replaces: same_path",
                with: "replaces: same_path, on_refused_file: skip"
            )
        )
        let report = try night.run { $0.includedFiles = ["all"] }
        #expect(report.refused.map(\.path) == ["trips_2.csv"])
        #expect(try Self.files(night) == ["trips_1.csv", "trips_3.csv"])
        #expect(try Self.served(night).exclusions().map(\.path) == ["trips_2.csv"])
        // A rollback to a generation that needs the lost file is refused.
        try FileManager.default.removeItem(atPath: path)
        let error = #expect(throws: RunError.self) { try Self.goBack(night, to: 2) }
        #expect(error?.code == .knownFileMissing)
    }

    /// A rollback to other rules needs the same approval as publishing them.
    @Test func aRollbackNeedsASecondPersonToo() throws {
        let night = try RunFolder()
        let text = RunPipeline.text()
        try night.write("pipeline/pipeline.yaml", text)
        try night.write("in/trips_1.csv", Self.file(1))
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
        let night = try Self.folder()
        let folder = MartFolder(path: night.options().martPath)
        for path in [folder.generationPath(1), folder.historyPath(1)] {
            try SQLiteDump.execute(path, "DROP TABLE hold; VACUUM")
        }
        #expect(try ServedMart.open(folder, generation: 1).exclusions().isEmpty)
        try Self.goBack(night, to: 1)
        #expect(try Self.served(night).exclusions().map(\.path) == ["trips_2.csv", "trips_3.csv"])
    }

    /// After a rollback and a step forward, nothing served is excluded.
    @Test func goingForwardAgainExcludesNothing() throws {
        let night = try Self.folder()
        try Self.goBack(night, to: 1)
        try Self.goBack(night, to: 3)
        #expect(try Self.served(night).exclusions().isEmpty)
        #expect(try Self.files(night).count == 3)
        #expect(try night.run().outcome == .nothingDue)
        try Self.goBack(night, to: 4)
        #expect(try Self.served(night).exclusions().map(\.path) == ["trips_2.csv", "trips_3.csv"])
    }

    /// Where runs publish edits, those that a rollback left out are held until they are published.
    @Test func editsAreHeldAfterARollback() throws {
        let night = try RunFolder()
        let text = RunPipeline.text() + "\nchanges: {rules: apply, reference: apply}\n"
        try night.write("pipeline/pipeline.yaml", text)
        try night.write("in/trips_1.csv", Self.file(1))
        try night.run()
        try night.write(
            "pipeline/pipeline.yaml",
            text.replacing("basis: va_fleet", with: "basis: other_fleet")
        )
        #expect(try night.run().outcome == .published)
        func bases() throws -> [String] {
            try Self.served(night).basisCells().filter { $0.month == KPICell.all }.map(\.basis)
        }
        #expect(try Set(bases()) == ["other_fleet"])
        try Self.goBack(night, to: 1)
        #expect(try Set(bases()) == ["va_fleet"])
        try night.write("in/trips_2.csv", Self.file(2))
        let report = try night.run()
        #expect(report.held.count == 1)
        #expect(try Set(bases()) == ["va_fleet"])
        _ = try Reclassification(
            options: night.options(),
            plan: nil,
            progress: Progress()
        ).perform()
        #expect(try Set(bases()) == ["other_fleet"])
        #expect(try Self.served(night).exclusions().isEmpty)
        try night.write("in/trips_3.csv", Self.file(3))
        #expect(try night.run().held.isEmpty)
    }

    /// The generation that is left may be damaged.
    @Test func aDamagedGenerationCanBeLeft() throws {
        let night = try Self.folder()
        let path = try Self.served(night).file.path
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: RunError.self) { try night.run() }
        #expect(error?.code == .ioFailed)
        try Self.goBack(night, to: 2)
        #expect(try Self.files(night) == ["trips_1.csv", "trips_2.csv"])
        #expect(try Self.served(night).exclusions().map(\.path) == ["trips_3.csv"])
    }

    @Test func impossibleRollbacksAreRefused() throws {
        let night = try Self.folder()
        let folder = MartFolder(path: night.options().martPath)
        for (target, code) in [(3, RunError.Code.usage), (9, .notFound)] {
            let error = #expect(throws: RunError.self) { try Self.goBack(night, to: target) }
            #expect(error?.code == code)
        }
        // Not one byte of the republished file may have changed.
        try SQLiteDump.execute(
            folder.generationPath(1),
            "UPDATE trip_row SET counted = 0",
            keepsSums: true
        )
        #expect(throws: MartError.self) { try Self.goBack(night, to: 1) }
        #expect(try Self.served(night).header.number == 3)
        #expect(try folder.generationNumbers() == [1, 2, 3])
    }
}
