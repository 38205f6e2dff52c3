import TripDomain

/// Draws the carrier of a trip and the evidence of it in the export, misleading cases included.
///
/// Every case sets the basis that the rules are meant to find.
extension TripGenerator {
    /// Draws a trip without evidence of its carrier: an unlisted carrier, or none at all.
    func drawSilent(_ trip: inout SyntheticTrip, _ random: inout SeededRandom) {
        trip.truth = .undetermined
        trip.paidCents = SyntheticTrip.blankAmount
        trip.billedCents = SyntheticTrip.blankAmount
        let pick = random.below(ExportTexts.unlistedCount * 3)
        switch pick % 3 {
        case 0:
            trip.identifier = texts.firstUnlistedIdentifier + pick / 3
            trip.name = texts.firstSilentName + pick / 3
        case 1:
            trip.name = texts.namelessName
        default:
            break
        }
    }

    func drawInHouse(_ trip: inout SyntheticTrip, _ random: inout SeededRandom) {
        let supply = world.supplies[trip.stationIndex]
        let bits = random.next()
        trip.truth = .vaFleet
        trip.identifier = supply.medicalCenter
        trip.name = supply.medicalCenter
        if bits >> 32 & 0xFF < 90 { trip.qualifier = 0 }
        trip.unit = ownUnit(supply, day: trip.day, pick: bits >> 40)
        switch bits & 1023 {
        case 0..<900:
            break
        case 900..<952:
            trip.unit = SyntheticTrip.none
        case 952..<978:
            trip.identifier = SyntheticTrip.none
            trip.name = SyntheticTrip.none
        case 978..<994:
            trip.unit = supply.leasedUnits.first ?? trip.unit
        case 994..<1010:
            // Modifier QN is the only evidence of the carrier.
            trip.identifier = SyntheticTrip.none
            trip.name = texts.namelessName
            trip.unit = SyntheticTrip.none
            trip.qualifier = 0
        default:
            // The name is the only evidence, and it counts only where nothing was paid.
            trip.identifier = SyntheticTrip.none
            trip.unit = SyntheticTrip.none
            trip.qualifier = SyntheticTrip.none
            trip.paidCents = SyntheticTrip.blankAmount
        }
    }

    func drawContracted(_ trip: inout SyntheticTrip, _ random: inout SeededRandom) {
        let bits = random.next()
        if airCodes.contains(trip.code) {
            drawAir(&trip, bits)
            return
        }
        if trip.qualifier < 0, bits >> 56 < 26 { trip.qualifier = 1 }
        switch bits & 1023 {
        case 0..<580: drawUnderContract(&trip, bits >> 10)
        case 580..<770:
            drawWithoutContract(&trip, bits >> 10)
            // Some vehicles are on the roster, from a contract their vendor had.
            if bits >> 40 & 3 == 0, trip.unit < 0 {
                trip.unit = rosterUnit(ofProvider: trip.identifier, pick: bits >> 42)
            }
            if bits >> 54 & 7 == 0 { takeVendorCrewUnit(&trip) }
        case 770..<845:
            let vendors = regional(.community, trip)
            trip.identifier = vendors[Int(bits >> 20 & 0xFFF) % vendors.count]
            trip.name = trip.identifier
            trip.truth = .communityCare
        case 845..<885: drawExpired(&trip, bits >> 10)
        case 885..<910: drawElsewhere(&trip, bits >> 10)
        case 910..<935: drawBilledByVA(&trip, bits >> 10)
        case 935..<960: drawVendorCrew(&trip, bits >> 10)
        case 960..<975: drawArrangedByVA(&trip, bits >> 10)
        case 975..<990: drawByModifierOrName(&trip, bits >> 10)
        default: drawUnlistedInvoice(&trip, bits >> 10)
        }
    }

    private func drawAir(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        trip.truth = .noncontractVendor
        if bits & 0xFF < 190, let contract = inForce(supply(trip).airContracts, on: trip.day) {
            trip.contract = contract
            trip.truth = .contract
            trip.identifier = world.contracts[contract].providerIndex
        } else {
            let vendors = regional(.air, trip)
            trip.identifier = vendors[Int(bits >> 10 & 0xFFF) % vendors.count]
        }
        trip.name = trip.identifier
        trip.unit = rosterUnit(ofProvider: trip.identifier, pick: bits >> 24)
    }

    /// Draws a vendor with a contract in force; its vehicle is on the roster, unlisted, or not
    /// named.
    private func drawUnderContract(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        drawContract(&trip, bits)
        // Where a contractor's crew drives a VA vehicle, it drives a quarter of the trips.
        if bits >> 24 & 3 == 0 { takeVendorCrewUnit(&trip) }
    }

    private func drawContract(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        guard let contract = inForce(supply(trip).contracts, on: trip.day) else {
            drawWithoutContract(&trip, bits)
            return
        }
        trip.contract = contract
        trip.identifier = world.contracts[contract].providerIndex
        trip.name = trip.identifier
        trip.truth = .contract
        switch bits & 7 {
        case 0..<4: trip.unit = rosterUnit(ofProvider: trip.identifier, pick: bits >> 10)
        case 4..<6: trip.unit = unlistedUnit(bits >> 10)
        default: break
        }
    }

