import TripDomain
import TripEngine
public import TripMart

extension MartQueries {
    /// `runs list`.
    ///
    /// - Parameter limit: The maximum number of runs.
    /// - Returns: The runs, newest first.
    /// - Throws: `MartError` where the list cannot be read.
    public func runs(limit: Int) throws -> PublishedRuns {
        PublishedRuns(try RunLog.openIfPresent(folder)?.list(limit: limit) ?? [], folder)
    }

    /// `runs show`: everything a run printed.
    ///
    /// - Parameter number: The run's number.
    /// - Returns: The one run.
    /// - Throws: ``RunError`` where there is no such run; `MartError` where the list cannot be
    ///   read.
    public func run(_ number: Int) throws -> PublishedRuns {
        let log = try RunLog.openIfPresent(folder)
        guard let log, let last = try log.list(limit: 1).first?.number else {
            throw Self.noSuchRun("\(folder.path) has no list of runs.")
        }
        guard number >= 1, number <= last else {
            throw Self.noSuchRun(
                "\(folder.path) has no run \(number). Its numbers: "
                    + "\(Counted.range(min(1, last)...last))."
            )
        }
        return PublishedRuns([try log.run(number)], folder)
    }

    private static func noSuchRun(_ what: String) -> RunError {
        RunError(
            .notFound,
            summary: "no such run",
            what: what,
            remedies: ["See the runs: triptych runs list"]
        )
    }
}

/// Runs of the list, with the zone that their times are shown in.
public struct PublishedRuns: Sendable {
    /// The runs, newest first.
    public let rows: [RunRecord]
    /// The mart's folder.
    public let martPath: String
    /// nil where no zone can be loaded, so that times are shown as they are kept.
    private let zone: TimeZoneRules?

    init(_ rows: [RunRecord], _ folder: MartFolder) {
        self.rows = rows
        martPath = folder.path
        // Where nothing is served, times are shown in UTC.
        zone = LocalTime.zone(of: try? ServedMart.openIfPublished(folder))
    }

    /// A time of a run in the zone of the served pipeline, like the times of generations.
    ///
    /// - Parameter utc: The time as the list keeps it.
    /// - Returns: `2026-11-01 02:14:05 -04:00`.
    public func localTime(_ utc: String) -> String {
        zone.map { LocalTime.text(utc, zone: $0) } ?? utc
    }
}
