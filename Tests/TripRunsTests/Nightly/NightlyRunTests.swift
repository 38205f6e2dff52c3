import Foundation
import Glibc
import TestSupport
import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// The state is a pure function of the files ever taken in.
@Suite struct NightlyRunTests {
    /// The contents of one path, delivery after delivery.
    struct PathHistory {
        let path: String
        let contents: [String]
        let isCompressed: [Bool]
    }

    private func histories(_ dice: inout SeededDice) -> [PathHistory] {
        var histories: [PathHistory] = []
        for number in 1...(2 + dice.below(3)) {
            let versions = 1 + dice.below(3)
            let contents = (0..<versions).map { _ in
                RunPipeline.header
                    + (0..<(1 + dice.below(6))).map { _ in
                        RunPipeline.line(
                            dice.below(6),
                            day: 5 + dice.below(2),
                            month: 4 + dice.below(3),
                            cost: dice.pick(["10.00", "20.50", "", "x"]),
                            owner: dice.pick(["VA", "Vendor"])
                        )
                    }.joined()
            }
            histories.append(
                PathHistory(
                    path: "trips_\(number)1.csv",
                    contents: contents,
                    isCompressed: contents.map { _ in dice.below(3) == 0 }
                )
            )
        }
        if dice.below(2) == 0, let first = histories.first {
            // The same bytes again under another name.
            histories.append(
                PathHistory(
                    path: "copies/trips_\(1 + dice.below(9))2.csv",
                    contents: [first.contents[0]],
                    isCompressed: [false]
                )
            )
        }
        return histories
    }

