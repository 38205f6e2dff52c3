import Foundation
import TestSupport
import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// A folder with a pipeline, exports and a mart of its own, removed when the test is over.
final class RunFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("triptych-night-" + UUID().uuidString).path
        for folder in ["in", "pipeline", "reference"] {
            try FileManager.default.createDirectory(
                atPath: path + "/" + folder,
                withIntermediateDirectories: true
            )
        }
    }

    deinit {
        // A folder that remains does no harm.
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ name: String, _ text: String) throws {
        try write(name, Array(text.utf8))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path + "/" + name)
    }

    func options(
        _ adjust: (inout RunOptions) -> Void = { _ in }
    ) -> RunOptions {
        var options = RunOptions(
            pipelinePath: path + "/pipeline",
            martPath: path + "/mart",
            inputPath: path + "/in",
            referencePath: path + "/reference",
            now: 1_793_513_640
        )
        adjust(&options)
        return options
    }

    @discardableResult
    func run(_ adjust: (inout RunOptions) -> Void = { _ in }) throws -> RunReport {
        try NightlyRun(options: options(adjust), progress: Progress()).perform()
    }

    /// A generation as sorted text: every table, rows in order, without values that differ by run.
    func dump() throws -> [String] {
        let folder = MartFolder(path: path + "/mart")
        let served = try ServedMart.open(folder)
        let excluded = ["generation", "check_result", "meta", "patient"]
        return try SQLiteDump.lines(served.file.path, excluding: excluded)
    }
}

/// The minimal pipeline with a field for corrections and an order taken from the file name.
enum RunPipeline {
    static func text(replaces: String = "same_path") -> String {
        MinimalPipeline.text.replacing(
            "trips: {files: \"*.csv*\"}",
            with: "trips: {files: \"**/*.csv*\", order: \"trips_(\\\\d+)\", replaces: \(replaces)"
                + (replaces == "period" ? ", period: \"trips_(\\\\d)\"" : "") + "}"
        )
    }

    static let header = "Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner\n"

    static func line(
        _ id: Int,
        day: Int = 5,
        month: Int = 5,
        cost: String = "10.00",
        owner: String = "VA"
    ) -> String {
        "T-\(id),\(month)/\(day)/2026 10:00,08,BLS,\(cost),\(owner)\n"
    }
}
