import Testing
import TripDomain
import TripMart

@testable import TripPipeline
@testable import TripRuns

/// Pick-ups are judged by the day their file was taken in, in every run.
@Suite struct ExportsReadingTests {
    /// The day of the usual run is 2026-11-01, in New York.
    private static let day: Int64 = 86_400

    private func folder(_ pickup: String = "", more: String = "") throws -> RunFolder {
        let folder = try RunFolder()
        let text = RunPipeline.text().replacing(
            "formats: [\"M/d/yyyy H:mm\"]",
            with: "formats: [\"M/d/yyyy H:mm\", iso8601]" + pickup
        )
        try folder.write("pipeline/pipeline.yaml", text + more)
        return folder
    }

    private func line(_ id: Int, _ pickup: String) -> String {
        "T-\(id),\(pickup),08,BLS,10.00,VA\n"
    }

    private let past = [
        "10/1/2026 8:00", "9/1/2026 8:00", "8/1/2026 8:00", "7/1/2026 8:00", "7/2/2026 8:00",
        "7/3/2026 8:00", "7/4/2026 8:00", "7/5/2026 8:00", "7/6/2026 8:00", "7/7/2026 8:00",
    ]

    private func write(
        _ folder: RunFolder,
        _ name: String,
        from first: Int,
        _ pickups: [String]
    )
        throws
    {
        let lines = (past + pickups).enumerated().map { line(first + $0.offset, $0.element) }
        try folder.write("in/" + name, RunPipeline.header + lines.joined())
    }

    @Test(arguments: [
        ("11/1/2026 23:59", true), ("11/2/2026 0:00", false), ("5/3/2099 10:00", false),
        // 23:59 and 0:00 in New York, written in UTC and on another clock.
        ("2026-11-02T04:59Z", true), ("2026-11-02T05:00Z", false),
        ("2026-11-01T22:59-06:00", true), ("2026-11-01T23:00-06:00", false),
    ])
    func aPickupAfterTheDayOfTheRunIsSetAside(pickup: String, isAccepted: Bool) throws {
        let folder = try folder()
        try write(folder, "trips_1.csv", from: 1, [pickup])
        let report = try folder.run()
        #expect(report.trips == (isAccepted ? 11 : 10))
        #expect(
            report.rejects.map { "\($0.reason.rawValue) \($0.field ?? "")" }
                == (isAccepted ? [] : ["out_of_range pickup_at"])
        )
        #expect(report.dataThrough?.text == (isAccepted ? "2026-11-01" : "2026-10-01"))
    }

    @Test func theRecordsOfManyRejectsAreNotKeptInMemory() throws {
        let folder = try folder(more: RunPipeline.lenient)
        // Eight files, together larger than what may stay in memory.
        let filling = String(repeating: "x", count: 4_000)
        let lines = (0..<600).map { "T-\($0),no day,08,BLS,10.00,\($0)\(filling)\n" }
        for number in 1...8 {
            try folder.write(
                "in/trips_\(number).csv",
                RunPipeline.header + line(number, past[number]) + lines.joined()
            )
        }
        let options = folder.options()
        let mart = try RunMart(options)
        let setting = try RunConfiguration(options, served: mart.served)
        let intake = try RunFiles(options, setting: setting, mart: mart, progress: Progress())
        let exports = try ClassifiedExports(intake, setting, options, progress: Progress())
        let texts = try #require(exports.rejectTexts)
        #expect(texts.residentSize <= RejectSpool.residentSizeMax)
        #expect(
            texts.residentSize + texts.spooledSize
                == 8 * lines.reduce(0) { $0 + $1.utf8.count - 1 }
        )
        mart.release()

        // What is published is what stood in the files, in their order.
        try folder.run()
        let folderOfMart = MartFolder(path: folder.path + "/mart")
        let keys = try #require(
            try MartKeys.open(keyFile: options.keyFilePath, for: folderOfMart)
        )
        let served = try ServedMart.open(folderOfMart)
        for number in [1, 599, 600, 601, 2_400, 4_800] {
            let record = try served.openRejectText(number: number, keys: keys).revealed()
            #expect(String(decoding: record, as: UTF8.self) + "\n" == lines[(number - 1) % 600])
        }
        // A dry run seals nothing, and keeps none.
        let dry = folder.options { $0.isDryRun = true }
        #expect(try RunMart(dry).rejectTexts == nil)
    }

    @Test func theDayAFileWasTakenInDecidesForGood() throws {
        let folder = try folder()
        try write(folder, "trips_1.csv", from: 1, ["11/20/2026 8:00"])
        try folder.run()
        let first = try folder.dump()
        // A month later the pick-up is no longer in the future; the same file gives the same trips.
        #expect(
            try folder.run {
                $0.isFull = true
                $0.now += 40 * Self.day
            }.trips == 10
        )
        #expect(try folder.dump() == first)
        // Sent again then, its trip counts.
        try write(folder, "trips_2.csv", from: 100, ["11/20/2026 8:00"])
        let report = try folder.run { $0.now += 40 * Self.day }
        #expect(report.trips == 21)
        #expect(report.dataThrough?.text == "2026-11-20")
    }

    @Test func aPipelineMayAllowTheFutureAndFreshnessIsJudgedWithoutIt() throws {
        let check = "\nchecks:\n  - {id: fresh, warn_if: \"data_age_days > 7\"}\n"
        let folder = try folder(", allow_future: true", more: check)
        try write(folder, "trips_1.csv", from: 1, ["5/3/2099 10:00"])
        let report = try folder.run()
        #expect(report.trips == 11)
        #expect(report.dataThrough?.text == "2026-10-01")
        #expect(report.latestMonth?.month.text == "2026-10")
        #expect(report.checks.first?.detail == "data_age_days is 31")
        #expect(report.checks.first?.outcome == .warn)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(mart.header.dataThrough?.text == "2026-10-01")
    }

    @Test func eachFileKeepsItsDay() throws {
        let folder = try folder()
        try write(folder, "trips_1.csv", from: 1, [])
        try folder.run()
        try write(folder, "trips_2.csv", from: 50, [])
        try folder.run { $0.now += 3 * Self.day }
        let served = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try served.files().map { $0.takenIn?.text } == ["2026-11-01", "2026-11-04"])
    }
}
