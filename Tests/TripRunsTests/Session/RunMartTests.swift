import Testing
import TripDomain
import TripReports

@testable import TripMart
@testable import TripRuns

/// A mart whose served generation is damaged has ways out.
@Suite struct RunMartTests {
    /// Two nights, the second one with a rollback and an excluded file behind it.
    private static func folder() throws -> RunFolder {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        for number in 1...3 {
            try night.write(
                "in/trips_\(number).csv",
                RunPipeline.header + (1...5).map { RunPipeline.line(10 * number + $0) }.joined()
            )
            try night.run()
        }
        _ = try Rollback(options: night.options(), to: 2, progress: Progress()).perform()
        return night
    }

    private static func mart(_ night: RunFolder) -> MartFolder {
        MartFolder(path: night.options().martPath)
    }

    @Test(arguments: ["damaged", "missing"])
    func aFullRunBuildsADamagedGenerationAgain(how: String) throws {
        let night = try Self.folder()
        let folder = Self.mart(night)
        let before = try night.dump().filter { !$0.hasPrefix("source:") }
        let path = folder.generationPath(4)
        if how == "damaged" {
            try FallbackTests.flip(path, at: 9000)
        } else {
            try FileSystem.remove(path)
        }
        for isDryRun in [false, true] {
            let error = #expect(throws: RunError.self) { try night.run { $0.isDryRun = isDryRun } }
            #expect(error?.summary == "generation 4 is damaged")
            #expect(error?.remedies.first?.contains("triptych run \(night.path)") == true)
            #expect(error?.remedies.first?.hasSuffix("--full") == true)
            // The content of 2 was published again: 3 is withdrawn.
            #expect(error?.remedies[1].contains("triptych rollback 2") == true)
            #expect(error.map { Failure($0).status } == .ioFailed)
        }
        let report = try night.run { $0.isFull = true }
        #expect(report.generation == 5 && report.rebuilt == 4)
        #expect(report.exclusions.map(\.path) == ["trips_3.csv"])
        #expect(try night.dump().filter { !$0.hasPrefix("source:") } == before)
        #expect(try night.run().outcome == .nothingDue)
    }

    @Test func aRollbackLeavesADamagedGeneration() throws {
        let night = try Self.folder()
        let folder = Self.mart(night)
        try FallbackTests.flip(folder.generationPath(4), at: 9000)
        for number in [1, 2] {
            _ = try Rollback(options: night.options(), to: number, progress: Progress()).perform()
        }
        #expect(try ServedMart.open(folder).header.number == 6)
        #expect(try night.run().exclusions.map(\.path) == ["trips_3.csv"])
    }

    /// Not even the suppressed cube of the generation to go back to may have changed.
    @Test(arguments: [true, false])
    func aRollbackToDamagedFilesIsRefused(isOfKPI: Bool) throws {
        let night = try Self.folder()
        let folder = Self.mart(night)
        try FallbackTests.flip(isOfKPI ? folder.kpiPath(1) : folder.historyPath(1), at: 9000)
        let error = #expect(throws: MartError.self) {
            try Rollback(options: night.options(), to: 1, progress: Progress()).perform()
        }
        #expect(error?.code == .damaged)
        #expect(try folder.servedNumber() == 4)
    }

    /// Where history is damaged as well, nothing can be built from it; a rollback leads out.
    @Test func withoutHistoryOnlyARollbackLeadsOut() throws {
        let night = try Self.folder()
        let folder = Self.mart(night)
        for path in [folder.generationPath(4), folder.historyPath(4)] {
            try FallbackTests.flip(path, at: 9000)
        }
        let error = #expect(throws: RunError.self) { try night.run { $0.isFull = true } }
        #expect(error?.remedies.contains { $0.contains("--full") } == false)
        #expect(error?.remedies.first?.contains("triptych rollback 3") == true)
        let report = try Rollback(options: night.options(), to: 3, progress: Progress()).perform()
        #expect(report.unreadableLeft == 4 && report.exclusions.isEmpty)
        #expect(report.status == .publishedWithWarnings)
        #expect(try ServedMart.open(folder).header.number == 5)
        // What came after is in the landing folder still.
        try night.write("in/trips_4.csv", RunPipeline.header + RunPipeline.line(44))
        #expect(try night.run().trips == 16)
    }

    /// A history file that is missing is named by every run, and nothing else is removed.
    @Test(arguments: [false, true])
    func aLostHistoryFileIsNamed(isOfSums: Bool) throws {
        let night = try Self.folder()
        let path = Self.mart(night).historyPath(2)
        try FileSystem.remove(isOfSums ? SumFile.path(for: path) : path)
        let idle = try night.run()
        #expect(idle.outcome == .nothingDue && idle.status == .publishedWithWarnings)
        try night.write("in/trips_5.csv", RunPipeline.header + RunPipeline.line(55))
        let report = try night.run()
        #expect(report.historyLoss?.files == (isOfSums ? [] : [2...2]))
        #expect(report.historyLoss?.sums == (isOfSums ? [2] : []))
        #expect(report.status == .publishedWithWarnings)
        #expect(try Self.mart(night).historyLoss() == report.historyLoss)
    }

    /// A list of runs that is lost is named by the run that begins another one.
    @Test func aLostListOfRunsIsNamed() throws {
        let night = try Self.folder()
        let session = RunSession(
            options: night.options(),
            command: "run pipeline",
            output: RunScreens(),
            progress: Progress()
        )
        let first = session.perform()
        #expect(first.status == .publishedWithWarnings)
        #expect(first.text.details.contains { $0.contains("missing the runs before this one") })
        #expect(session.perform().status == .published)
    }

    /// A damaged history file costs a comparison and a warning, not the night.
    @Test func aDamagedHistoryFileIsNamed() throws {
        let night = try Self.folder()
        let path = Self.mart(night).historyPath(2)
        try FallbackTests.flip(path, at: 9000)
        try night.write("in/trips_5.csv", RunPipeline.header + RunPipeline.line(55))
        let report = try night.run()
        #expect(report.damagedHistory == [path])
        #expect(report.status == .publishedWithWarnings)
    }
}
