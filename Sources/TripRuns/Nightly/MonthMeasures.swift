import TripDomain
import TripEngine
import TripMart
import TripRules

/// The age of the data, and the newest month compared with earlier months at the same age.
///
/// Vendors' claims arrive late, so a young month always has too few contracted trips. It is
/// compared with the values of earlier months when they were as young: in the generation whose data
/// ended on about the same day of that month.
struct MonthMeasures {
    let measures: [CheckMeasures.Measure]

    /// The number of days by which data of equal age may differ, since months have 28 to 31 days
    /// and exports come a day late.
    static let toleranceDays: Int32 = 3

    /// Computes the measures.
    ///
    /// - Parameters:
    ///   - trips: What would be published.
    ///   - setting: The pipeline in force.
    ///   - history: The sums of earlier generations, oldest first.
    ///   - now: The time of the run, in seconds of UTC.
    init(
        _ trips: MeasuredTrips,
        _ setting: RunConfiguration,
        history: [GenerationVolume],
        now: Int64
    ) {
        let today = LocalTime.day(now, zone: setting.localZone)
        let through = trips.dataThrough
        let sums = trips.latestMonth?.sums
        let earlier = through.map { Self.equallyOld(history, as: $0) } ?? []
        measures = [
            CheckMeasures.Measure(
                "data_age_days",
                count: through.map { Int64(today.dayNumber) - Int64($0.dayNumber) }
            ),
            CheckMeasures.Measure("month_trips", count: sums?.trips),
            CheckMeasures.Measure(
                "month_in_house_pct",
                percentHundredths: sums?.inHousePercentHundredths
            ),
            CheckMeasures.Measure(
                "median_month_trips",
                count: CheckMeasures.median(earlier.map(\.trips))
            ),
            CheckMeasures.Measure(
                "median_month_in_house_pct",
                percentHundredths: CheckMeasures.median(
                    earlier.compactMap(\.inHousePercentHundredths)
                )
            ),
        ]
    }

    /// The sums of each earlier month when its data ended on about the same day of the month.
    private static func equallyOld(_ history: [GenerationVolume], as day: CivilDate) -> [KPISums] {
        let age = Self.age(day)
        var nearest: [Month: (distance: Int32, sums: KPISums)] = [:]
        for volume in history {
            guard let through = volume.dataThrough, through.month < day.month else { continue }
            let distance = abs(Self.age(through) - age)
            guard distance <= toleranceDays,
                distance <= nearest[through.month]?.distance ?? toleranceDays
            else { continue }
            // Of two generations at the same distance, the later has the corrections made in
            // between.
            nearest[through.month] = (distance, volume.newestMonthSums)
        }
        return nearest.values.map(\.sums)
    }

    /// The number of days of its month before this day.
    private static func age(_ day: CivilDate) -> Int32 {
        day.dayNumber - day.month.firstDay.dayNumber
    }
}

/// The input of the checks: the trips of some files, or all trips.
///
/// None of it has a default: a kind of run that forgot one would never carry out its check.
struct MeasuredTrips {
    /// Whether these are all trips, known before: then they are not the volume of this run.
    let areAll: Bool
    /// The account of their files.
    let ledger: Ledger
    /// The items of it that were set aside because their records list no unit, as declared.
    let unitless: Int64
    /// The records of their files.
    let records: Int64
    /// The sums of those that are in force and counted.
    let sums: KPISums
    /// Their regions compared with those that the exports name.
    let regions: RegionComparison
    /// The counts of each look-up, in the pipeline's order.
    let tallies: [TripClassifier.LookupTally]
    /// The last day of the data.
    let dataThrough: CivilDate?
    /// The month of that date with the sums of all trips.
    let latestMonth: (month: Month, sums: KPISums)?
    /// The trips of all files; nil where they are not looked at.
    let total: Cube.Extent?
    /// What the trip ids of these files show; nil where no file is looked at.
    let repeats: RepeatedIDs?
    /// Files that end within a line; nil where no file is looked at.
    let cutFiles: CutFiles?
    /// Claims that came again without a trip that they had; nil where no file is looked at.
    let cutClaims: CutClaims?
    /// Replacements and voids that found no claim; nil where no file is looked at.
    let replacements: UnmatchedReplacements?
    /// Files with one content whose trips all count; nil where no file is looked at.
    let contents: RepeatedContents?
    /// The new files all of whose items were rejected; nil where no file is looked at.
    let rejectedFiles: [String]?
}

extension Cube {
    /// The greatest pick-up date accepted, also one after the day its file was taken in.
    var lastPickupDate: CivilDate? { lastPickup.map { CivilTime.date(ofSeconds: $0) } }

    /// How much there is of a cube.
    struct Extent {
        /// Counted trips.
        let trips: Int64
        /// The months they fall in.
        let months: Int64
        /// The regions of all trips.
        let regions: Int64
        /// The trip types of all trips.
        let tripTypes: Int64
    }

    /// How much there is.
    var extent: Extent {
        let months = cells.count { cell in
            cell.month != KPICell.all && cell.tripType == KPICell.all && cell.region == KPICell.all
                && cell.sums.trips > 0
        }
        return Extent(
            trips: total.trips,
            months: Int64(months),
            regions: Int64(regions.count),
            tripTypes: Int64(tripTypes.count)
        )
    }

    /// The month of a day with its sums over all types and regions.
    ///
    /// - Parameter day: The last day of the data.
    /// - Returns: The month; nil without a day, or where no trip of it counts.
    func latestMonth(of day: CivilDate?) -> (month: Month, sums: KPISums)? {
        guard let month = day?.month else { return nil }
        let cell = cells.first {
            $0.month == month.text && $0.tripType == KPICell.all && $0.region == KPICell.all
        }
        return cell.map { (month, $0.sums) }
    }
}
