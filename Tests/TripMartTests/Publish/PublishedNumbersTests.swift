import Glibc
import Testing
import TripDomain

@testable import TripMart

/// A link that is missing proves nothing, and nothing is removed because of it.
@Suite struct PublishedNumbersTests {
    /// How a copy of a mart loses its link.
    enum Loss: CaseIterable {
        case missing
        case followed
        case pointsBack
        case namesNoGeneration
        case namesOneThatNeverWas
        case leadsNowhere
        case leadsElsewhere
    }

    private static func lose(_ loss: Loss, _ folder: MartFolder) throws {
        let link = folder.servedLinkPath
        switch loss {
        case .missing: try FileSystem.remove(link)
        case .followed:
            try FileSystem.remove(link)
            try FileSystem.copy(folder.generationPath(3), to: link, mode: 0o640)
            try FileSystem.remove(folder.kpiLinkPath)
            try FileSystem.copy(folder.kpiPath(3), to: folder.kpiLinkPath, mode: 0o640)
        case .pointsBack: try FileSystem.swapLink(link, to: "generations/000002.sqlite")
        case .namesNoGeneration: try FileSystem.swapLink(link, to: "generations/newest.sqlite")
        case .namesOneThatNeverWas:
            try FileSystem.swapLink(link, to: "generations/000009.sqlite")
        case .leadsNowhere: try FileSystem.swapLink(link, to: "/nonexistent/000003.sqlite")
        case .leadsElsewhere:
            let other = folder.path + "/../other/generations"
            try FileSystem.makeFolder(other, mode: 0o750)
            try FileSystem.copy(
                folder.generationPath(3),
                to: other + "/000003.sqlite",
                mode: 0o640
            )
            try FileSystem.swapLink(link, to: "../other/generations/000003.sqlite")
        }
    }

    private static func mart(count: Int = 3) throws -> BuiltMart {
        let mart = try BuiltMart()
        for seed in 1...count {
            let reference = ReferenceGeneration(seed: UInt64(seed), count: 40)
            try mart.archiveExports(of: reference)
            try mart.publish(reference)
        }
        return mart
    }

    private static func failure(_ mart: BuiltMart) -> MartError? {
        do {
            try Publication(mart.folder).recover()
            return nil
        } catch {
            return error
        }
    }

