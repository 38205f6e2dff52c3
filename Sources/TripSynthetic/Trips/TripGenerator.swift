import TripDomain

/// Draws trips.
///
/// Every trip has its own stream of random numbers, so that it can be drawn alone: by another
/// thread, or again for a correction.
struct TripGenerator: Sendable {
    /// The share of trips without evidence of their carrier, in 65,536ths: 0.7 %.
    static let silentShare = 459
    /// One patient per 8 trips; with the skew of visits, about one per 9 occurs.
    static let tripsPerPatient = 8
    /// Random streams: those below 0x1000 belong to the world, those from there on to the
    /// schedule's cells.
    static let tripStream: UInt64 = 0x1_0000_0000
    static let extraStream: UInt64 = 0x2_0000_0000
    private static let stationTableSize = 4096

    let world: SyntheticWorld
    let texts: ExportTexts
    let schedule: ExportSchedule
    let seed: UInt64
    /// Stations in proportion to their weights, so that a random entry is a random station.
    private let stationTable: [Int]
    private let inHouseCodes: [Int]
    private let contractedCodes: [Int]
    /// In-house shares by lag, then by station, in 65,536ths.
    private let sharesByLag: [[Int]]
    /// Each station's first patient, and one past the last station's last.
    private let firstPatients: [Int]
    private let unknownJourneyCode = ServiceTable.index(of: "A0998")
    let airCodes: Range<Int>
    let wheelchairCode = ServiceTable.index(of: "A0130")

    init(options: SyntheticOptions, world: SyntheticWorld) {
        self.world = world
        texts = ExportTexts(world: world)
        schedule = ExportSchedule(options: options)
        seed = options.seed
        stationTable = Self.spread(world.stationWeights, over: Self.stationTableSize)
        inHouseCodes = Self.spread(ServiceTable.codes.map(\.inHouseWeight), over: 1024)
        contractedCodes = Self.spread(ServiceTable.codes.map(\.contractedWeight), over: 1024)
        sharesByLag = ExportSchedule.inHouseLags.indices.map { lag in
            world.inHouseShares.map { share in
                let inHouse = share * ExportSchedule.inHouseLags[lag]
                let contracted = (65_536 - share) * ExportSchedule.contractedLags[lag]
                return inHouse * 65_536 / (inHouse + contracted)
            }
        }
        let patientCount = max(1, options.tripCount / Self.tripsPerPatient)
        let total = world.stationWeights.reduce(0, +)
        var passed = 0
        firstPatients =
            world.stationWeights.map { weight in
                defer { passed += weight }
                return patientCount * passed / total
            } + [patientCount]
        airCodes = ServiceTable.index(of: "A0430")..<(ServiceTable.index(of: "A0431") + 1)
    }

    /// Repeats each index in proportion to its weight, in a table of a given size.
    private static func spread(_ weights: [Int], over size: Int) -> [Int] {
        let total = weights.reduce(0, +)
        var table: [Int] = []
        var passed = 0
        for (index, weight) in weights.enumerated() {
            passed += weight
            while table.count < size * passed / total { table.append(index) }
        }
        return table
    }

    /// A trip of the schedule.
    func trip(batch: ExportSchedule.Batch, number: Int) -> SyntheticTrip {
        let cell = schedule.cells[batch.cellIndex]
        let index = batch.first + number
        var random = SeededRandom(
            seed: seed,
            stream: Self.tripStream + UInt64(batch.cellIndex),
            index: UInt64(index)
        )
        let key = ExportSchedule.key(of: batch, seed: seed)
        let station = stationTable[Int(key >> 20) % Self.stationTableSize]
        var trip = draw(&random, station: station, days: cell.days, lag: cell.lag)
        trip.number = schedule.tripNumber(cell: cell, number: index)
        return trip
    }

    /// A trip outside the schedule, with a number after those of the schedule.
    func extraTrip(_ number: Int, days: ClosedRange<Int32>) -> SyntheticTrip {
        var random = SeededRandom(seed: seed, stream: Self.extraStream, index: UInt64(number))
        let station = stationTable[random.below(Self.stationTableSize)]
        var trip = draw(&random, station: station, days: days, lag: 2)
        let count = schedule.monthCounts.reduce(0, +)
        trip.number = ExportSchedule.firstTripNumber + count + number
        return trip
    }

