import TestSupport
import Testing
import TripDomain

@testable import TripMart

@Suite struct StoredTripsTests {
    private static func published(
        _ reference: ReferenceGeneration,
        distinctLimit: Int = TextCoding.distinctLimit
    ) throws -> (mart: BuiltMart, served: ServedMart) {
        let mart = try BuiltMart()
        var writer = mart.writer
        writer.distinctLimit = distinctLimit
        try Publication(mart.folder).publish(try writer.write(reference.contents()))
        return (mart, try ServedMart.open(mart.folder))
    }

    /// One row of the reference generation, in the order of its columns.
    private static func expected(_ trip: ReferenceTrip) -> [String?] {
        [
            trip.id, "\(trip.pickup)", "\(trip.pickup + trip.utcOffset)", trip.station, trip.note,
            trip.miles.map { "\($0)" }, trip.cost.map { "\($0)" }, nil,
            trip.ratio.map { "\($0)" }, trip.seen.map { $0 ? "1" : "0" },
            trip.ordered.map { "\($0.dayNumber)" }, trip.status, trip.region, trip.tripType,
        ]
    }

    private static func shown(_ column: Column, _ row: Int) -> String? {
        switch column {
        case .text(let texts): return texts.pool.string(texts.codes[row])
        case .integer(let integers): return integers.value(row).map { "\($0)" }
        case .real(let reals): return reals.isNull(row) ? nil : "\(reals.values[row])"
        }
    }

    /// Every value of every trip, for any size of batches, with texts by code and in the rows.
    @Test(arguments: [1, 3, 256], [3, TextCoding.distinctLimit])
    func everyValueIsReadUnchanged(leaves: Int, distinctLimit: Int) throws {
        let reference = ReferenceGeneration(seed: UInt64(leaves), count: 1500)
        let (mart, served) = try Self.published(reference, distinctLimit: distinctLimit)
        defer { withExtendedLifetime(mart) {} }
        let stored = try StoredTrips(
            served,
            columns: Set(served.shape.columns.indices),
            leavesOfBatch: leaves
        )
        #expect((stored.batchCount > 1) == (leaves < 256))
        var number = 1
        for index in 0..<stored.batchCount {
            let batch = try stored.batch(index)
            #expect(batch.firstNumber == Int64(number))
            for row in 0..<batch.trips.count {
                let trip = reference.trips[number - 1]
                let values = batch.trips.columns.map { Self.shown($0, row) }
                try #require(values == Self.expected(trip))
                try #require(batch.trips.ruleNumbers[row] == UInt16(trip.rule))
                try #require(batch.trips.counted[row] == trip.isCounted)
                number += 1
            }
        }
        #expect(number == reference.trips.count + 1)
    }

    @Test func columnsThatWereNotRequestedHaveNoRows() throws {
        let reference = ReferenceGeneration(seed: 5, count: 90)
        let (mart, served) = try Self.published(reference)
        defer { withExtendedLifetime(mart) {} }
        let stored = try StoredTrips(served, columns: [served.shape.regionIndex])
        let columns = try stored.batch(0).trips.columns
        #expect(
            columns.indices.filter { columns[$0].count > 0 } == [served.shape.regionIndex]
        )
        #expect(columns[served.shape.regionIndex].count == 90)
    }

    @Test func aGenerationWithoutTripsHasOneEmptyBatch() throws {
        let (mart, served) = try Self.published(ReferenceGeneration(seed: 1, count: 0))
        defer { withExtendedLifetime(mart) {} }
        let stored = try StoredTrips(served, columns: [])
        #expect(stored.batchCount == 1)
        #expect(try stored.batch(0).trips.count == 0)
    }

    /// Any byte of the rows may be damaged: reading ends with the mart's error or with other
    /// values.
    @Test func noDamageStopsTheProgram() throws {
        let reference = ReferenceGeneration(seed: 7, count: 300)
        let (mart, served) = try Self.published(reference, distinctLimit: 3)
        let path = served.file.path
        let bytes = try FileSystem.readAll(path)
        var dice = SeededDice(seed: 8)
        var refused = 0
        for round in 0..<80 {
            var damaged = bytes
            for _ in 0..<(1 + Int(dice.next() % 4)) {
                // The first page holds the schema, which SQLite reads.
                let offset = 8192 + Int(dice.next() % UInt64(bytes.count - 8192))
                damaged[offset] = UInt8(truncatingIfNeeded: dice.next())
            }
            let copy = mart.temporary.path + "/damaged-\(round).sqlite"
            try FileSystem.writeNew(damaged, to: copy, mode: 0o600)
            do {
                let served = try ServedMart.open(path: copy)
                let stored = try StoredTrips(
                    served,
                    columns: Set(served.shape.columns.indices),
                    leavesOfBatch: 2
                )
                for index in 0..<stored.batchCount { _ = try stored.batch(index) }
            } catch {
                refused += 1
            }
            try FileSystem.remove(copy)
        }
        #expect(refused > 8)
    }
}
