import Foundation
import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns
@testable import TripSynthetic

/// A mart of synthetic trips with a pipeline and reference files of its own, to be edited.
struct ChangeFolder {
    let night: RunFolder

    /// The first lines of the rule of VA's vehicles.
    static let vehicleRule = "- id: va-vehicle\n  class: in_house\n  basis: va_fleet\n"

    init(
        seed: UInt64,
        trips: Int = 700,
        hasFaults: Bool = false,
        keepsExamples: Bool = true
    ) throws {
        night = try RunFolder()
        var synthetic = SyntheticOptions(tripCount: trips, monthCount: 14, seed: seed)
        synthetic.layout = .mixed
        synthetic.hasFaults = hasFaults
        _ = try SyntheticExport(synthetic).write(to: night.path + "/in", threadCount: 2)
        let manager = FileManager.default
        for (from, to) in [
            (Repository.path("pipelines/ambulance"), "pipeline"),
            (night.path + "/in/reference", "reference"),
        ] {
            try manager.removeItem(atPath: night.path + "/" + to)
            try manager.copyItem(atPath: from, toPath: night.path + "/" + to)
        }
        // Small-cell suppression takes long and is not tested here.
        try replace("pipeline/pipeline.yaml", "suppress_below: 11", "suppress_below: 0")
        if hasFaults {
            try replace("pipeline/pipeline.yaml", "reject_pct > 2", "reject_pct > 50")
        }
        if !keepsExamples {
            // A trip that the rule of VA's vehicles loses has another basis then.
            let rules = try text("pipeline/rules.yaml")
                .replacing(#/  examples:\n( {4}.*\n)+/#, with: "")
                .replacing("basis: va_fleet\n", with: "basis: va_other\n")
                .replacing(
                    "- id: va-vehicle\n  class: in_house\n  basis: va_other\n",
                    with: Self.vehicleRule
                )
            try night.write("pipeline/rules.yaml", rules)
        }
        try night.run()
    }

    var options: RunOptions { night.options() }

    var served: ServedMart {
        get throws { try ServedMart.open(MartFolder(path: options.martPath)) }
    }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: night.path + "/" + name, encoding: .utf8)
    }

    /// Replaces all occurrences of a text in a file.
    func replace(_ name: String, _ old: String, _ new: String) throws {
        let text = try text(name)
        precondition(text.contains(old), "what is to be edited is there")
        try night.write(name, text.replacing(old, with: new))
    }

    /// Rewrites the data lines of a reference file.
    func rewrite(_ name: String, _ body: (inout [String]) throws -> Void) throws {
        var lines = try text("reference/" + name).split(separator: "\n").map(String.init)
        let header = lines.removeFirst()
        try body(&lines)
        try night.write("reference/" + name, ([header] + lines).joined(separator: "\n") + "\n")
    }

    /// The lines of vehicles that VA owns and that drove more than one trip.
    func vehiclesInUse(_ lines: [String]) throws -> [Int] {
        let exports = try FileManager.default.contentsOfDirectory(atPath: night.path + "/in")
            .filter { $0.hasSuffix(".csv") }
        var journeys: [Substring: Int] = [:]
        for export in exports {
            for cell in try text("in/" + export).split(whereSeparator: { ",\n".contains($0) }) {
                journeys[cell, default: 0] += 1
            }
        }
        return lines.indices.filter { index in
            lines[index].contains(",VA,")
                && journeys[lines[index].prefix { $0 != "," }, default: 0] > 1
        }
    }

    func compiled() throws -> CompiledPipeline {
        let folder = try FolderReading(options)
        return try CompiledPipeline(
            folder.pipeline,
            references: folder.references,
            dataThrough: served.header.dataThrough
        )
    }

    func decisions(threads: Int = 2) throws -> StoredDecisions {
        try decisions(by: compiled().classifier, threads: threads)
    }

    func decisions(by classifier: TripClassifier, threads: Int = 2) throws -> StoredDecisions {
        try StoredDecisions(
            served,
            classifier,
            threadCount: threads,
            progress: Progress()
        )
    }

    func edits() throws -> FolderEdits {
        try FolderEdits(PublishedInputs(served).kept, FolderReading(options))
    }

    func requireStoredFields() throws {
        try StoredFields(
            served,
            PublishedInputs(served).kept,
            compiled(),
            edits(),
            command: "pipeline"
        ).require()
    }
}