    private func draw(
        _ random: inout SeededRandom,
        station: Int,
        days: ClosedRange<Int32>,
        lag: Int
    ) -> SyntheticTrip {
        var trip = SyntheticTrip()
        trip.stationIndex = station
        let kind = random.next()
        let isSilent = Int(kind & 0xFFFF) < Self.silentShare
        let isInHouse = Int(kind >> 16 & 0xFFFF) < sharesByLag[lag][station]
        let codes = isInHouse ? inHouseCodes : contractedCodes
        trip.code = codes[Int(kind >> 32) & 1023]
        if isSilent, airCodes.contains(trip.code) { trip.code = 0 }
        drawStatus(&trip, kind >> 42)
        drawTime(&trip, &random, days: days)
        drawJourney(&trip, &random)
        drawAmounts(&trip, &random, isInHouse: isInHouse)
        if isSilent {
            drawSilent(&trip, &random)
        } else if isInHouse {
            drawInHouse(&trip, &random)
        } else {
            drawContracted(&trip, &random)
        }
        drawPatient(&trip, &random)
        drawForms(&trip, &random)
        return trip
    }

    private func drawStatus(_ trip: inout SyntheticTrip, _ bits: UInt64) {
        switch Int(bits & 1023) {
        case 0..<942: trip.status = .completed
        case 942..<977: trip.status = .cancelled
        case 977..<997: trip.status = .dryRun
        case 997..<1016: trip.status = .noShow
        default: trip.status = .other
        }
        // Half of the dry runs are billed as a response without transport.
        if trip.status == .dryRun, bits & 1024 == 0, !airCodes.contains(trip.code) {
            trip.code = unknownJourneyCode
        }
    }

    private func drawTime(
        _ trip: inout SyntheticTrip,
        _ random: inout SeededRandom,
        days: ClosedRange<Int32>
    ) {
        var day = days.lowerBound + Int32(random.below(days.count))
        // Day 0 was a Thursday, so Saturdays and Sundays have the remainders 2 and 3. A third of
        // their trips move to another day.
        if day % 7 == 2 || day % 7 == 3, random.chance(22_000) {
            day = days.lowerBound + Int32(random.below(days.count))
        }
        let bits = random.next()
        let isEmergency = ServiceTable.codes[trip.code].journey == .emergency
        let hours = isEmergency ? Self.emergencyHours : Self.scheduledHours
        let hour = Int(hours[Int(bits & 63)])
        trip.day = day
        trip.minute = hour * 60 + SeededRandom.scaled(bits >> 8, to: 60)
        setOffset(&trip, prefersSecond: bits >> 32 & 1 == 1)
    }

    /// Sets the clock's offset; a local time that does not exist moves to the hour after it.
    func setOffset(_ trip: inout SyntheticTrip, prefersSecond: Bool) {
        let zone = world.stations[trip.stationIndex].zone
        switch zone.moment(dayNumber: trip.day, minute: trip.minute) {
        case .plain(let offset):
            trip.offsetMinutes = offset
        case .skipped(let offset):
            trip.minute += 60
            trip.offsetMinutes = offset
        case .repeated(let first, let second):
            trip.offsetMinutes = prefersSecond ? second : first
        }
    }

    /// The region a trip belongs to on its day, as an index in the station table's regions; the
    /// index after the last is `UNKNOWN`.
    func regionIndex(of trip: SyntheticTrip) -> Int {
        switch trip.stationForm {
        case .blank, .unknown: StationTable.regions.count
        case .plain, .lowerCase: world.regionIndex(ofStation: trip.stationIndex, on: trip.day)
        }
    }

    private func drawJourney(_ trip: inout SyntheticTrip, _ random: inout SeededRandom) {
        let range = texts.journeyRanges[ServiceTable.codes[trip.code].journey.rawValue]
        let bits = random.next()
        trip.journey = range.lowerBound + SeededRandom.scaled(bits, to: range.count)
        // One trip in forty has a modifier that is no evidence of the carrier.
        if bits >> 16 & 0xFF < 6 { trip.qualifier = 2 + Int(bits >> 24 & 3) }
    }

    private func drawPatient(_ trip: inout SyntheticTrip, _ random: inout SeededRandom) {
        let first = firstPatients[trip.stationIndex]
        let count = max(1, firstPatients[trip.stationIndex + 1] - first)
        // Squaring makes some patients come often, as dialysis patients do.
        let share = random.next() & 0xFFFF
        let squared = SeededRandom.scaled(share, to: Int(share))
        trip.patient = first + SeededRandom.scaled(UInt64(squared), to: count)
    }

