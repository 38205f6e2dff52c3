import Foundation
import TestSupport
import Testing
import TripDomain

@testable import TripMart
@testable import TripRuns

/// Whatever bit of a published file changes, an answer is right, or of the generation before and
/// says so, or an error.
@Suite struct FallbackTests {
    private static let tripCount = 9_000

    /// Two generations, each of more than one block.
    private static func folder() throws -> RunFolder {
        let night = try RunFolder()
        try night.write("pipeline/pipeline.yaml", RunPipeline.text())
        for number in 1...2 {
            let rows = (1...tripCount).map { index in
                RunPipeline.line(
                    number * tripCount + index,
                    day: index % 28 + 1,
                    month: index % 10 + 1,
                    cost: "\(index % 90).25",
                    owner: index % 3 == 0 ? "VA" : "CITY"
                )
            }
            let reject = RunPipeline.line(number, cost: "x")
            try night.write(
                "in/trips_\(number).csv",
                RunPipeline.header + rows.joined() + reject
            )
            try night.run()
        }
        return night
    }

    private static func queries(_ night: RunFolder) -> MartQueries {
        MartQueries(martPath: night.options().martPath, keyPath: night.options().keyFilePath)
    }

    /// What commands print of the served generation.
    private static let questions: [@Sendable (MartQueries) throws -> String] = [
        { "\(try $0.kpi(KPIQuery(by: [.month, .tripType, .region]), asPublished: nil).table)" },
        { "\(try $0.kpi(KPIQuery(by: [.tripClass, .basis]), asPublished: nil).table)" },
        { "\(try $0.trips(TripFilter(tripTypes: ["BLS"]), limit: 40).page.trips)" },
        { "\(try $0.explain("T-\(tripCount + 77)").detail.summary)" },
        { "\(try $0.rejects(RejectFilter(), limit: 10).rows)" },
        { "\(try $0.statement(monthCount: 12).months)" },
    ]

    /// The answer of each question, with the generation that gave it; nil where none did.
    private static func answers(_ night: RunFolder) throws -> [(text: String, isBefore: Bool)?] {
        try questions.map { ask in
            let queries = queries(night)
            do {
                return (try ask(queries), queries.fallback.note != nil)
            } catch is MartError {
                return nil
            }
        }
    }

    @Test func everyFlippedBitOfTheServedFileIsAnsweredAroundOrDoesNotMatter() throws {
        let night = try Self.folder()
        let folder = MartFolder(path: night.options().martPath)
        let right = try Self.answers(night)
        #expect(right.allSatisfy { $0?.isBefore == false })
        let path = folder.generationPath(2)
        let size = try FileSystem.status(path).size
        #expect(size > Int64(SumFile.blockSize))
        try FileSystem.remove(path + ".aside")
        var generator = SeededDice(seed: 46)
        // The answers of the generation before.
        try FileSystem.move(path, to: path + ".aside")
        let before = try Self.answers(night)
        try FileSystem.move(path + ".aside", to: path)
        #expect(before.allSatisfy { $0?.isBefore == true })
        var (sameCount, beforeCount) = (0, 0)
        let spread = (0..<50).map { _ in Int64.random(in: 0..<size, using: &generator) }
        for offset in [0, 20, 100, 8192, size - 1] + spread {
            try Self.flip(path, at: offset)
            for (index, answer) in try Self.answers(night).enumerated() {
                let answer = try #require(answer)
                let expected = answer.isBefore ? before[index] : right[index]
                #expect(answer.text == expected?.text, "offset \(offset), question \(index)")
                if answer.isBefore { beforeCount += 1 } else { sameCount += 1 }
            }
            try Self.flip(path, at: offset)
        }
        #expect(sameCount > 20 && beforeCount > 20)
    }

    @Test func theSumsThemselvesMayBeDamagedOrMissing() throws {
        let night = try Self.folder()
        let folder = MartFolder(path: night.options().martPath)
        let sums = SumFile.path(for: folder.generationPath(2))
        let right = try Self.answers(night)
        for offset in 0..<(try FileSystem.status(sums).size) where offset % 7 == 0 {
            try Self.flip(sums, at: offset)
            #expect(try Self.answers(night).allSatisfy { $0?.isBefore == true }, "\(offset)")
            try Self.flip(sums, at: offset)
        }
        #expect(try Self.answers(night).map { $0?.text } == right.map { $0?.text })
        try FileSystem.remove(sums)
        #expect(try Self.answers(night).allSatisfy { $0?.isBefore == true })
    }

    /// Where no generation is whole, there is no answer.
    @Test func withoutAnotherGenerationTheDamageIsSaid() throws {
        let night = try Self.folder()
        let folder = MartFolder(path: night.options().martPath)
        for number in 1...2 { try Self.flip(folder.generationPath(number), at: 9000) }
        let answers = try Self.answers(night)
        #expect(answers[0] == nil)
        for number in 1...2 { try FileSystem.remove(folder.generationPath(number)) }
        #expect(try Self.answers(night).allSatisfy { $0 == nil })
    }

    /// Before a rollback stands the generation whose content it published, not the withdrawn one.
    @Test func theWithdrawnGenerationIsNotTheOneBefore() throws {
        let night = try Self.folder()
        let folder = MartFolder(path: night.options().martPath)
        let first = try Self.queries(night).kpi(KPIQuery(), asPublished: 1).table
        _ = try Rollback(options: night.options(), to: 1, progress: Progress()).perform()
        try Self.flip(folder.generationPath(3), at: 9000)
        let queries = Self.queries(night)
        #expect(try "\(queries.kpi(KPIQuery(), asPublished: nil).table)" == "\(first)")
        #expect(queries.fallback.note?.generation == 1)
        #expect(try folder.generations(before: 3) == [1])
        #expect(try folder.generations(before: nil) == [3, 1])
    }

    /// The history file of a generation has sums as well.
    @Test func numbersAsPublishedAreRightOrAnError() throws {
        let night = try Self.folder()
        let path = MartFolder(path: night.options().martPath).historyPath(1)
        let query = KPIQuery(by: [.month, .tripType, .region])
        let right = try "\(Self.queries(night).kpi(query, asPublished: 1).table)"
        let size = try FileSystem.status(path).size
        for offset in stride(from: 0, to: size, by: 997) {
            try Self.flip(path, at: offset)
            let error = #expect(throws: MartError.self) {
                _ = try Self.queries(night).kpi(query, asPublished: 1)
            }
            #expect(error?.code == .damaged)
            try Self.flip(path, at: offset)
        }
        #expect(try "\(Self.queries(night).kpi(query, asPublished: 1).table)" == right)
    }

    static func flip(_ path: String, at offset: Int64) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        // The bytes are written by then, whether it closes or not.
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([byte ^ 1 << UInt8(offset % 8)]))
    }
}
