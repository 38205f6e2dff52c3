import Testing
import TripDomain

@testable import TripEngine
@testable import TripSynthetic

/// Checks the realism of generated trips, on 60,000 of them.
@Suite struct TripGeneratorTests {
    private static let generator: TripGenerator = {
        let options = SyntheticOptions(tripCount: 60_000, monthCount: 12, seed: 77)
        return TripGenerator(
            options: options,
            world: SyntheticWorld(seed: SyntheticWorld.defaultSeed)
        )
    }()

    private static let trips: [SyntheticTrip] = generator.schedule.files.flatMap { file in
        file.batches.flatMap { batch in
            (0..<batch.count).map { generator.trip(batch: batch, number: $0) }
        }
    }

    /// Trips whose vendor claims have all arrived.
    private static let settled = trips.filter { $0.month <= Month(year: 2026, month: 7) }

    private func share(_ part: Int, of whole: Int) -> Double {
        Double(part) / Double(whole)
    }

    @Test func everyRegionOccurs() {
        let generator = Self.generator
        #expect(Set(Self.trips.map { generator.regionIndex(of: $0) }).count == 19)
    }

    @Test func aboutFortyOnePercentOfSettledTripsAreInHouse() {
        let inHouse = Self.settled.count { $0.truth == .vaFleet }
        let contracted = Self.settled.count { $0.truth != .vaFleet && $0.truth != .undetermined }
        #expect((0.40...0.42).contains(share(inHouse, of: inHouse + contracted)))
    }

    @Test func theInHouseShareOfTheNewestMonthIsTooHigh() {
        let newest = Self.trips.filter { $0.month == Month(year: 2026, month: 10) }
        let inHouse = newest.count { $0.truth == .vaFleet }
        #expect(share(inHouse, of: newest.count) > 0.5)
    }

    @Test func fewTripsHaveNoEvidence() {
        let silent = Self.settled.count { $0.truth == .undetermined }
        #expect((0.005...0.010).contains(share(silent, of: Self.settled.count)))
    }

    @Test func amountsAreKnownForContractedTripsAndRarelyForInHouseTrips() {
        func known(_ isInHouse: Bool) -> Double {
            let trips = Self.settled.filter {
                $0.status == .completed && $0.truth != .undetermined
                    && ($0.truth == .vaFleet) == isInHouse
            }
            let priced = trips.count { $0.paidCents != SyntheticTrip.blankAmount }
            return share(priced, of: trips.count)
        }
        #expect((0.015...0.025).contains(known(true)))
        #expect((0.90...0.95).contains(known(false)))
    }

    @Test func everyDrawnTripTypeOccurs() {
        let codes = Set(Self.trips.map(\.code)).filter { $0 >= 0 }
        let types = Set(codes.map { ServiceTable.codes[$0].tripType })
        #expect(types == Set(ServiceTable.tripTypes.map(\.type)))
    }

    @Test func thereIsAPatientForEveryFifteenTrips() {
        #expect(Set(Self.trips.map(\.patient)).count * 15 >= Self.trips.count)
    }

    @Test func offsetsAreThoseOfTheStationsClock() {
        for trip in Self.trips {
            let zone = Self.generator.world.stations[trip.stationIndex].zone
            switch zone.moment(dayNumber: trip.day, minute: trip.minute) {
            case .plain(let offset): #expect(trip.offsetMinutes == offset)
            case .skipped: Issue.record("a local time that does not exist")
            case .repeated(let first, let second):
                #expect(trip.offsetMinutes == first || trip.offsetMinutes == second)
            }
        }
    }

    @Test func longerServicesCostMore() {
        func mean(_ type: String) -> Int {
            let paid = Self.settled.filter {
                $0.code >= 0 && ServiceTable.codes[$0.code].tripType == type
                    && $0.status == .completed && $0.paidCents > 0
            }.map(\.paidCents)
            return paid.reduce(0, +) / max(1, paid.count)
        }
        #expect(mean("WCV") < mean("BLS"))
        #expect(mean("BLS") < mean("ALS1-E"))
        #expect(mean("ALS1-E") < mean("SCT"))
        #expect(mean("SCT") < mean("RW"))
    }

    @Test func drawingATripAgainGivesTheSameTrip() {
        let batch = Self.generator.schedule.files[3].batches[0]
        let first = Self.generator.trip(batch: batch, number: 0)
        #expect(first == Self.generator.trip(batch: batch, number: 0))
    }
}
