import Foundation
import Testing
import TripDomain
import TripReports

@testable import TripMart
@testable import TripRuns

/// Contents that a rollback left out stay out and are named, until they are included.
@Suite struct ExclusionTests {
    /// A bad file stays excluded and every run names it, whatever other files come.
    @Test func excludedFilesStayOutAndAreNamed() throws {
        let night = try RollbackNight.folder()
        try RollbackNight.goBack(night, to: 1)
        for number in 5...6 {
            try night.write("in/trips_\(number).csv", RollbackNight.file(number))
            let report = try night.run()
            #expect(report.outcome == .published)
            #expect(report.status == .publishedWithWarnings)
            #expect(report.exclusions.map(\.path) == ["trips_2.csv", "trips_3.csv"])
            let lines = RunScreen(report).details
            #expect(lines.contains { $0.contains("held trips_2.csv") })
            #expect(lines.contains { $0.contains("--include") })
        }
        #expect(try RollbackNight.files(night) == ["trips_1.csv", "trips_5.csv", "trips_6.csv"])
        // Every run names the file: without new files, and after it was removed from the folder. A
        // full rebuild leaves it out as well.
        let quiet = try night.run()
        #expect(quiet.outcome == .nothingDue && quiet.exclusions.count == 2)
        try night.remove("in/trips_2.csv")
        #expect(try night.run { $0.isFull = true }.exclusions.count == 2)
        #expect(try RollbackNight.files(night) == ["trips_1.csv", "trips_5.csv", "trips_6.csv"])
        // Other bytes are another export; the excluded ones stay excluded.
        let bad = try Data(contentsOf: URL(fileURLWithPath: night.path + "/in/trips_3.csv"))
        try night.write("in/trips_3.csv", RollbackNight.file(3, owner: "CITY"))
        #expect(try night.run().exclusions.map(\.path) == ["trips_2.csv"])
        #expect(
            try RollbackNight.served(night).exclusions().map(\.path) == [
                "trips_2.csv", "trips_3.csv",
            ]
        )
        try night.write("in/trips_3.csv", Array(bad))
        #expect(try night.run().exclusions.map(\.path) == ["trips_2.csv", "trips_3.csv"])
        #expect(try RollbackNight.served(night).cube().last?.sums.contractedTrips == 5)
        #expect(
            try RollbackNight.files(night) == [
                "trips_1.csv", "trips_3.csv", "trips_5.csv", "trips_6.csv",
            ]
        )
    }

    /// An included file is taken in again, from the input folder or from the archive.
    @Test(arguments: [true, false])
    func includedFilesAreTakenInAgain(isDelivered: Bool) throws {
        let night = try RollbackNight.folder()
        let before = try night.dump()
        try RollbackNight.goBack(night, to: 1)
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
        #expect(try RollbackNight.files(night) == ["trips_1.csv", "trips_3.csv"])
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
            try night.write("in/trips_1.csv", RollbackNight.file(1, owner: owner))
            try night.run()
        }
        let before = try night.dump()
        // The content that is left also counts in the older generation, where it came first: it
        // must not be taken in again.
        try RollbackNight.goBack(night, to: 2)
        #expect(try night.run().exclusions.map(\.path) == ["trips_1.csv"])
        #expect(try RollbackNight.files(night).count == 2)
        try night.write("in/trips_2.csv", RollbackNight.file(2))
        let report = try night.run()
        #expect(report.exclusions.map(\.path) == ["trips_1.csv"])
        #expect(report.status == .publishedWithWarnings)
        // The folder is empty, and the run still names the file; included, it comes from the
        // archive.
        try night.remove("in/trips_1.csv")
        try night.remove("in/trips_2.csv")
        #expect(try night.run().exclusions.map(\.path) == ["trips_1.csv"])
        try RollbackNight.goBack(night, to: 1)
        #expect(try RollbackNight.served(night).exclusions().files.count == 3)
        #expect(
            try night.run { $0.includedFiles = ["trips_1"] }.exclusions.map(\.path) == [
                "trips_2.csv"
            ]
        )
        #expect(try RollbackNight.files(night).count == 3)
        func trips(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("trip_row:") } }
        #expect(try trips(night.dump()) == trips(before))
    }

    /// A content that was replaced is no longer missing: including all files does not bring it
    /// back.
    @Test func replacedContentsAreNotIncludedAgain() throws {
        let night = try RollbackNight.folder()
        try RollbackNight.goBack(night, to: 1)
        try night.write("in/trips_2.csv", RollbackNight.file(2, owner: "CITY"))
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
        #expect(try RollbackNight.files(night) == ["trips_1.csv", "trips_2.csv", "trips_3.csv"])
        #expect(try RollbackNight.served(night).cube().last?.sums.contractedTrips == 5)
        #expect(try night.run().outcome == .nothingDue)
        // After another rollback and a step forward it is replaced as before.
        let mended = try RollbackNight.served(night).header.number
        #expect(try RollbackNight.goBack(night, to: 1).exclusions.count == 3)
        #expect(try RollbackNight.goBack(night, to: mended).exclusions.isEmpty)
    }

    /// After two rollbacks, contents of the second target do not count as replacements of excluded
    /// ones.
    @Test func exclusionsSurviveFurtherRollbacks() throws {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        for owner in ["VA", "CITY", "COUNTY"] {
            try night.write("in/trips_1.csv", RollbackNight.file(1, owner: owner))
            try night.run()
        }
        let before = try night.dump()
        #expect(try RollbackNight.goBack(night, to: 1).exclusions.count == 2)
        let report = try RollbackNight.goBack(night, to: 2)
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
            try night.write("in/trips_1.csv", RollbackNight.file(1, owner: owner))
            try night.run()
        }
        try RollbackNight.goBack(night, to: 1)
        try night.write("in/trips_1.csv", RollbackNight.file(1, owner: "TOWN"))
        #expect(try night.run().outcome == .published)
        try RollbackNight.goBack(night, to: 1)
        // Compressed it is the same content, and is taken in as such.
        try night.write("in/trips_1.csv", RollbackNight.file(1, owner: "TOWN"))
        #expect(try night.run { $0.includedFiles = ["all"] }.exclusions.isEmpty)
        let owners = try SQLiteDump.query(
            RollbackNight.served(night).file.path,
            "SELECT DISTINCT owner FROM trip"
        )
        #expect(owners == ["TOWN"])
        #expect(try night.run().outcome == .nothingDue)
    }

    /// A file that cannot be included stays excluded.
    @Test func filesThatCannotBeIncludedStayExcluded() throws {
        let night = try RollbackNight.folder()
        let archive = Archive(MartFolder(path: night.options().martPath))
        try RollbackNight.goBack(night, to: 1)
        let exclusion = try #require(
            try RollbackNight.served(night).exclusions().first { $0.path == "trips_2.csv" }
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
        #expect(try RollbackNight.files(night) == ["trips_1.csv", "trips_3.csv"])
        #expect(try RollbackNight.served(night).exclusions().map(\.path) == ["trips_2.csv"])
        // A rollback to a generation that needs the lost file is refused.
        try FileManager.default.removeItem(atPath: path)
        let error = #expect(throws: RunError.self) { try RollbackNight.goBack(night, to: 2) }
        #expect(error?.code == .knownFileMissing)
    }
}