    /// Delivers all contents in a random order that keeps each path's own, run by run.
    private func deliver(
        _ histories: [PathHistory],
        replaces: String,
        _ dice: inout SeededDice
    ) throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text(replaces: replaces) + RunPipeline.lenient
        )
        var next = [Int](repeating: 0, count: histories.count)
        while next.indices.contains(where: { next[$0] < histories[$0].contents.count }) {
            var delivered = 0
            for index in histories.indices.shuffled(using: &dice)
            where next[index] < histories[index].contents.count {
                guard delivered == 0 || dice.below(2) == 0 else { continue }
                let history = histories[index]
                let isCompressed = history.isCompressed[next[index]]
                for suffix in ["", ".gz"] {
                    // The path's earlier delivery, under either name, no longer exists.
                    try? folder.remove("in/" + history.path + suffix)
                }
                let bytes = Array(history.contents[next[index]].utf8)
                try folder.write(
                    "in/" + history.path + (isCompressed ? ".gz" : ""),
                    isCompressed ? GzipText.compressed(bytes) : bytes
                )
                next[index] += 1
                delivered += 1
            }
            do {
                try folder.run()
            } catch let error as RunError where error.code == .noUsableInput {
                // Every record so far was a reject; a later run brings trips.
                continue
            } catch let failure as Failure where failure.status == .withheld {
                // A content that is far smaller than what it replaces is meant.
                let paths = failure.what.filter { $0.contains(": it ") }
                    .compactMap { $0.split(separator: ":").first.map(String.init) }
                try folder.run { $0.acceptedFiles = paths }
            }
        }
        return folder
    }

    @Test(arguments: ["same_path", "period", "nothing"], seeds(1...8))
    func anyOrderOfArrivalPublishesTheSameTables(replaces: String, seed: Int) throws {
        var dice = SeededDice(seed: UInt64(seed))
        let histories = histories(&dice)
        let first = try deliver(histories, replaces: replaces, &dice)
        let expected = try first.dump()
        for _ in 0..<2 {
            let other = try deliver(histories, replaces: replaces, &dice)
            #expect(try other.dump() == expected)
        }
        try first.run { $0.isFull = true }
        #expect(try first.dump() == expected)
        try first.run {
            $0.isFull = true
            $0.threadCount = 8
        }
        #expect(try first.dump() == expected)
    }

    @Test func aCorrectionMovesATripBetweenCells() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write(
            "in/trips_1.csv",
            RunPipeline.header + RunPipeline.line(1, month: 4) + RunPipeline.line(2, month: 4)
        )
        try folder.run()
        try folder.write("in/trips_2.csv", RunPipeline.header + RunPipeline.line(1, month: 5))
        let report = try folder.run()
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        let trips = Dictionary(
            uniqueKeysWithValues: try mart.kpi(KPIQuery(by: [.month])).rows
                .map { ($0.keys[0], $0.sums.trips) }
        )
        #expect(trips == ["2026-04": 1, "2026-05": 1])
        #expect(report.trips == 2 && report.previousTrips == 2)
        #expect(try mart.ledger()[.superseded].items == 1)
    }

    @Test func aReSentFileWithdrawsItsMissingTrips() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write(
            "in/trips_1.csv",
            RunPipeline.header + RunPipeline.line(1) + RunPipeline.line(2)
        )
        try folder.run()
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(2))
        try folder.run()
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try mart.trip(id: "T-1") == nil)
        let ledger = try mart.ledger()
        #expect(ledger[.withdrawn].items == 2)
        #expect(ledger.read == ledger.explained)
    }

    @Test func aRejectedCorrectionChangesNothingAndIsCounted() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        try folder.write(
            "in/trips_2.csv",
            RunPipeline.header + RunPipeline.line(1, cost: "ten")
        )
        let report = try folder.run()
        #expect(report.rejectedCorrections == 1)
        try folder.write("in/trips_3.csv", RunPipeline.header + RunPipeline.line(2))
        #expect(try folder.run().rejectedCorrections == 0)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try mart.trip(id: "T-1")?.summary.costCents == 1000)
    }

    @Test func theSameFileTwiceAndCompressedAgainIsNothingDue() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        let text = RunPipeline.header + RunPipeline.line(1)
        try folder.write("in/trips_1.csv", text)
        try folder.run()
        #expect(try folder.run().outcome == .nothingDue)
        try folder.remove("in/trips_1.csv")
        try folder.write("in/trips_1.csv.gz", GzipText.compressed(Array(text.utf8)))
        #expect(try folder.run().outcome == .nothingDue)
    }

    @Test func aChangedArchiveIsNoticed() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        let kept = try #require(
            try ProtectedInformationTests.files(below: folder.path + "/mart/archive").first
        )
        try folder.write(
            String(kept.dropFirst(folder.path.count + 1)),
            RunPipeline.header + RunPipeline.line(1, cost: "90.00")
        )
        let error = #expect(throws: RunError.self) { try folder.run { $0.isFull = true } }
        #expect(error?.code == .ioFailed)
    }

    @Test func aChangedArchiveDoesNotReplaceADelivery() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        let first = try ProtectedInformationTests.files(below: folder.path + "/mart/archive")
        try folder.write("in/trips_2.csv", RunPipeline.header + RunPipeline.line(2))
        try folder.run()
        let kept = try #require(
            try ProtectedInformationTests.files(below: folder.path + "/mart/archive")
                .first { !first.contains($0) }
        )
        try folder.write(
            String(kept.dropFirst(folder.path.count + 1)),
            RunPipeline.header + RunPipeline.line(2, cost: "90.00")
        )
        // The operator restores the mart of before, which does not know the second file; the
        // archive stays.
        for part in ["generations", "history"] {
            let path = folder.path + "/mart/" + part
            for name in try FileManager.default.contentsOfDirectory(atPath: path)
            where name.hasPrefix("000002") {
                try FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }
        unlink(folder.path + "/mart/triptych.sqlite")
        #expect(symlink("generations/000001.sqlite", folder.path + "/mart/triptych.sqlite") == 0)
        #expect(try folder.run().trips == 2)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try mart.trip(id: "T-2")?.summary.costCents == 1000)
        // The file kept is the one that was delivered again.
        #expect(try folder.run { $0.isFull = true }.trips == 2)
    }

    @Test func anUnreadableFileAloneCausesNoPublication() throws {
        let folder = try RunFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text().replacing(
                "replaces: same_path",
                with: "replaces: same_path, on_refused_file: skip"
            )
        )
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.run()
        try folder.write("in/trips_2.csv.gz", [0x1F, 0x8B, 8, 0])
        for _ in 0..<2 {
            let report = try folder.run()
            #expect(report.outcome == .nothingDue)
            #expect(report.status == .publishedWithWarnings)
            #expect(report.generation == 1)
        }
    }

    @Test func canonicallyEqualTextsAreTwoRegions() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write(
            "in/trips_1.csv",
            RunPipeline.header + RunPipeline.line(1).replacing(",08,", with: ",Qu\u{E9}bec,")
                + RunPipeline.line(2).replacing(",08,", with: ",Que\u{301}bec,")
        )
        try folder.run()
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try mart.regions().count == 2)
        #expect(try mart.kpi(KPIQuery(by: [.region])).rows.map(\.sums.trips) == [1, 1])
    }

    @Test func excessiveAmountsAreRejectedAndDoNotStopTheRun() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text() + RunPipeline.lenient)
        try folder.write(
            "in/trips_1.csv",
            RunPipeline.header
                + (1...200).map { RunPipeline.line($0, cost: "999999999999999.99") }.joined()
                + RunPipeline.line(201)
        )
        let report = try folder.run()
        #expect(report.trips == 1)
        #expect(report.ledger[.rejected].unpriced == 200)
    }

    @Test func aConstantCostIsCounted() throws {
        let folder = try RunFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text().replacing(
                "  cost: Amount Paid",
                with: "  cost: {constant: \"7.50\", type: money}"
            )
        )
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        #expect(try folder.run().ledger.read.cents == 750)
    }

    @Test func aKeyInsideTheMartIsRefused() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        let error = #expect(throws: RunError.self) {
            try folder.run { $0.keyPath = folder.path + "/mart/key" }
        }
        #expect(error?.code == .badPipeline)
    }
}
