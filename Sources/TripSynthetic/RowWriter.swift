import TripDomain

/// Writes trips as records of an export, in one of its layouts, without the line end.
struct RowWriter: Sendable {
    /// The columns of the native layout.
    static let nativeHeader: StaticString = """
        trip_id,pickup_at,station,visn,provider_npi,provider_name,vehicle_id,contract_no,hcpcs,\
        modifiers,loaded_miles,patient_icn,billed_amount,paid_amount,status
        """
    /// The columns of the older layout.
    static let legacyHeader: StaticString = """
        Trip Number,Svc Date,Svc Time,Facility,VISN,Unit,PO Number,NPI,Provider,Proc Code,\
        Mod 1,Mod 2,Miles,ICN,Amt Billed,Amt Paid,Outcome
        """
    /// Every generated trip id begins with these letters.
    static let tripIDPrefix: StaticString = "SYN-"

    let texts: ExportTexts
    private let statuses: TextBank
    /// The factor of a patient's number, modulo ten million, which makes neighbouring numbers look
    /// unrelated.
    private static let patientFactor = 6_364_137
    private static let patientLimit = 10_000_000

    /// Makes a writer for one layout.
    init(texts: ExportTexts, isLegacy: Bool) {
        self.texts = texts
        self.isLegacy = isLegacy
        statuses = TextBank(isLegacy ? ExportTexts.legacyStatusWords : ExportTexts.statusWords)
    }

    /// Whether the layout is the older one.
    let isLegacy: Bool

    var header: StaticString { isLegacy ? Self.legacyHeader : Self.nativeHeader }

    /// Adds one record.
    @inline(__always)
    func write(_ trip: SyntheticTrip, to buffer: inout OutputBuffer) {
        if isLegacy { writeLegacy(trip, to: &buffer) } else { writeNative(trip, to: &buffer) }
    }

    private func writeNative(_ trip: SyntheticTrip, to buffer: inout OutputBuffer) {
        writeTripID(trip, to: &buffer)
        buffer.add(0x2C)
        writeISOTime(trip, to: &buffer)
        buffer.add(0x2C)
        writeStation(trip, to: &buffer)
        buffer.add(0x2C)
        buffer.add(texts.regions, trip.regionIndex)
        buffer.add(0x2C)
        write(texts.identifiers, trip.identifier, to: &buffer)
        buffer.add(0x2C)
        write(texts.names, trip.name, to: &buffer)
        buffer.add(0x2C)
        writeOrNull(texts.units, trip.unit, trip, to: &buffer)
        buffer.add(0x2C)
        writeOrNull(texts.contracts, trip.contract, trip, to: &buffer)
        buffer.add(0x2C)
        write(texts.codes, trip.code, to: &buffer)
        buffer.add(0x2C)
        write(texts.journeys, trip.journey, to: &buffer)
        if trip.qualifier >= 0 {
            if trip.journey >= 0 { buffer.add(0x20) }
            buffer.add(texts.qualifiers, trip.qualifier)
        }
        buffer.add(0x2C)
        writeMiles(trip.miles, to: &buffer)
        buffer.add(0x2C)
        writePatient(trip.patient, to: &buffer)
        buffer.add(0x2C)
        writeMoney(trip.billedCents, trip, to: &buffer)
        buffer.add(0x2C)
        writeMoney(trip.paidCents, trip, to: &buffer)
        buffer.add(0x2C)
        buffer.add(statuses, trip.status.rawValue)
    }

    private func writeLegacy(_ trip: SyntheticTrip, to buffer: inout OutputBuffer) {
        writeTripID(trip, to: &buffer)
        buffer.add(0x2C)
        writeUSTime(trip, to: &buffer)
        buffer.add(0x2C)
        writeStation(trip, to: &buffer)
        buffer.add(0x2C)
        buffer.add(texts.regions, trip.regionIndex)
        buffer.add(0x2C)
        writeOrNull(texts.units, trip.unit, trip, to: &buffer)
        buffer.add(0x2C)
        writeOrNull(texts.contracts, trip.contract, trip, to: &buffer)
        buffer.add(0x2C)
        write(texts.identifiers, trip.identifier, to: &buffer)
        buffer.add(0x2C)
        write(texts.names, trip.name, to: &buffer)
        buffer.add(0x2C)
        write(texts.codes, trip.code, to: &buffer)
        buffer.add(0x2C)
        write(texts.journeys, trip.journey, to: &buffer)
        buffer.add(0x2C)
        write(texts.qualifiers, trip.qualifier, to: &buffer)
        buffer.add(0x2C)
        writeMiles(trip.miles, to: &buffer)
        buffer.add(0x2C)
        writePatient(trip.patient, to: &buffer)
        buffer.add(0x2C)
        writeMoney(trip.billedCents, trip, to: &buffer)
        buffer.add(0x2C)
        writeMoney(trip.paidCents, trip, to: &buffer)
        buffer.add(0x2C)
        buffer.add(statuses, trip.status.rawValue)
    }

    @inline(__always)
    private func write(_ bank: borrowing TextBank, _ index: Int, to buffer: inout OutputBuffer) {
        if index >= 0 { buffer.add(bank, index) }
    }

