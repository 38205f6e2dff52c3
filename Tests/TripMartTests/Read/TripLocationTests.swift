import TestSupport
import Testing
import TripDomain

@testable import TripMart

@Suite struct TripLocationTests {
    static let uri = "s3://trips/2026"

    /// The same generation with its trips at another place: the file has its numbers alone.
    static func contents(
        _ reference: ReferenceGeneration,
        number: Int = 1
    ) -> GenerationContents {
        var contents = reference.contents(number: number)
        var location = TripLocation(uri: uri, planHash: "p", resultsHash: "r")
        let months = Dictionary(grouping: reference.trips, by: \.month)
        location.months = months.sorted { $0.key < $1.key }
            .map { TripLocation.MonthTrips(month: $0.key, trips: Int64($0.value.count)) }
        location.statuses = Reconciliation.rows(of: contents).map {
            TripLocation.StatusTrips(status: $0.status, isCounted: $0.isCounted, trips: $0.trips)
        }
        contents.summary.tripLocation = location
        (contents.batches, contents.acceptedOrder, contents.versions) = ([], [], [])
        for index in contents.rejects.indices {
            contents.rejects[index].isCorrection =
                contents.rejects[index].tripID != nil && index.isMultiple(of: 2)
        }
        return contents
    }

    private static func served(
        _ mart: BuiltMart,
        _ reference: ReferenceGeneration
    ) throws -> ServedMart {
        let built = try mart.writer.write(contents(reference))
        try GenerationChecker.require(built.path, includingIntegrity: true)
        try Publication(mart.folder).publish(built)
        return try ServedMart.open(mart.folder)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func theNumbersAreThoseOfTheSameGenerationWithItsTrips(seed: UInt64) throws {
        let reference = ReferenceGeneration(seed: seed, count: 500)
        let whole = try BuiltMart().publish(reference)
        let mart = try BuiltMart()
        let served = try Self.served(mart, reference)
        #expect(try served.cube() == whole.cube())
        #expect(try served.basisCells() == whole.basisCells())
        #expect(try served.ledger() == whole.ledger())
        #expect(try served.months() == whole.months())
        #expect(try served.bridge() == whole.bridge())
        #expect(try served.rejectGroups().map(\.count) == whole.rejectGroups().map(\.count))
        let location = try #require(served.location)
        #expect(location.uri == Self.uri && location.trips == Int64(reference.trips.count))
        #expect(try PublishedCube.open(mart.folder, generation: 1).tripLocation() == location)
        #expect(whole.location == nil)
    }

    @Test func whatNeedsTripsIsRefusedAndNeverEmpty() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 4, count: 100)
        let served = try Self.served(mart, reference)
        let id = reference.trips[0].id
        expectFailure(.tripsElsewhere) { _ = try served.trips(TripFilter(), limit: 10) }
        expectFailure(.tripsElsewhere) { _ = try served.trip(id: id) }
        expectFailure(.tripsElsewhere) { _ = try served.hasTrip(id: id) }
        expectFailure(.tripsElsewhere) { _ = try served.hasTrip(where: "station", is: "528") }
        expectFailure(.tripsElsewhere) { _ = try served.tripID(number: 1) }
        expectFailure(.tripsElsewhere) { _ = try served.region(ofTrip: id) }
        expectFailure(.tripsElsewhere) { _ = try served.versions(id) }
        expectFailure(.tripsElsewhere) { _ = try served.openPatient(ref: 1, keys: mart.keys) }
        expectFailure(.tripsElsewhere) { _ = try StoredTrips(served, columns: []) }
        expectFailure(.tripsElsewhere) { _ = try TripPairs(served, served, threadCount: 1) }
        do throws(MartError) {
            try served.requireTrips()
            Issue.record("trips lie elsewhere")
        } catch {
            #expect(error.remedy.contains("s3://trips/2026/*/*.parquet"))
            #expect(error.tripLocation == served.location && error.generation == 1)
        }
    }

    @Test func rejectsSayWhichOfThemWouldHaveCorrectedATrip() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 5, count: 400)
        let served = try Self.served(mart, reference)
        let corrections = try served.rejects(RejectFilter(isCorrection: true), limit: 1000)
        let expected = Self.contents(reference).rejects.enumerated().filter(\.element.isCorrection)
        #expect(!expected.isEmpty && corrections.map(\.number) == expected.map { $0.offset + 1 })
        let text = try served.openRejectText(number: 1, keys: mart.keys)
        #expect(String(decoding: text.revealed(), as: UTF8.self).hasPrefix("raw record"))
    }

    /// Programs that know nothing of it refuse the file, and all others are as before.
    @Test func theFilesHaveAVersionOfTheirOwn() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 6, count: 50)
        let built = try mart.writer.write(Self.contents(reference))
        for (path, version) in [(built.path, "2"), (built.historyPath, "2"), (built.kpiPath, "1")] {
            #expect(try BuiltMart.rows(path, "PRAGMA user_version") == [[version]])
        }
        let native = try BuiltMart()
        defer { withExtendedLifetime(native) {} }
        let other = try native.build(reference)
        for path in [other.path, other.historyPath, other.kpiPath] {
            #expect(try BuiltMart.rows(path, "PRAGMA user_version") == [["1"]])
        }
    }

    // MARK: Where the files are, as programs that read Parquet are told

    private func place(_ uri: String) -> TripLocation {
        TripLocation(uri: uri, planHash: "p", resultsHash: "r")
    }

    @Test(arguments: [
        ("/o t/[x]", "/o t/[x]", "/o t/[[]x]"), ("/100%20/", "/100%20/", "/100%20"),
        ("file:///o%20t/%5Bx%5d", "/o t/[x]", "/o t/[[]x]"),
        ("file:/%e2%82%ac%2a", "/€*", "/€[*]"), ("file://here/a?b%", "/a?b%", "/a[?]b%"),
        ("/a%+5/%4", "/a%+5/%4", "/a%+5/%4"), ("file:/a%-0/%4", "/a%-0/%4", "/a%-0/%4"),
        ("/o'd", "/o'd", "/o''d"),
    ])
    func aPlaceOfThisMachineIsAFolder(uri: String, folder: String, pattern: String) {
        #expect(place(uri).folder == folder)
        #expect(
            place(uri).duckdbTable
                == "read_parquet('\(pattern)/*/*.parquet', hive_partitioning = false)"
        )
        #expect(place(uri).isGone)
    }

    @Test func anotherPlaceIsReadAsItIsNamed() {
        let distant = place("s3://trips/region=99/o%20t//")
        #expect(distant.folder == nil && !distant.isGone)
        #expect(
            distant.duckdbTable == "read_parquet('s3://trips/region=99/o%20t/*/*.parquet', "
                + "hive_partitioning = false)"
        )
        #expect(place("/").duckdbTable.hasPrefix("read_parquet('/*/*.parquet'"))
        #expect(!place("/").isGone && !place("file:///").isGone)
    }
}
