import Foundation
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// Results from stored trips, compared with those of exports that are read again.
@Suite struct StoredDecisionsTests {
    private struct ClassifiedTrips: Hashable {
        let rule: String?
        let isCounted: Bool
    }

    /// Every trip of the served generation with the rule that decided it.
    private static func decided(_ served: ServedMart) throws -> [String: ClassifiedTrips] {
        var all: [String: ClassifiedTrips] = [:]
        for trip in try served.trips(TripFilter(), limit: 100_000).trips {
            all[trip.tripID] = ClassifiedTrips(rule: trip.ruleID, isCounted: trip.isCounted)
        }
        return all
    }

    @Test(arguments: SampleEdit.allCases)
    func anEditGivesWhatAFullRunGives(edit: SampleEdit) throws {
        let folder = try ChangeFolder(seed: 11)
        let before = try folder.served
        try edit.make(folder)
        try folder.requireStoredFields()
        let planned = try folder.decisions()
        try folder.night.run {
            $0.isFull = true
            $0.appliesChanges = true
        }
        let after = try folder.served
        #expect(try planned.cube.cells == after.cube())
        #expect(try Set(planned.cube.basisCells) == Set(after.basisCells()))
        #expect(planned.cube.regions == (try after.regions().map(\.value)))
        try Self.expectMoves(planned.changes, before, after)
    }

    /// Compares the moves with the trips of both generations, one by one.
    private static func expectMoves(
        _ changes: DecisionChanges,
        _ before: ServedMart,
        _ after: ServedMart
    ) throws {
        let (old, new) = (try decided(before), try decided(after))
        #expect(old.keys == new.keys)
        var expected: [[ClassifiedTrips]: Int64] = [:]
        for (trip, decision) in old {
            expected[[decision, try #require(new[trip])], default: 0] += 1
        }
        func id(_ number: Int, _ served: ServedMart) throws -> String? {
            number == 0 ? nil : try served.rules()[number - 1].id
        }
        var found: [[ClassifiedTrips]: Int64] = [:]
        for move in changes.all {
            let from = ClassifiedTrips(
                rule: try id(move.transition.oldRule, before),
                isCounted: move.transition.wasCounted
            )
            let to = ClassifiedTrips(
                rule: try id(move.transition.newRule, after),
                isCounted: move.transition.isCounted
            )
            found[[from, to], default: 0] += move.sums.trips
            for number in move.samples {
                let trip = try #require(try before.tripID(number: number))
                #expect(old[trip] == from && new[trip] == to)
            }
        }
        #expect(found == expected)
    }

    /// Damages that make a file differ from the published one.
    private static let damages = [
        "UPDATE trip_row SET rule_number = 60000 WHERE trip_number = 5",
        "UPDATE trip_row SET rule_number = 1 + rule_number % 3 WHERE trip_number < 9",
        "DELETE FROM rule WHERE number = 20", "DELETE FROM trip_row WHERE trip_number = 1",
        "DELETE FROM trip_row WHERE trip_number > 600", "DELETE FROM trip_row",
        "UPDATE trip_row SET trip_number = -7 WHERE trip_number = 1",
        "UPDATE trip_row SET paid_cents = 9223372036854775807 WHERE trip_number = 5",
        "UPDATE trip_row SET paid_cents = paid_cents + 1",
        "UPDATE trip_row SET miles_hundredths = 9223372036854775807 WHERE trip_number = 5",
        "UPDATE trip_row SET pickup_at = 9223372036854775807 WHERE trip_number = 700",
        "UPDATE trip_row SET counted = 1 - counted WHERE trip_number = 5",
        "UPDATE trip_row SET station = 4000000 WHERE trip_number = 5",
        "UPDATE trip_row SET station = -1 WHERE trip_number = 5",
        "UPDATE trip_row SET station = 'x' WHERE trip_number = 5",
    ]

    /// A damaged file does not look like an effect of an edit.
    @Test func damagedFilesAreRefused() throws {
        let folder = try ChangeFolder(seed: 14)
        let path = try folder.served.file.path
        let sound = try Data(contentsOf: URL(fileURLWithPath: path))
        let classifier = try folder.compiled().classifier
        for damage in Self.damages {
            try sound.write(to: URL(fileURLWithPath: path))
            try SQLiteDump.execute(path, damage)
            let error = #expect(throws: MartError.self, "\(damage)") {
                try folder.decisions(by: classifier)
            }
            #expect(error?.code == .damaged)
            #expect(error?.remedy.contains("triptych run names the other ways out") == true)
        }
    }

    @Test func threadsChangeNothing() throws {
        let folder = try ChangeFolder(seed: 12)
        try SampleEdit.vehicles.make(folder)
        let (one, eight) = (try folder.decisions(threads: 1), try folder.decisions(threads: 8))
        #expect(one.cube.cells == eight.cube.cells)
        #expect(one.changes.all == eight.changes.all)
        #expect(one.changes.relocated == eight.changes.relocated)
    }

    /// An edit that is valid from a day on leaves earlier months unchanged.
    @Test(arguments: ["2026-01-15", "2026-08-01"])
    func aDatedEditLeavesEarlierMonthsUnchanged(day: String) throws {
        let folder = try ChangeFolder(seed: 13)
        let date = try #require(CivilDate(text: day))
        let eve = CivilDate(dayNumber: date.dayNumber - 1).text
        try folder.rewrite("stations.csv") { lines in
            // Every station of region 08 goes to 17 on that day.
            lines = lines.flatMap { line -> [String] in
                let cells = line.split(separator: ",", omittingEmptySubsequences: false)
                guard line.contains(",08,"), cells.contains("") else { return [line] }
                return Self.split(line, eve: eve, day: day)
            }
        }
        try folder.requireStoredFields()
        let month = date.month.text
        let old = try folder.served.cube()
        let new = try folder.decisions().cube.cells
        func early(_ cells: [KPICell]) -> [KPICell] {
            cells.filter { $0.month != KPICell.all && $0.month < month }
        }
        #expect(early(old) == early(new))
        #expect(old != new)
    }

    /// Divides a row that holds for ever: unchanged up to the day before, in region 17 from the day
    /// on.
    private static func split(_ line: String, eve: String, day: String) -> [String] {
        var cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        // station,from,to,region,…
        guard cells[2].isEmpty, cells[1] < day else { return [line] }
        var later = cells
        cells[2] = eve
        later[1] = day
        later = later.map { $0 == "08" ? "17" : $0 }
        return [cells, later].map { $0.joined(separator: ",") }
    }
}