/// The kinds of edits an analyst may make.
enum SampleEdit: CaseIterable {
    case nothing
    case basis
    case removedRule
    case movedRule
    case addedRule
    case vehicles
    case contracts
    case regions
    case counting
    case derived
    case derivedColumns
    case overrides

    func make(_ folder: ChangeFolder) throws {
        let rules = "pipeline/rules.yaml"
        switch self {
        case .nothing: break
        case .basis:
            try folder.replace(rules, "basis: community_care", "basis: contract")
        case .removedRule:
            let text = try folder.text(rules)
            let parts = text.components(separatedBy: "\n- id: ")
            let kept = parts.filter { !$0.hasPrefix("vendor-npi\n") }
            // Without the rule, the next ones decide what its neighbours leave.
            try folder.night.write(rules, kept.joined(separator: "\n- id: "))
        case .movedRule:
            let parts = try folder.text(rules).components(separatedBy: "\n- id: ")
            var moved = parts
            moved.append(moved.remove(at: parts.count - 3))
            try folder.night.write(rules, moved.joined(separator: "\n- id: "))
        case .addedRule:
            let rule = """
                - id: far
                  class: undetermined
                  basis: far
                  from: 2026-02-10
                  when: miles_hundredths > 9000
                  because: Far journeys are looked at by hand.

                """
            let text = try folder.text(rules)
            try folder.night.write(
                rules,
                text.replacing("- id: air-contract", with: rule + "\n- id: air-contract")
            )
        case .vehicles:
            try folder.rewrite("vehicles.csv") { lines in
                for index in stride(from: 0, to: lines.count, by: 3) {
                    lines[index] = lines[index].replacing(",VA,", with: ",VENDOR,")
                }
                lines.remove(at: 1)
            }
        case .contracts:
            try folder.rewrite("contracts.csv") { lines in lines.removeLast(lines.count / 2) }
        case .regions:
            try folder.rewrite("stations.csv") { lines in
                lines = lines.map { $0.replacing(",08,", with: ",17,") }
            }
        case .counting:
            try folder.replace(
                "pipeline/pipeline.yaml",
                "status = 'completed'",
                "status IN ('completed', 'other') AND paid_cents IS NOT NULL"
            )
        case .derived:
            try folder.replace(
                "pipeline/pipeline.yaml",
                "coalesce(level.trip_type, 'OTHER')",
                "CASE WHEN miles_hundredths > 5000 THEN 'FAR' ELSE level.trip_type END"
            )
        case .derivedColumns: try Self.deriveOtherColumns(folder)
        case .overrides: try Self.overrideTrips(folder)
        }
    }

    /// Overrides for trips of every class: in force, expired, and of no trip.
    private static func overrideTrips(_ folder: ChangeFolder) throws {
        let file = "pipeline/pipeline.yaml"
        if try !folder.text(file).contains("\noverrides:") {
            try folder.night.write(file, folder.text(file) + "\noverrides: overrides.csv\n")
        }
        let served = try folder.served
        var text = "trip_id,author,reason,class,basis,expires\n"
        let bases = ["in_house,va_fleet", "contracted,contract", "undetermined,"]
        for number in 1...24 {
            guard let id = try served.tripID(number: Int64(number * 19)) else { break }
            let day = number % 4 == 0 ? "2020-01-31" : "2190-01-31"
            text += "\(id),office,\"by hand, \(number)\",\(bases[number % 3]),\(day)\n"
        }
        text += "NOBODY,office,a typing error,undetermined,,2190-01-31\n"
        try folder.night.write("pipeline/overrides.csv", text)
    }

    /// Adds one column of each kind, and removes one.
    private static func deriveOtherColumns(_ folder: ChangeFolder) throws {
        let file = "pipeline/pipeline.yaml"
        let gone = try folder.text(file).split(separator: "\n").first {
            $0.hasPrefix("  has_qn:")
        }
        try folder.replace(
            file,
            try #require(gone.map(String.init)),
            """
              aa_word: station || '-' || coalesce(hcpcs, '?')
              per_mile: paid_cents * 1.0 / miles_hundredths
              is_far: miles_hundredths > 3000
            """
        )
        let rules = try folder.text("pipeline/rules.yaml")
        try folder.night.write(
            "pipeline/rules.yaml",
            rules.replacing("has_qn = 1", with: "instr(coalesce(modifiers, ''), 'QN') > 0")
                .replacing("has_qn: 1", with: "modifiers: QN")
        )
    }
}
