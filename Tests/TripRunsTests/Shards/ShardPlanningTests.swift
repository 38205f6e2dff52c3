import Foundation
import TestSupport
import Testing
import TripDomain
import TripMart
import TripText

@testable import TripRuns

/// What a plan decides before a byte of an export is read.
@Suite struct ShardPlanningTests {
    private func folder(_ pipeline: String = RunPipeline.text()) throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", pipeline + RunPipeline.lenient)
        return folder
    }

    private func list(_ files: [(path: String, size: Int)]) throws -> FileList {
        let lines = files.map { "{\"path\": \"\($0.path)\", \"size\": \($0.size)}\n" }
        return try FileList(Array(lines.joined().utf8), name: "list.jsonl")
    }

    private func plan(_ folder: RunFolder, _ files: [(String, Int)]) throws -> ShardPlan {
        try ShardPlanning(folder.options()).plan(try list(files))
    }

    @Test func filesStandInOrderOfExportsWhateverTheOrderOfTheList() throws {
        let folder = try folder()
        let files = [("a/trips_3.csv", 30), ("trips_10.csv", 10), ("trips_2.csv.gz", 20)]
        let plan = try plan(folder, files)
        #expect(plan.files.map(\.path) == ["trips_10.csv", "trips_2.csv.gz", "a/trips_3.csv"])
        #expect(plan.files.map(\.index) == [0, 1, 2])
        #expect(plan.files.map(\.size) == [10, 20, 30])
        #expect(plan.files.map(\.orderKey) == ["10", "2", "3"])
        #expect(try self.plan(folder, files.reversed()) == plan)
    }

    @Test func namesAreRefusedInTheWordsOfARun() throws {
        let folder = try folder()
        let files = [
            ("trips_1.csv", 1), ("trips_2.csv", 1), ("trips_2.csv.gz", 1), ("odd.csv", 1),
            ("trips_3.csv.part", 1), ("trips_1.csv.bak", 1), ("notes.txt", 1), (".hidden", 1),
        ]
        let plan = try plan(folder, files)
        #expect(plan.files.map(\.path) == ["trips_1.csv"])
        let refused = Dictionary(uniqueKeysWithValues: plan.refusals.map { ($0.path, $0.reason) })
        #expect(refused["trips_2.csv"] == "it is the same export as trips_2.csv.gz")
        #expect(refused["trips_2.csv.gz"] == "it is the same export as trips_2.csv")
        #expect(refused["odd.csv"] == "the file's name does not fit the source's `order` pattern")
        #expect(refused.count == 3)
        #expect(
            plan.unread.map(\.text) == [
                "left aside trips_1.csv.bak: its name is that of a copy of trips_1.csv",
                "waits trips_3.csv.part: its name marks it as unfinished",
            ]
        )
        #expect(plan.unclaimed == ["notes.txt"])
    }

    @Test func aPlanIsReadAsItWasWrittenAndNotChanged() throws {
        let plan = try plan(try folder(), [("trips_1.csv", 5)])
        #expect(try ShardPlan(plan.text) == plan)
        let changed = String(decoding: plan.text, as: UTF8.self)
            .replacing("\"size\": 5", with: "\"size\": 6")
        let fault = #expect(throws: JSONFault.self) { try ShardPlan(Array(changed.utf8)) }
        #expect(fault?.place == "hash")
    }

    @Test func linesOfClaimsAreRefusedByTheirKey() throws {
        let folder = try RunFolder()
        let files = FileManager.default
        try files.removeItem(atPath: folder.path + "/pipeline")
        try files.copyItem(
            atPath: Repository.path("pipelines/claims-837"),
            toPath: folder.path + "/pipeline"
        )
        let options = folder.options {
            $0.referencePath = Repository.path("pipelines/claims-837/reference")
        }
        let error = #expect(throws: RunError.self) {
            try ShardPlanning(options).plan(try list([("claims_1.csv", 1)]))
        }
        #expect(error?.code == .badPipeline)
        #expect(error?.what.contains("`lines`") == true)
    }

    @Test func aKeyIsMadeWhereThereIsNoGenerationAndNeverElse() throws {
        let folder = try folder()
        let key = folder.options().keyFilePath
        let first = try plan(folder, [("trips_1.csv", 5)])
        #expect(FileManager.default.fileExists(atPath: key))
        #expect(try plan(folder, [("trips_1.csv", 5)]).keyCheck == first.keyCheck)
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        try FileManager.default.removeItem(atPath: key)
        let error = #expect(throws: MartError.self) {
            try self.plan(folder, [("trips_1.csv", 5)])
        }
        #expect(error?.code == .keyMissing)
        #expect(!FileManager.default.fileExists(atPath: key))
    }

    @Test func aFileThatTheMartHasKeepsTheDayItWasTakenIn() throws {
        let folder = try folder()
        let text = RunPipeline.header + RunPipeline.line(1)
        try folder.write("in/trips_1.csv", text)
        try folder.run()
        let size = text.utf8.count
        let later = folder.options { $0.now += 10 * CivilTime.daySeconds }
        let plan = try ShardPlanning(later).plan(
            try list([("trips_1.csv", size), ("trips_2.csv", size)])
        )
        let days = plan.files.map(\.takenIn.dayNumber)
        #expect(days[1] - days[0] == 10)
        #expect(plan.served?.generation == 1)
    }

    @Test func editsThatAreHeldArePublishedFirst() throws {
        let folder = try folder()
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        let edited = RunPipeline.text().replacing("owner = 'VA'", with: "owner = 'VHA'")
        try folder.write("pipeline/pipeline.yaml", edited + RunPipeline.lenient)
        let error = #expect(throws: RunError.self) {
            try self.plan(folder, [("trips_1.csv", 5)])
        }
        #expect(error?.what.contains("NOT applied") == true)
        let options = folder.options { $0.appliesChanges = true }
        _ = try ShardPlanning(options).plan(try list([("trips_1.csv", 5)]))
    }

    @Test(
        arguments: [
            ("{\"path\": \"a.csv\"}", "line 1, size: is missing"),
            ("{\"path\": \"/a.csv\", \"size\": 1}", "line 1, path: is no path below"),
            ("{\"path\": \"a/../b.csv\", \"size\": 1}", "line 1, path: is no path below"),
            (
                "{\"path\": \"a\", \"size\": 1}\n{\"path\": \"a\", \"size\": 2}",
                "line 2, path: is that"
            ),
            ("\n{\"path\": \"a\", \"size\": 1.5}", "line 2, byte"),
        ]
    )
    func aListNamesItsFaultyLine(text: String, words: String) {
        let error = #expect(throws: RunError.self) {
            try FileList(Array(text.utf8), name: "list.jsonl")
        }
        #expect(error?.what.contains(words) == true, "\(error?.what ?? "")")
    }
}