    private func drawWithoutContract(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        let vendors =
            trip.code == wheelchairCode && bits & 1 == 0
            ? regional(.wheelchair, trip) : supply(trip).groundVendors
        trip.identifier = vendors[Int(bits >> 4 & 0xFFF) % vendors.count]
        trip.name = trip.identifier
        trip.truth = .noncontractVendor
        if bits >> 16 & 3 == 0 { trip.unit = unlistedUnit(bits >> 20) }
    }

    /// Draws a vendor that still quotes a contract that had ended.
    private func drawExpired(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        drawWithoutContract(&trip, bits)
        let day = trip.day
        let ended = supply(trip).contracts.last { world.contracts[$0].lastDay < day }
        if let ended { trip.contract = ended }
    }

    /// Draws a vendor that quotes a contract in force on the day, but for a station far away.
    private func drawElsewhere(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        drawWithoutContract(&trip, bits)
        let other = (trip.stationIndex + 20 + Int(bits >> 30 & 63)) % world.stations.count
        if world.stations[other].parent != world.stations[trip.stationIndex].parent,
            let contract = inForce(world.supplies[other].contracts, on: trip.day)
        {
            trip.contract = contract
        }
    }

    /// Draws a trip that VA bills with the vehicle of a vendor.
    private func drawBilledByVA(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        drawContract(&trip, bits)
        guard trip.contract >= 0 else { return }
        trip.unit = rosterUnit(ofProvider: trip.identifier, pick: bits >> 10)
        trip.identifier = supply(trip).medicalCenter
        trip.name = trip.identifier
    }

    /// Draws a contractor's crew in a VA vehicle, one in eight without a contract; an ordinary
    /// vendor before such crews existed.
    private func drawVendorCrew(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        if bits >> 32 & 7 == 0 {
            drawWithoutContract(&trip, bits)
        } else {
            drawContract(&trip, bits)
        }
        takeVendorCrewUnit(&trip)
    }

    private func takeVendorCrewUnit(_ trip: inout SyntheticTrip) {
        let day = trip.day
        let unit = supply(trip).vendorCrewUnits.first { world.units[$0].validity.holds(on: day) }
        if let unit { trip.unit = unit }
    }

    /// Draws VA's number, no vehicle, and modifier QM: furnished under arrangement.
    private func drawArrangedByVA(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        trip.identifier = supply(trip).medicalCenter
        trip.name = trip.identifier
        trip.qualifier = 1
        trip.truth = .contract
    }

    /// Draws a trip whose only evidence is modifier QM, or only a name.
    private func drawByModifierOrName(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        trip.truth = .noncontractVendor
        if bits & 1 == 0 {
            trip.qualifier = 1
        } else {
            let vendors = supply(trip).groundVendors
            trip.name = vendors[Int(bits >> 4 & 0xFFF) % vendors.count]
            // Not every vendor's name shows that it is an ambulance company.
            if trip.qualifier != 1, !texts.tellingNames[trip.name] { trip.truth = .undetermined }
        }
    }

    /// Draws an invoice, paid by VA, of a provider on no roster.
    private func drawUnlistedInvoice(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        let index = Int(bits & 0xFFFF) % ExportTexts.unlistedCount
        trip.truth = .noncontractVendor
        trip.identifier = texts.firstUnlistedIdentifier + index
        trip.name = texts.firstUnlistedName + index
        if trip.paidCents <= 0 { trip.paidCents = max(1_000, trip.billedCents) }
    }

    private func supply(_ trip: SyntheticTrip) -> SyntheticWorld.Supply {
        world.supplies[trip.stationIndex]
    }

    private func regional(
        _ kind: SyntheticWorld.ProviderKind,
        _ trip: SyntheticTrip
    ) -> [Int] {
        guard let vendors = world.regionalVendors[kind]?[world.regionIndexes[trip.stationIndex]],
            !vendors.isEmpty
        else { preconditionFailure("every region has vendors of every regional kind") }
        return vendors
    }

    private func inForce(_ contracts: [Int], on day: Int32) -> Int? {
        contracts.first { index in
            let contract = world.contracts[index]
            return contract.firstDay <= day && day <= contract.lastDay
        }
    }

    /// A VA vehicle on the roster that day; the first two vehicles of a station always are.
    private func ownUnit(
        _ supply: SyntheticWorld.Supply,
        day: Int32,
        pick: UInt64
    ) -> Int {
        let unit = supply.ownUnits[Int(pick & 0xFFFF) % supply.ownUnits.count]
        return world.units[unit].validity.holds(on: day) ? unit : supply.ownUnits[Int(pick & 1)]
    }

    private func rosterUnit(ofProvider provider: Int, pick: UInt64) -> Int {
        let units = world.unitsOfProvider[provider]
        return units.isEmpty ? SyntheticTrip.none : units[Int(pick & 0xFFF) % units.count]
    }

    private func unlistedUnit(_ pick: UInt64) -> Int {
        texts.firstUnlistedUnit + Int(pick & 0xFFF) % ExportTexts.unlistedUnitCount
    }
}
