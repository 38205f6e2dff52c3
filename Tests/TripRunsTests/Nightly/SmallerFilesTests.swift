import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// A file that brings nothing, or far less than it replaces, is not taken in unasked.
@Suite struct SmallerFilesTests {
    private func folder(replaces: String = "same_path", _ more: String = "") throws -> RunFolder {
        let folder = try RunFolder()
        let text = RunPipeline.text(replaces: replaces)
            .replacing("replaces:", with: more + "replaces:")
        try folder.write("pipeline/pipeline.yaml", text)
        return folder
    }

    private func lines(_ ids: ClosedRange<Int>, cost: String = "10.00") -> String {
        RunPipeline.header
            + ids.map { RunPipeline.line($0, month: $0 % 2 + 4, cost: cost) }.joined()
    }

    private func accepting(_ paths: String...) -> (inout RunOptions) -> Void {
        { $0.acceptedFiles = paths }
    }

    @Test func aHeaderWithoutRecordsWithdrawsNothing() throws {
        let folder = try folder()
        try folder.write("in/trips_1.csv", lines(1...40))
        try folder.write("in/trips_2.csv", lines(41...50))
        try folder.run()
        try folder.write("in/trips_2.csv", RunPipeline.header)
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .withheld)
        #expect(
            failure?.what == [
                "trips_2.csv: it has a header and no record, and it would replace 10 valid items "
                    + "by 0, and $100.00 by $0.00."
            ]
        )
        #expect(failure?.remedies.contains { $0.contains("--accept-smaller trips_2.csv") } == true)
        #expect(try MartFolder(path: folder.path + "/mart").servedNumber() == 1)
        // Said to be meant, it is published, and said once.
        let report = try folder.run(accepting("trips_2.csv"))
        #expect(report.status == .publishedWithWarnings && report.trips == 40)
        #expect(report.acceptedSmaller.map(\.path) == ["trips_2.csv"])
        #expect(try folder.run().status == .published)
        #expect(try folder.run { $0.isFull = true }.trips == 40)
    }

    /// Every item and dollar comes again, and hardly any of the trips still counts.
    @Test func tripsThatNoLongerCountAreMissedToo() throws {
        let folder = try folder()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text(replaces: "same_path") + "\nkpis: {count_when: \"owner = 'VA'\"}\n"
        )
        func lines(_ counted: Int) -> String {
            RunPipeline.header
                + (1...40).map { RunPipeline.line($0, owner: $0 <= counted ? "VA" : "Vendor") }
                .joined()
        }
        try folder.write("in/trips_1.csv", lines(40))
        try folder.run()
        try folder.write("in/trips_1.csv", lines(19))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(
            failure?.what == ["trips_1.csv: it would replace 40 counted trips by 19."]
        )
        try folder.write("in/trips_1.csv", lines(20))
        #expect(try folder.run().generation == 2)
    }

    @Test func aNewFileWithoutRecordsIsNotPublished() throws {
        let folder = try folder()
        try folder.write("in/trips_1.csv", lines(1...4))
        try folder.write("in/trips_2.csv", RunPipeline.header)
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.what.first == "trips_2.csv: it has a header and no record.")
        #expect(try folder.run(accepting("trips_2.csv")).trips == 4)
    }

    @Test func aSourceThatSkipsRefusedFilesSkipsIt() throws {
        let folder = try folder("on_refused_file: skip, ")
        try folder.write("in/trips_1.csv", lines(1...4))
        try folder.run()
        try folder.write("in/trips_1.csv", RunPipeline.header)
        let report = try folder.run()
        #expect(report.outcome == .nothingDue && report.status == .publishedWithWarnings)
        #expect(report.refused.map(\.path) == ["trips_1.csv"])
    }

    @Test(arguments: [
        ("10 of 20", 1...10, "10.00", false), ("9 of 20", 1...9, "30.00", true),
        ("a tenth of the dollars", 1...20, "1.00", true), ("more", 1...30, "10.00", false),
    ])
    func lessThanHalfIsFarLess(
        _: String,
        ids: ClosedRange<Int>,
        cost: String,
        isRefused: Bool
    ) throws {
        for replaces in ["same_path", "period"] {
            let folder = try folder(replaces: replaces)
            try folder.write("in/trips_11.csv", lines(1...20))
            try folder.run()
            let name = replaces == "period" ? "trips_12.csv" : "trips_11.csv"
            try folder.write("in/" + name, lines(ids, cost: cost))
            if isRefused {
                let failure = #expect(throws: Failure.self) { try folder.run() }
                #expect(failure?.status == .withheld)
                #expect(failure?.what.first?.hasPrefix("\(name): it would replace 20 ") == true)
            } else {
                #expect(try folder.run().status == .published)
            }
        }
    }

    @Test func rejectsDoNotMakeAReplacementLarge() throws {
        let folder = try folder()
        try folder.write("in/trips_1.csv", lines(1...10))
        try folder.write("in/trips_2.csv", lines(11...60))
        try folder.run()
        try folder.write("in/trips_1.csv", lines(1...4) + lines(5...10, cost: "x").dropHeader)
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.what.first?.contains("10 valid items by 4") == true)
    }

    @Test func theFirstNightComparesToo() throws {
        let folder = try folder(replaces: "period")
        try folder.write("in/trips_11.csv", lines(1...20))
        try folder.write("in/trips_12.csv", lines(1...5))
        try folder.write("in/trips_13.csv", lines(1...6))
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.what.count == 3)
        #expect(failure?.what.first?.hasPrefix("trips_12.csv") == true)
        #expect(failure?.what.dropFirst().first?.hasPrefix("trips_13.csv") == true)
        #expect(try folder.run(accepting("trips_12.csv", "trips_13.csv")).trips == 6)
    }

    @Test func nothingIsReplacedWhereFilesReplaceNothing() throws {
        let folder = try folder(replaces: "nothing")
        try folder.write("in/trips_1.csv", lines(1...20))
        try folder.run()
        try folder.write("in/trips_1.csv", lines(1...2, cost: "11.00"))
        #expect(try folder.run().generation == 2)
    }

    @Test func itDoesNotRestartTheClockOfItsSource() throws {
        let folder = try folder("expect: daily, ")
        try folder.write("in/trips_1.csv", lines(1...4))
        try folder.run()
        try folder.write("in/trips_2.csv", RunPipeline.header)
        let report = try folder.run {
            $0.acceptedFiles = ["trips_2.csv"]
            $0.now += 3 * 86_400
        }
        #expect(report.outcome == .published && report.status == .missingFile)
        #expect(report.overdue.map(\.source) == ["trips"])
    }

    @Test(arguments: ["trips_1.csv", "trips_2.csv", "trips_9.csv"])
    func theFlagIsForSuchFilesAlone(path: String) throws {
        let folder = try folder()
        try folder.write("in/trips_1.csv", lines(1...4))
        try folder.run()
        try folder.write("in/trips_2.csv", lines(5...8))
        let error = #expect(throws: RunError.self) { try folder.run(accepting(path)) }
        #expect(error?.code == .usage)
        #expect(try folder.run().trips == 8)
    }
}

extension String {
    /// The lines after the first.
    fileprivate var dropHeader: String {
        String(self[(firstIndex(of: "\n").map { index(after: $0) } ?? endIndex)...])
    }
}
