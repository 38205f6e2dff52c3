import Foundation
import TestSupport
import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// Rules and reference rows have dates of validity: an edit with a future date changes no earlier
/// month.
@Suite struct PlanTests {
    /// A dated edit of one kind, valid from a day on.
    private enum DatedEdit: CaseIterable {
        case addedRule
        case vehicle
        case station
        case contract

        func make(_ folder: ChangeFolder, from day: CivilDate, _ dice: inout SeededDice) throws {
            let eve = CivilDate(dayNumber: day.dayNumber - 1).text
            switch self {
            case .addedRule:
                let rule = """
                    - id: dated
                      class: undetermined
                      basis: dated
                      from: \(day.text)
                      when: miles_hundredths > 500
                      because: Journeys that are looked at by hand from a day on.

                    """
                let text = try folder.text("pipeline/rules.yaml")
                try folder.night.write(
                    "pipeline/rules.yaml",
                    text.replacing("- id: air-contract", with: rule + "\n- id: air-contract")
                )
            case .vehicle:
                try Self.cut(folder, "vehicles.csv", eve, day.text, &dice) {
                    $0.replacing(",VA,", with: ",VENDOR,").replacing(",VENDOR,", with: ",CITY,")
                }
            case .station:
                try Self.cut(folder, "stations.csv", eve, day.text, &dice) { $0 }
            case .contract:
                try Self.cut(folder, "contracts.csv", eve, day.text, &dice) { _ in nil }
            }
        }

        /// Divides every second row that is valid on the day: unchanged until the day before, and
        /// from the day on edited or removed.
        private static func cut(
            _ folder: ChangeFolder,
            _ file: String,
            _ eve: String,
            _ day: String,
            _ dice: inout SeededDice,
            _ edit: (String) -> String?
        ) throws {
            let names = try #require(folder.text("reference/" + file).split(separator: "\n").first)
                .split(separator: ",").map(String.init)
            let from = try #require(names.firstIndex(of: "from"))
            let to = try #require(names.firstIndex(of: "to"))
            var added: [String] = []
            let isCut = (0..<10_000).map { _ in dice.below(2) == 0 }
            try folder.rewrite(file) { lines in
                lines = lines.enumerated().map { index, line in
                    var cells = line.split(separator: ",", omittingEmptySubsequences: false)
                        .map(String.init)
                    // Quoted cells with commas are left alone.
                    guard isCut[index], cells.count == names.count,
                        cells[from].isEmpty || cells[from] <= eve,
                        cells[to].isEmpty || cells[to] >= day
                    else { return line }
                    var later = cells
                    later[from] = day
                    if let edited = edit(later.joined(separator: ",")) { added.append(edited) }
                    cells[to] = eve
                    return cells.joined(separator: ",")
                }
                lines += added
            }
        }
    }

    @Test(arguments: seeds(701...710))
    func noEarlierMonthChanges(seed: Int) throws {
        var dice = SeededDice(seed: UInt64(seed))
        let folder = try ChangeFolder(seed: UInt64(seed), trips: 300)
        let months = try folder.served.months().map(\.month)
        let month = months[1 + dice.below(months.count - 1)]
        let day = CivilDate(dayNumber: month.firstDay.dayNumber + Int32(dice.below(28)))
        for edit in DatedEdit.allCases where dice.below(2) == 0 || edit == .addedRule {
            try edit.make(folder, from: day, &dice)
        }
        let planned = try PlannedEdits(folder.options, folder.served)
        let plan = try planned.plan(
            planned.decide(folder.options, progress: Progress())
        )
        #expect(plan.changedTrips > 0)
        #expect(!plan.cells.contains { $0.month < month.text }, "\(month.text) \(plan.months)")
        // No trip of an earlier day changes, though its month may be the same.
        for number in plan.rules.flatMap(\.samples) + plan.relocatedSamples {
            let picked = try SQLiteDump.query(
                folder.served.file.path,
                "SELECT pickup_date FROM trip WHERE trip_number = \(number)"
            )
            #expect(picked.allSatisfy { $0 >= day.text })
        }
    }
}
