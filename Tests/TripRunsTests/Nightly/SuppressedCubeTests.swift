import TestSupport
import Testing
import TripDomain
import TripEngine
import TripMart

@testable import TripRuns
@testable import TripSynthetic

/// The content of `kpi.sqlite` after a run on synthetic exports.
@Suite struct SuppressedCubeTests {
    @Test func countsOfSomeHundredTripsAMonthAreShown() throws {
        let (shown, counted) = try Self.night(
            SyntheticOptions(tripCount: 4000, monthCount: 18, seed: 1)
        )
        #expect(counted.months.count == 18)
        #expect(shown.trips == counted.trips)
        #expect(shown.months == counted.months)
    }

    /// A month with few undetermined trips hides the classes: its total less the other two would
    /// reveal them.
    @Test func classesAreShownWhereEveryMonthHasManyUndeterminedTrips() throws {
        let (shown, counted) = try Self.night(
            SyntheticOptions(tripCount: 20_000, monthCount: 6, seed: 1)
        )
        let leastUndetermined = try #require(counted.undetermined.min())
        try #require(leastUndetermined > 10)
        #expect(shown.trips == counted.trips)
        #expect(shown.classes == counted.classes)
        #expect(shown.months == counted.months)
    }

    /// The content of `kpi.sqlite` and of the generation itself after a run on synthetic exports.
    private static func night(
        _ synthetic: SyntheticOptions
    ) throws -> (shown: Totals, counted: Totals) {
        let folder = try RunFolder()
        _ = try SyntheticExport(synthetic).write(to: folder.path + "/in", threadCount: 2)
        try folder.run {
            $0.pipelinePath = Repository.path("pipelines/ambulance")
            $0.referencePath = folder.path + "/in/reference"
        }
        let mart = MartFolder(path: folder.path + "/mart")
        return (try Totals(mart.kpiLinkPath), try Totals(ServedMart.open(mart).file.path))
    }
}

/// The rows of all types and regions.
private struct Totals {
    /// Trips of all months.
    let trips: [String]
    /// In-house and contracted trips of all months.
    let classes: [String]
    /// The trips of each month.
    let months: [String]
    /// The undetermined trips of each month, where they are shown.
    let undetermined: [Int]

    init(_ path: String) throws {
        func query(_ columns: String, _ months: String) throws -> [String] {
            try SQLiteDump.query(
                path,
                "SELECT \(columns) FROM kpi_cube WHERE \(months) "
                    + "AND trip_type = 'all' AND region = 'all'"
            )
        }
        trips = try query("trips", "month = 'all'")
        classes = try query("in_house_trips, contracted_trips", "month = 'all'")
        months = try query("month, trips", "month <> 'all'")
        undetermined = try query("undetermined_trips", "month <> 'all'").compactMap(Int.init)
    }
}
