import Testing
import TripMart

@testable import TripRuns

@Suite struct StoredFieldsTests {
    private static func expectRefusal(_ folder: ChangeFolder, _ words: String) {
        let error = #expect(throws: RunError.self) { try folder.requireStoredFields() }
        #expect(error?.what.contains(words) == true)
        #expect(error?.remedies.last?.hasSuffix("--full --apply-changes") == true)
    }

    @Test func anEditOfAFieldNeedsTheExports() throws {
        let folder = try ChangeFolder(seed: 31, trips: 60)
        try folder.replace("pipeline/layouts/native.yaml", "range: [0, 5000]", "range: [0, 4000]")
        Self.expectRefusal(folder, "`fields` of the pipeline changed")
    }

    @Test func theKeyThatWasEditedIsNamed() throws {
        let folder = try ChangeFolder(seed: 31, trips: 60)
        try folder.replace("pipeline/pipeline.yaml", "zone_from: site.time_zone\n", "")
        Self.expectRefusal(folder, "`zone_from` of the pipeline changed")
    }

    @Test func anotherCostNeedsTheExports() throws {
        let folder = try ChangeFolder(seed: 31, trips: 60)
        try folder.replace("pipeline/pipeline.yaml", "cost: paid", "cost: billed")
        Self.expectRefusal(folder, "another field for the cost")
    }

    @Test func anotherTimeZoneNeedsTheExportsWhereTripsHaveIt() throws {
        let folder = try ChangeFolder(seed: 32, trips: 600)
        let name = "402"
        #expect(try folder.served.hasTrip(where: "station", is: name))
        try folder.rewrite("stations.csv") { lines in
            lines = lines.map { line in
                guard line.hasPrefix(name + ",") else { return line }
                return line.replacing("America/New_York", with: "America/Chicago")
            }
        }
        Self.expectRefusal(folder, "trips of station \(name) get another time zone")
    }

    /// A station without trips, and one whose row is divided in two, change no time.
    @Test func rowsWithoutAChangeOfTimeZoneAreAccepted() throws {
        let folder = try ChangeFolder(seed: 33, trips: 300)
        try folder.rewrite("stations.csv") { lines in
            var cells = lines[0].split(separator: ",", omittingEmptySubsequences: false)
                .map(String.init)
            let rest = cells[3...].joined(separator: ",")
            lines[0] = "\(cells[0]),\(cells[1]),2026-01-31,\(rest)"
            lines.append("\(cells[0]),2026-02-01,,\(rest)")
            cells[0] = "999"
            cells[4] = "Pacific/Guam"
            lines.append(cells.joined(separator: ","))
        }
        try folder.requireStoredFields()
    }
}
