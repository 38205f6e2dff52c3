import TripDomain

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
