import Foundation
import TripMart

@testable import TripRuns
@testable import TripServer

/// A mart of one test's own that real nights publish into, removed when the test is over.
///
/// Its trips come from a seed: some regions and types have many in a month, some a handful.
final class PublishedMart: Sendable {
    let path: String
    var martPath: String { path + "/mart" }
    var folder: MartFolder { MartFolder(path: martPath) }

    /// - Parameters:
    ///   - expects: Whether an export is expected every day.
    ///   - goal: The goals that the pipeline declares, as they are written; nil for none.
    ///   - measures: The measures that it declares, likewise.
    /// - Throws: What the file system throws.
    init(expects: Bool = false, goal: String? = nil, measures: String? = nil) throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("triptych-server-" + UUID().uuidString).path
        for folder in ["in", "pipeline", "reference"] {
            try FileManager.default.createDirectory(
                atPath: path + "/" + folder,
                withIntermediateDirectories: true
            )
        }
        let minimal = try String(
            contentsOfFile: Self.checkout + "/pipelines/minimal/pipeline.yaml",
            encoding: .utf8
        )
        let files = #"{files: "*.csv"}"#
        precondition(minimal.contains(files), "the minimal pipeline has one source")
        let pipeline = minimal.replacing(
            files,
            with: expects ? #"{files: "*.csv", expect: daily}"# : files
        )
        let declared = [("goal", goal), ("measures", measures)].compactMap { key, text in
            text.map { "\(key): \($0)" }
        }
        let kpis = declared.isEmpty ? "" : "\nkpis: {\(declared.joined(separator: ", "))}\n"
        let file = URL(fileURLWithPath: path + "/pipeline/pipeline.yaml")
        try Data((pipeline + kpis).utf8).write(to: file)
    }

    deinit {
        // A folder that stays behind does no harm.
        try? FileManager.default.removeItem(atPath: path)
    }

    private static let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(3).joined(separator: "/")

    /// Takes in one more export and publishes the next generation.
    ///
    /// - Parameter seed: Decides the trips of the export, and how many there are.
    /// - Returns: The mart.
    /// - Throws: What the night throws.
    @discardableResult
    func publish(seed: Int) throws -> PublishedMart {
        let rows = (0..<(400 + seed * 10)).map { index -> String in
            // Squares spread unevenly: some values are frequent, some rare.
            let spread = (index * index + seed * 7) % 97
            let region = ["08", "10", "12", "20"][
                spread < 60 ? 0 : spread < 90 ? 1 : spread < 95 ? 2 : 3
            ]
            let type = ["BLS", "ALS1", "FW"][index % 31 == 0 ? 2 : index % 3 == 0 ? 1 : 0]
            let owner = index % 50 == 0 ? "" : index % 5 < 2 ? "VA" : "Vendor"
            let pickup = "\(index % 6 + 1)/\(index % 28 + 1)/2026 10:\(10 + index % 50)"
            return "T-\(seed)-\(index),\(pickup),\(region),\(type),\(100 + spread).25,\(owner)"
        }
        let header = "Trip Number,Pickup,VISN,Service Level,Amount Paid,Vehicle Owner"
        let text = ([header] + rows).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/in/trips_\(seed).csv"))
        _ = try NightlyRun(options: options, progress: Progress()).perform()
        return self
    }

    /// Saves what moved the numbers from the generation before to the served one.
    ///
    /// - Throws: What the comparison throws.
    func saveChanges() throws {
        let difference = Difference(
            options: options,
            query: KPIQuery(),
            scratch: nil,
            isSaved: true,
            progress: Progress()
        )
        _ = try difference.answer(nil, nil)
    }

    private var options: RunOptions {
        RunOptions(
            pipelinePath: path + "/pipeline",
            martPath: martPath,
            inputPath: path + "/in",
            referencePath: path + "/reference",
            now: 1_793_513_640
        )
    }
}

extension RunLog {
    /// Writes down a night that published its first generation.
    ///
    /// - Parameter command: What was run.
    /// - Throws: ``MartError``.
    func recordNight(command: String) throws {
        let number = try begin(command: command, startedAt: "2026-11-20 02:14:07Z")
        try finish(
            number,
            endedAt: "2026-11-20 02:15:00Z",
            exitCode: 0,
            outcome: "published",
            generation: 1,
            summary: "PUBLISHED",
            details: "details"
        )
    }
}