    @inline(__always)
    private func writeOrNull(
        _ bank: borrowing TextBank,
        _ index: Int,
        _ trip: SyntheticTrip,
        to buffer: inout OutputBuffer
    ) {
        if index >= 0 {
            buffer.add(bank, index)
        } else if trip.hasNullWords {
            buffer.add(trip.minute & 1 == 0 ? "NULL" : "NA")
        }
    }

    private func writeTripID(_ trip: SyntheticTrip, to buffer: inout OutputBuffer) {
        if trip.isPadded { buffer.add(0x20) }
        buffer.add(Self.tripIDPrefix)
        buffer.add(decimal: trip.number)
    }

    private func writeStation(_ trip: SyntheticTrip, to buffer: inout OutputBuffer) {
        switch trip.stationForm {
        case .plain: buffer.add(texts.stations, trip.stationIndex)
        case .lowerCase: buffer.add(texts.lowerCaseStations, trip.stationIndex)
        case .blank: break
        case .unknown: buffer.add("999ZZ")
        }
        if trip.isPadded { buffer.add(0x20) }
    }

    private func writeISOTime(_ trip: SyntheticTrip, to buffer: inout OutputBuffer) {
        var day = trip.day
        var minute = trip.minute
        if trip.isInstant {
            minute -= trip.offsetMinutes
            if minute < 0 {
                minute += 1440
                day -= 1
            } else if minute >= 1440 {
                minute -= 1440
                day += 1
            }
        }
        let (year, month, dayOfMonth) = CivilDate(dayNumber: day).parts
        buffer.addDigits(year, width: 4)
        buffer.add(0x2D)
        buffer.addTwo(month)
        buffer.add(0x2D)
        buffer.addTwo(dayOfMonth)
        buffer.add(0x54)
        buffer.addTwo(minute / 60)
        buffer.add(0x3A)
        buffer.addTwo(minute % 60)
        buffer.add(":00")
        if trip.isInstant {
            buffer.add(0x5A)
            return
        }
        let offset = abs(trip.offsetMinutes)
        buffer.add(trip.offsetMinutes < 0 ? 0x2D : 0x2B)
        buffer.addTwo(offset / 60)
        buffer.add(0x3A)
        buffer.addTwo(offset % 60)
    }

    private func writeUSTime(_ trip: SyntheticTrip, to buffer: inout OutputBuffer) {
        let (year, month, day) = CivilDate(dayNumber: trip.day).parts
        buffer.add(decimal: month)
        buffer.add(0x2F)
        buffer.add(decimal: day)
        buffer.add(0x2F)
        buffer.addDigits(year, width: 4)
        buffer.add(0x2C)
        buffer.add(decimal: trip.minute / 60)
        buffer.add(0x3A)
        buffer.addTwo(trip.minute % 60)
    }

    private func writeMiles(_ miles: Int, to buffer: inout OutputBuffer) {
        guard miles >= 0 else { return }
        buffer.add(decimal: miles / 100)
        buffer.add(0x2E)
        if miles % 10 == 0 {
            buffer.add(0x30 &+ UInt8(truncatingIfNeeded: miles / 10 % 10))
        } else {
            buffer.addTwo(miles % 100)
        }
    }

    /// `999`, seven digits, `V`, six digits: the shape of an ICN in a range of its own.
    private func writePatient(_ patient: Int, to buffer: inout OutputBuffer) {
        buffer.add("999")
        buffer.addDigits(
            patient * Self.patientFactor % Self.patientLimit,
            width: 7
        )
        buffer.add(0x56)
        let check = SeededRandom.mixed(UInt64(truncatingIfNeeded: patient)) % 1_000_000
        buffer.addDigits(Int(check), width: 6)
    }

    /// Dollars and cents; with `$` and commas in the older layout and rarely in the native one.
    private func writeMoney(
        _ cents: Int,
        _ trip: SyntheticTrip,
        to buffer: inout OutputBuffer
    ) {
        guard cents != SyntheticTrip.blankAmount else { return }
        let amount = abs(cents)
        let hasSigns = isLegacy || trip.hasDollarSigns
        let hasComma = hasSigns && amount >= 100_000
        if hasComma { buffer.add(0x22) }
        if cents < 0 { buffer.add(0x28) }
        if hasSigns { buffer.add(0x24) }
        if hasComma {
            writeGrouped(amount / 100, to: &buffer)
        } else {
            buffer.add(decimal: amount / 100)
        }
        if trip.isPadded, amount % 10 == 0 {
            buffer.add(0x2E)
            buffer.add(0x30 &+ UInt8(truncatingIfNeeded: amount / 10 % 10))
        } else {
            buffer.add(0x2E)
            buffer.addTwo(amount % 100)
        }
        if cents < 0 { buffer.add(0x29) }
        if hasComma { buffer.add(0x22) }
    }

    private func writeGrouped(_ dollars: Int, to buffer: inout OutputBuffer) {
        if dollars >= 1_000_000 {
            buffer.add(decimal: dollars / 1_000_000)
            buffer.add(0x2C)
            buffer.addDigits(dollars / 1000 % 1000, width: 3)
        } else {
            buffer.add(decimal: dollars / 1000)
        }
        buffer.add(0x2C)
        buffer.addDigits(dollars % 1000, width: 3)
    }
}