    /// Unusual but valid ways to write a trip, each rare.
    private func drawForms(_ trip: inout SyntheticTrip, _ random: inout SeededRandom) {
        let station = world.stations[trip.stationIndex]
        // Exports name the old region for about two months after a change.
        trip.regionIndex = world.regionIndex(ofStation: trip.stationIndex, on: trip.day - 60)
        let bits = random.next()
        switch bits & 0xFFF {
        case 0...2: trip.stationForm = .blank
        case 3...4: trip.stationForm = .unknown
        case 5...68 where station.isDivision: trip.stationForm = .lowerCase
        default: break
        }
        let hasStation = trip.stationForm == .plain || trip.stationForm == .lowerCase
        // A contract counts only at the trip's own station. Where no station is known, only the
        // evidence that VA arranged the trip remains.
        let isArranged =
            trip.qualifier == 1 && trip.unit < 0
            && trip.identifier == world.supplies[trip.stationIndex].medicalCenter
        if !hasStation, trip.truth == .contract, !isArranged { trip.truth = .noncontractVendor }
        trip.isInstant = hasStation && bits >> 12 & 0xFFF < 6
        trip.hasNullWords = bits >> 24 & 0xFF < 2
        trip.hasDollarSigns = bits >> 32 & 0x1FF < 2
        if bits >> 44 & 0xFFF < 3, !airCodes.contains(trip.code) { trip.code = SyntheticTrip.none }
    }

    /// The hours of scheduled trips, as often as they occur.
    private static let scheduledHours: [UInt8] = [
        5, 6, 6, 6, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 11,
        11, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 13, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15,
        16, 16, 16, 16, 17, 17, 17, 18, 18, 19, 20, 21, 22,
    ]
    /// The hours of emergencies: every hour of the day, the early morning less often.
    private static let emergencyHours: [UInt8] = [
        0, 0, 1, 1, 2, 3, 4, 5, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11,
        12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15, 16, 16, 16, 17, 17, 17, 18, 18, 18, 19, 19,
        19, 20, 20, 20, 21, 21, 21, 22, 22, 22, 23, 23, 23,
    ]
}

/// Miles and money by service level: whole hundredths and whole cents, halves rounded up.
extension TripGenerator {
    func drawAmounts(
        _ trip: inout SyntheticTrip,
        _ random: inout SeededRandom,
        isInHouse: Bool
    ) {
        let code = ServiceTable.codes[trip.code]
        let bits = random.next()
        let hasMoved = trip.status == .completed || trip.status == .other
        if hasMoved, code.milesSpread > 0 {
            // The product of two even draws has a mean of a quarter and a long tail.
            let spread = SeededRandom.scaled(bits, to: code.milesSpread)
            trip.miles = code.milesLeast + SeededRandom.scaled(bits >> 16, to: spread)
            // Most odometers read tenths.
            if bits >> 32 & 3 != 0 { trip.miles = (trip.miles + 5) / 10 * 10 }
        }
        let terms = random.next()
        if isInHouse {
            // In-house trips have no invoice; for one in fifty an internal cost is known.
            guard hasMoved, terms & 0xFFFF < 1311 else { return }
            trip.paidCents = price(code, trip) * 80 / 100
            return
        }
        drawInvoice(&trip, code, terms)
    }

    private func drawInvoice(_ trip: inout SyntheticTrip, _ code: ServiceCode, _ terms: UInt64) {
        let isPaid = terms & 0xFF < 236
        switch trip.status {
        case .completed, .other:
            let price = price(code, trip)
            // Vendors bill one to two and a half times the price that is paid; half of them, as
            // under a contract, bill the price itself.
            let markup = terms >> 8 & 1 == 0 ? 100 : 120 + Int(terms >> 16 & 127)
            trip.billedCents = (price * markup + 50) / 100
            if isPaid { trip.paidCents = price }
        case .dryRun:
            trip.billedCents = 12_500
            if isPaid { trip.paidCents = 12_500 }
        case .cancelled where terms >> 8 & 7 == 0:
            trip.billedCents = 0
            trip.paidCents = 0
        case .cancelled, .noShow:
            break
        }
    }

    /// The price of a trip at its station.
    private func price(_ code: ServiceCode, _ trip: SyntheticTrip) -> Int {
        let miles = max(0, trip.miles)
        let average = code.priceCents * 100 + miles * code.mileCents
        return (average * world.priceFactors[trip.stationIndex] + 50_000) / 100_000
    }
}
