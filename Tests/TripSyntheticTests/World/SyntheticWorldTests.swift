import Testing

@testable import TripEngine
@testable import TripSynthetic

@Suite struct SyntheticWorldTests {
    private let world = SyntheticWorld(seed: SyntheticWorld.defaultSeed)

    @Test func stationsCoverEighteenRegions() {
        #expect(world.stations.count == 144)
        #expect(Set(world.stations.map(\.region)).count == 18)
        #expect(Set(world.stations.map(\.number)).count == world.stations.count)
    }

    @Test func contractsAreAboutFourHundredWithDistinctNumbers() {
        #expect((360...440).contains(world.contracts.count))
        #expect(Set(world.contracts.map(\.number)).count == world.contracts.count)
    }

    @Test func groundContractsOfAStationDoNotOverlap() {
        for supply in world.supplies {
            #expect(!supply.contracts.isEmpty)
            for (earlier, later) in zip(supply.contracts, supply.contracts.dropFirst()) {
                #expect(world.contracts[earlier].lastDay < world.contracts[later].firstDay)
            }
        }
    }

    @Test func rosterRowsOfAUnitDoNotOverlap() {
        let rows = Dictionary(grouping: world.units, by: \.name)
        for units in rows.values where units.count > 1 {
            for (earlier, later) in zip(units, units.dropFirst()) {
                #expect((earlier.validity.to ?? .max) < (later.validity.from ?? .min))
            }
        }
    }

    @Test func everyStationAlwaysHasAVehicleOfItsOwn() {
        for supply in world.supplies {
            for unit in supply.ownUnits.prefix(2) {
                #expect(world.units[unit].validity == SyntheticWorld.Validity())
            }
        }
    }

    @Test func inHouseSharesWeighFortyOnePercent() {
        let total = world.stationWeights.reduce(0, +)
        let weighted = zip(world.inHouseShares, world.stationWeights).reduce(0) { $0 + $1.0 * $1.1 }
        let percent = Double(weighted) / Double(total) / 655.36
        #expect((40.9...41.1).contains(percent))
    }

    @Test func movedStationKeepsItsOldRegionUntilTheDay() throws {
        let move = try #require(StationTable.moves.first)
        let day = SyntheticWorld.day(move.firstDay)
        let regions = StationTable.regions.map(\.region)
        let before = world.regionIndex(ofStation: move.stationIndex, on: day - 1)
        #expect(regions[before] == world.stations[move.stationIndex].region)
        #expect(regions[world.regionIndex(ofStation: move.stationIndex, on: day)] == move.newRegion)
    }
}
