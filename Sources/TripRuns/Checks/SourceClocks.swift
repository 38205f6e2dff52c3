import TripDomain
import TripEngine
import TripPipeline

/// The clock of each source: it starts with the last new file of the source, whatever was published
/// since.
struct SourceClocks {
    let clocks: [SourceClock]

    /// Continues the clocks of the served generation.
    ///
    /// The clock of a source with a new file starts again. The clock of a source that is expected
    /// for the first time starts now: before, no file of it was due.
    ///
    /// - Parameters:
    ///   - sources: The sources, as the run uses them.
    ///   - before: The clocks of the served generation.
    ///   - arrived: The sources of which this run takes in a new file.
    ///   - now: The time of the run, in seconds of UTC.
    ///   - zone: The pipeline's own zone.
    init(
        _ sources: [SourceDefinition],
        before: [SourceClock],
        arrived: Set<String>,
        now: Int64,
        zone: TimeZoneRules
    ) {
        let time = CivilTime.text(ofSeconds: now)
        clocks = sources.map { source in
            let known = before.first { $0.source == source.name }
            let hasArrived = arrived.contains(source.name)
            let since = hasArrived ? time : known?.awaitedSince ?? time
            return SourceClock(
                source: source.name,
                expects: source.expects?.rawValue,
                lastArrivalAt: hasArrived ? time : known?.lastArrivalAt,
                awaitedSince: source.expects == nil ? nil : since,
                overdueAfter: source.expects.flatMap {
                    Self.overdueAfter(since, days: $0.days, zone: zone)
                }
            )
        }
    }

    /// The earliest moment at which some source is overdue; nil where nothing is expected.
    var staleAfter: String? { clocks.compactMap(\.overdueAfter).min() }

    /// The sources that are overdue.
    func overdue(now: Int64) -> [SourceClock] {
        let time = CivilTime.text(ofSeconds: now)
        return clocks.filter { $0.overdueAfter.map { $0 < time } ?? false }
    }

    /// Six in the morning, local time, after the days of the rhythm have passed.
    private static func overdueAfter(_ since: String, days: Int, zone: TimeZoneRules) -> String? {
        guard let begun = RunClock.seconds(since.split(separator: " ").joined(separator: "T") + "Z")
        else { return nil }
        let local = begun + Int64(zone.offset(atUTC: begun))
        let day = CivilTime.floorDivide(local, CivilTime.daySeconds) * CivilTime.daySeconds
        let due = day + Int64(days) * CivilTime.daySeconds + 6 * 3600
        return CivilTime.text(ofSeconds: zone.utc(ofLocal: due))
    }
}

extension RunReport {
    /// The text about each overdue source: since when no file came, the rhythm, and when one was
    /// due.
    public var overdueTexts: [String] {
        func local(_ utc: String?) -> String {
            guard let utc else { return "–" }
            return localZone.map { LocalTime.text(utc, zone: $0) } ?? utc + " UTC"
        }
        return overdue.map { clock in
            let since =
                clock.lastArrivalAt.map { "no new export since \(local($0))" }
                ?? "no export at all, awaited since \(local(clock.awaitedSince))"
            return "\(clock.source): \(since), expected \(clock.expects ?? "–"), was due until "
                + local(clock.overdueAfter)
        }
    }
}
