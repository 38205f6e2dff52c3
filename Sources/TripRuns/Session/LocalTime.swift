import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// Local times as text.
enum LocalTime {
    /// The day on a zone's clock.
    static func day(_ utcSeconds: Int64, zone: TimeZoneRules) -> CivilDate {
        CivilTime.date(ofSeconds: utcSeconds + Int64(zone.offset(atUTC: utcSeconds)))
    }

    /// `2026-11-01 02:14:05 -04:00`.
    static func text(_ utcSeconds: Int64, zone: TimeZoneRules) -> String {
        let offset = Int64(zone.offset(atUTC: utcSeconds))
        let minutes = offset.magnitude / 60
        let clock = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return CivilTime.text(ofSeconds: utcSeconds + offset) + (offset < 0 ? " -" : " +")
            + clock.joined(separator: ":")
    }

    /// A time as text in a zone, or in UTC and said so where none is known.
    static func text(_ utcSeconds: Int64, in zone: TimeZoneRules?) -> String {
        zone.map { text(utcSeconds, zone: $0) } ?? CivilTime.text(ofSeconds: utcSeconds) + " UTC"
    }

    /// A time of the list of runs, or of a generation, as text in the zone of a pipeline.
    ///
    /// - Parameters:
    ///   - utc: `YYYY-MM-DD HH:MM:SS`, with or without a `Z`.
    ///   - zone: The zone.
    /// - Returns: The local time with its offset; the text as it is where it is no time.
    static func text(_ utc: String, zone: TimeZoneRules) -> String {
        let stamp = utc.prefix(10) + "T" + utc.dropFirst(11).prefix(8) + "Z"
        return RunClock.seconds(String(stamp)).map { text($0, zone: zone) } ?? utc
    }

    /// The zone that times of a mart are shown in: that of the pipeline of what is served.
    ///
    /// - Parameter served: What is served; nil for nothing.
    /// - Returns: UTC where nothing is served, or its pipeline can no longer be read.
    static func zone(of served: (any SummaryReading)?) -> TimeZoneRules? {
        // A printed time must not be the reason that a command fails.
        let pipeline = try? served.map { try PipelineReader.read(files: $0.inputs().pipelineFiles) }
        // UTC needs no file, where the machine has zones at all.
        return try? ZoneFiles.load(pipeline?.timeZone ?? "UTC", namedBy: "pipeline.yaml")
    }
}
