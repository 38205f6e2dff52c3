import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripRuns

/// What readers of `kpi.sqlite` find after a night on generated exports.
@Suite struct SuppressedCubeTests {
    @Test func headlineTotalsOfFourThousandTripsAreShown() throws {
        let folder = try NightFolder()
        let synthetic = SyntheticOptions(tripCount: 4000, monthCount: 18, seed: 1)
        _ = try SyntheticExport(synthetic).write(to: folder.path + "/in", threadCount: 2)
        try folder.run {
            $0.pipelinePath = Repository.path("pipelines/ambulance")
            $0.referencePath = folder.path + "/in/reference"
        }
        let mart = MartFolder(path: folder.path + "/mart")
        let shown = try Self.totals(mart.kpiLinkPath)
        let counted = try Self.totals(ServedMart.open(mart).file.path)
        #expect(counted.months.count == 18)
        #expect(shown.grand == counted.grand)
        #expect(shown.months == counted.months)
    }

    /// Trips and classes of all trips, and the trips of each month.
    private static func totals(_ path: String) throws -> (grand: [String], months: [String]) {
        let whole = "trip_type = 'all' AND region = 'all'"
        return (
            try SQLiteDump.query(
                path,
                "SELECT trips, in_house_trips, contracted_trips FROM kpi_cube "
                    + "WHERE month = 'all' AND \(whole)"
            ),
            try SQLiteDump.query(
                path,
                "SELECT month, trips FROM kpi_cube WHERE month <> 'all' AND \(whole)"
            )
        )
    }
}
