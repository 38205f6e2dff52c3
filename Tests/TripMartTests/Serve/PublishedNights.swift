import TestSupport
import TripDomain

@testable import TripMart

/// A mart of many nights: each published all trips that had arrived by its day.
///
/// Trips lie in sixteen months and arrive up to sixty days late, so that a young month has fewer
/// than the same month later.
struct PublishedNights {
    let mart: BuiltMart
    /// What each night published, from generation 1.
    let nights: [ReferenceGeneration]

    /// The first day of the trips.
    static let firstDay = CivilTime.date(ofSeconds: 1_760_000_000).dayNumber
    private static let dayCount: Int32 = 480

    /// Publishes nights.
    ///
    /// - Parameters:
    ///   - seed: Decides the trips.
    ///   - days: The day of each night, from the first day of the trips.
    ///   - count: The trips of all days.
    ///   - hasMeasures: Whether they declare measures.
    /// - Throws: What publishing throws.
    init(seed: UInt64, days: [Int32], count: Int = 1200, hasMeasures: Bool = false) throws {
        mart = try BuiltMart()
        var all = ReferenceGeneration(seed: seed, count: count)
        (all.versions, all.rejects) = ([], [])
        for index in all.trips.indices {
            let seconds = all.trips[index].pickup - 1_760_000_000
            all.trips[index].pickup = 1_760_000_000 + seconds * Int64(Self.dayCount) / 120
        }
        nights = days.map { day in
            var night = all
            night.trips.removeAll { Self.arrival($0) > Self.firstDay + day }
            return night
        }
        for (index, night) in nights.enumerated() {
            if hasMeasures {
                try mart.publishDeclared(night, number: index + 1)
            } else {
                try mart.publish(night)
            }
        }
    }

    private static func arrival(_ trip: ReferenceTrip) -> Int32 {
        // Every third trip arrives on its own day.
        let delay = trip.record % 3 == 0 ? 0 : Int32(trip.record * 37 % 61)
        return CivilTime.date(ofSeconds: trip.pickup).dayNumber + delay
    }

    /// The last day of the data of a night.
    func dataThrough(_ number: Int) -> CivilDate? {
        nights[number - 1].header(number: number).dataThrough
    }

    /// Publishes the content of an older generation once more.
    func rollBack(to number: Int) throws {
        let next = try mart.folder.nextNumber()
        let copy = GenerationCopy(
            base: number,
            tripCount: nights[number - 1].trips.count,
            header: nights[number - 1].header(number: next),
            exclusions: [],
            approval: nil
        )
        try Publication(mart.folder).publish(try mart.writer.write(copy))
    }
}
