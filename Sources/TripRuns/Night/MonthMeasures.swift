import TripDomain
import TripEngine
import TripMart

/// How old the data are, and the newest month beside earlier months at the same age.
///
/// Vendors' claims arrive late, so a month that is young always has too few contracted trips. It is
/// compared with what earlier months read when they were as young: in the generation whose data ended
/// on about the same day of that month.
struct MonthMeasures {
    let measures: [NightMeasures.Measure]

    /// Data that end within so many days of the same day count as equally old, since months have 28 to
    /// 31 days and exports come a day late.
    static let toleranceDays: Int32 = 3

    /// Computes the measures.
    ///
    /// - Parameters:
    ///   - trips: What would be published.
    ///   - setting: The pipeline in force.
    ///   - history: What earlier generations brought, oldest first.
    ///   - now: The time of the run, in seconds of UTC.
    init(
        _ trips: MeasuredTrips,
        _ setting: NightSetting,
        history: [GenerationVolume],
        now: Int64
    ) {
        let today = CivilTime.date(
            ofSeconds: now + Int64(setting.localZone.offset(atUTC: now))
        )
        let through = trips.dataThrough
        let sums = trips.latestMonth?.sums
        let earlier = through.map { Self.equallyOld(history, as: $0) } ?? []
        measures = [
            NightMeasures.Measure(
                "data_age_days",
                count: through.map { Int64(today.dayNumber) - Int64($0.dayNumber) }
            ),
            NightMeasures.Measure("month_trips", count: sums?.trips),
            NightMeasures.Measure(
                "month_in_house_pct",
                percentHundredths: sums?.inHousePercentHundredths
            ),
            NightMeasures.Measure(
                "median_month_trips",
                count: NightMeasures.median(earlier.map(\.trips))
            ),
            NightMeasures.Measure(
                "median_month_in_house_pct",
                percentHundredths: NightMeasures.median(
                    earlier.compactMap(\.inHousePercentHundredths)
                )
            ),
        ]
    }

    /// What each earlier month read when its data ended on about the same day of the month.
    private static func equallyOld(_ history: [GenerationVolume], as day: CivilDate) -> [KPISums] {
        let age = Self.age(day)
        var nearest: [Month: (distance: Int32, sums: KPISums)] = [:]
        for volume in history {
            guard let through = volume.dataThrough, through.month < day.month else { continue }
            let distance = abs(Self.age(through) - age)
            guard distance <= toleranceDays,
                distance <= nearest[through.month]?.distance ?? toleranceDays
            else { continue }
            // Of two generations as near, the later knows what was mended in between.
            nearest[through.month] = (distance, volume.newestMonthSums)
        }
        return nearest.values.map(\.sums)
    }

    /// The days of its month that have passed.
    private static func age(_ day: CivilDate) -> Int32 {
        day.dayNumber - day.month.firstDay.dayNumber
    }
}