    /// Runs the command that the message names.
    private static func follow(_ error: MartError) throws {
        let command = try #require(
            error.remedy.split(separator: "\n").compactMap { line in
                line.firstRange(of: "ln -sfn ").map { String(line[$0.lowerBound...]) }
            }.first
        )
        #expect(system(command) == 0)
    }

    @Test(arguments: Loss.allCases)
    func aLostLinkRemovesNothingAndIsSetByTheCommandThatIsNamed(loss: Loss) throws {
        let mart = try Self.mart()
        try Self.lose(loss, mart.folder)
        let before = try mart.content()
        let error = try #require(Self.failure(mart))
        #expect(error.code == .incomplete)
        #expect(error.remedy.contains("Generation 3 would be served"))
        if loss != .pointsBack {
            // Readers say the same.
            expectFailure(.incomplete) { _ = try ServedMart.open(mart.folder) }
        }
        #expect(try mart.content() == before)
        try Self.follow(error)
        #expect(Self.failure(mart) == nil)
        #expect(try ServedMart.open(mart.folder).header.number == 3)
        #expect(
            try FileSystem.linkTarget(mart.folder.kpiLinkPath) == "generations/000003.kpi.sqlite"
        )
        #expect(try mart.folder.generationNumbers() == [1, 2, 3])
    }

    /// A link that is written in another way and leads to the same file is none that was lost.
    @Test func theLinkMayBeAbsolute() throws {
        let mart = try Self.mart()
        try FileSystem.swapLink(
            mart.folder.servedLinkPath,
            to: mart.folder.path + "/./generations/000003.sqlite"
        )
        #expect(Self.failure(mart) == nil)
        #expect(try mart.folder.servedNumber() == 3)
    }

    /// The list of runs knows of a generation that is no longer here at all.
    @Test func aLostGenerationIsNamedByTheListOfRuns() throws {
        let mart = try Self.mart()
        let log = try RunLog(mart.folder)
        try log.finish(
            try log.begin(command: "run", startedAt: "2026-11-01 00:00:00Z"),
            endedAt: "",
            exitCode: 0,
            outcome: "published",
            generation: 3,
            summary: "",
            details: ""
        )
        for path in [mart.folder.generationPath(3), mart.folder.historyPath(3)] {
            try FileSystem.remove(path)
        }
        let error = try #require(Self.failure(mart))
        #expect(error.code == .incomplete)
        #expect(error.remedy.hasPrefix("The list of runs says that generation 3 was published"))
        #expect(error.remedy.contains("Generation 2 would be served"))
    }

    /// The mart's path is quoted where the shell would read it as something else.
    @Test func theCommandNamesAnyPath() throws {
        let mart = try Self.mart()
        let moved = MartFolder(path: mart.temporary.path + "/it's a märt?#%41")
        #expect(rename(mart.folder.path, moved.path) == 0)
        try FileSystem.remove(moved.servedLinkPath)
        let error = #expect(throws: MartError.self) { try Publication(moved).recover() }
        try Self.follow(try #require(error))
        #expect(try moved.servedNumber() == 3)
    }

    /// Where the newest file is damaged or missing, the ways out are named.
    @Test(arguments: ["damaged", "missing", "damaged with its history"])
    func theNewestMayBeDamaged(how: String) throws {
        let mart = try Self.mart()
        try FileSystem.remove(mart.folder.servedLinkPath)
        let hasHistory = how != "damaged with its history"
        if !hasHistory { try FileDamage.flip(mart.folder.historyPath(3), at: 9000) }
        if how == "missing" {
            try FileSystem.remove(mart.folder.generationPath(3))
        } else {
            try FileDamage.flip(mart.folder.generationPath(3), at: 9000)
        }
        let error = try #require(Self.failure(mart))
        #expect(error.remedy.contains("triptych run PIPELINE --full") == hasHistory)
        #expect(error.remedy.contains("triptych rollback 2"))
        try Self.follow(error)
        #expect(Self.failure(mart) == nil)
        #expect(try mart.folder.servedNumber() == 3)
    }

    /// A backup without generations, or without history, is never taken for a new mart.
    @Test(arguments: ["generations", "history"])
    func aPartOfABackupIsNoNewMart(part: String) throws {
        let mart = try Self.mart()
        try FileSystem.remove(mart.folder.servedLinkPath)
        let folder = mart.folder.path + "/" + part
        for name in try FileSystem.names(in: folder) { try FileSystem.remove(folder + "/" + name) }
        let before = try mart.content()
        #expect(Self.failure(mart)?.code == .incomplete)
        #expect(try mart.content() == before)
    }

    /// What is left without any generation shows that there were some.
    @Test(arguments: ["archive", "runs"])
    func aMartWithoutGenerationsIsNoNewMart(part: String) throws {
        let mart = try BuiltMart()
        #expect(Self.failure(mart) == nil)
        if part == "archive" {
            try mart.archive("a.csv")
        } else {
            let log = try RunLog(mart.folder)
            let number = try log.begin(command: "run", startedAt: "2026-11-01 00:00:00Z")
            #expect(Self.failure(mart) == nil)
            try log.finish(
                number,
                endedAt: "",
                exitCode: 0,
                outcome: "published",
                generation: 1,
                summary: "",
                details: ""
            )
        }
        let error = try #require(Self.failure(mart))
        #expect(error.code == .incomplete && error.remedy.contains("backup"))
    }

    /// A copy that was taken while a run published has the run's mark.
    @Test func aMarkedNumberIsNotTakenForThePublishedOne() throws {
        let mart = try Self.mart()
        let built = try mart.build(ReferenceGeneration(seed: 4, count: 40))
        for step in Publication.Step.order(withdrawing: false) where step != .moveServedLink {
            if step == .moveKPILink { break }
            try Publication(mart.folder).run(step, built)
        }
        try FileSystem.remove(mart.folder.servedLinkPath)
        let error = try #require(Self.failure(mart))
        #expect(error.remedy.contains("Generation 3 would be served"))
        #expect(FileSystem.exists(mart.folder.generationPath(4)))
        try Self.follow(error)
        #expect(Self.failure(mart) == nil)
        #expect(try mart.folder.nextNumber() == 5)
    }

    /// Only links are replaced by links.
    @Test func aFileInPlaceOfALinkIsNotReplaced() throws {
        let mart = try BuiltMart()
        let link = mart.folder.path + "/link"
        try FileSystem.writeNew([1], to: link, mode: 0o640)
        expectFailure(.cannotCreate) { try FileSystem.swapLink(link, to: "x") }
        #expect(try FileSystem.readAll(link) == [1])
    }
}
