import Foundation
import TestSupport
import TripDomain
import TripMart

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// A mart with a random history of every kind of event.
struct RandomHistory {
    /// The kinds of events between two checks.
    enum Step: CaseIterable {
        case newFile
        case lateFile
        case correction
        case resentFile
        case night
        case fullNight
        case editedRule
        case editedReference
        case editedOverrides
        case heldOverrides
        case appliedEdits
        case rollback
        case include
        case pruning
    }

    let night: RunFolder
    private var dice: SeededDice
    private var fileNumbers: [Int] = []
    private var edits = 0

    init(seed: UInt64) throws {
        dice = SeededDice(seed: seed)
        night = try RunFolder()
        let replaces = dice.pick(["same_path", "period", "nothing"])
        // Small-cell suppression takes long and is not tested here.
        let limit = dice.pick([0, 0, 0, 4])
        try night.write(
            "pipeline/pipeline.yaml",
            Self.pipeline(replaces: replaces) + "kpis: {suppress_below: \(limit), "
                + "measures: {middle: {median: cost}, own: {count: \"vehicle.owner = 'VA'\"}}, "
                + "dimensions: {with_unit: unit}}\n" + RunPipeline.lenient
        )
        try night.write("pipeline/rules.yaml", Self.rules(fleetBasis: "va_fleet"))
        try writeVehicles()
        try writeOverrides()
        try writeFile(number: 50)
        try night.run()
    }

    var folder: MartFolder { MartFolder(path: night.options().martPath) }

    /// Performs a random event.
    ///
    /// - Returns: Its kind.
    mutating func step() throws -> Step {
        let step = dice.pick(Step.allCases)
        switch step {
        case .newFile: try writeFile(number: (fileNumbers.max() ?? 0) + 1 + dice.below(3))
        case .lateFile:
            try writeFile(number: max(10, (fileNumbers.min() ?? 50) - 1 - dice.below(3)))
        case .correction: try writeFile(number: (fileNumbers.max() ?? 0) + 1, ids: 0..<8)
        case .resentFile: try writeFile(number: dice.pick(fileNumbers))
        case .night: break
        case .fullNight:
            try run { $0.isFull = true }
            return step
        case .editedRule:
            try night.write(
                "pipeline/rules.yaml",
                Self.rules(fleetBasis: dice.pick(["va_fleet", "volunteer", "other_fleet"]))
            )
            try reclassify()
            return step
        case .editedReference:
            try writeVehicles()
            try reclassify()
            return step
        case .editedOverrides:
            try writeOverrides()
            try reclassify()
            return step
        case .heldOverrides: try writeOverrides()
        case .appliedEdits:
            try writeVehicles()
            try writeOverrides()
            try run { $0.appliesChanges = true }
            return step
        case .rollback:
            try rollBack()
            return step
        case .include:
            try run { $0.includedFiles = ["all"] }
            return step
        case .pruning:
            let after = Int64(Date().timeIntervalSince1970) + 10
            try Retention.apply(
                to: folder,
                keep: 1 + dice.below(2),
                now: after,
                minimumAgeSeconds: 0
            )
            return step
        }
        try run()
        return step
    }

    /// The number of some published generation.
    mutating func anyGeneration() throws -> Int { dice.pick(try folder.historyNumbers()) }

    private func run(_ adjust: (inout RunOptions) -> Void = { _ in }) throws {
        do {
            try night.run(adjust)
        } catch let failure as Failure where failure.status == .withheld {
            // Content that a check withholds cannot be verified.
        }
    }

    private func reclassify() throws {
        _ = try Reclassification(
            options: night.options(),
            plan: nil,
            progress: Progress()
        ).perform()
    }

    private mutating func rollBack() throws {
        let served = try folder.servedNumber()
        let targets = try folder.generationNumbers().filter { $0 != served }
        guard !targets.isEmpty else { return }
        _ = try Rollback(
            options: night.options(),
            to: dice.pick(targets),
            progress: Progress()
        ).perform()
    }

    private mutating func writeFile(number: Int, ids: Range<Int> = 0..<40) throws {
        if !fileNumbers.contains(number) { fileNumbers.append(number) }
        var text = "Trip Number,Pickup,VISN,Service Level,Amount Paid,Unit,Patient\n"
        for _ in 0..<(3 + dice.below(6)) {
            let id = ids.lowerBound + dice.below(ids.count)
            // Some lines cannot be read.
            let cost = dice.pick(["10.00", "99.50", "", "7.25", "much"])
            text +=
                "T-\(id),\(1 + dice.below(4))/\(1 + dice.below(28))/2026 8:0\(dice.below(9)),"
                + "0\(4 + dice.below(3)),\(dice.pick(["BLS", "ALS1"])),\(cost),"
                + "U\(dice.below(5)),P\(dice.below(12))\n"
        }
        try night.write("in/trips_\(number).csv", text)
    }

    /// An export of some trips that can all be read.
    static func file(of ids: Range<Int>) -> String {
        "Trip Number,Pickup,VISN,Service Level,Amount Paid,Unit,Patient\n"
            + ids.map { "T-\($0),3/5/2026 8:00,04,BLS,10.00,U1,P1\n" }.joined()
    }

    /// Writes other rows with each call.
    private mutating func writeVehicles() throws {
        edits += 1
        var text = "unit,owner,from,to\n"
        for unit in 0..<5 where dice.below(4) > 0 {
            let end = dice.pick(["", "2026-03-15"])
            text += "U\(unit),\(dice.pick(["VA", "VENDOR"])),2020-01-0\(1 + edits % 9),\(end)\n"
        }
        try night.write("reference/vehicles.csv", text)
    }

    /// Writes overrides of existing and of missing trips; some have expired, some will when more
    /// trips come.
    private mutating func writeOverrides() throws {
        var text = "trip_id,class,basis,author,reason,expires\n"
        for id in 0..<44 where dice.below(5) == 0 {
            let classAndBasis = dice.pick(["contracted,contract", "undetermined,"])
            text += "T-\(id),\(classAndBasis),office,by hand,2026-0\(1 + dice.below(8))-"
            text += "\(10 + dice.below(18))\n"
        }
        try night.write("pipeline/overrides.csv", text)
    }

    private static func pipeline(replaces: String) -> String {
        let period = replaces == "period" ? ", period: \"trips_(\\\\d)\"" : ""
        return """
            pipeline: history
            time_zone: America/New_York
            sources:
              trips: {files: "*.csv", order: "trips_(\\\\d+)", replaces: \(replaces)\(period)}
            fields:
              trip_id: Trip Number
              pickup_at: {from: Pickup, formats: ["M/d/yyyy H:mm"]}
              region: VISN
              trip_type: Service Level
              cost: Amount Paid
              unit: Unit
              patient: {from: Patient, type: patient_id}
            lookups:
              vehicle: {file: vehicles.csv, match: {unit: unit}, valid_on: pickup_date}
            rules: rules.yaml
            overrides: overrides.csv

            """
    }

    private static func rules(fleetBasis: String) -> String {
        """
        - id: own
          class: in_house
          basis: \(fleetBasis)
          when: vehicle.owner = 'VA'
          because: The vehicle belongs to VA.
        - id: vendor
          class: contracted
          basis: contract
          when: vehicle.owner = 'VENDOR'
          because: The vehicle belongs to a vendor.

        """
    }
}
