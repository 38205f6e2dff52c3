import TripDomain
import TripEngine
public import TripMart

extension MartQueries {
    /// `runs list`.
    ///
    /// - Parameter limit: The maximum number of runs.
    /// - Returns: The runs, newest first.
    /// - Throws: `MartError` where the list cannot be read, or the folder is no mart.
    public func runs(limit: Int) throws -> PublishedRuns {
        // A folder without anything is mostly one whose name is mistyped.
        if !folder.isBegun { _ = try ServedMart.number(in: folder) }
        let log = try RunLog.openIfPresent(folder)
        return try PublishedRuns(log?.list(limit: limit) ?? [], of: log?.count() ?? 0, self)
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
            throw noSuchRun("\(folder.path) has no list of runs.")
        }
        guard number >= 1, number <= last else {
            throw noSuchRun(
                "\(folder.path) has no run \(number). Its numbers: "
                    + "\(Counted.range(min(1, last)...last))."
            )
        }
        return PublishedRuns([try log.run(number)], of: 1, self)
    }

    private func noSuchRun(_ what: String) -> RunError {
        RunError(
            .notFound,
            summary: "no such run",
            what: what,
            remedies: ["See the runs: triptych runs list\(martFlags)"]
        )
    }
}

/// Runs of the list, with the zone that their times are shown in.
public struct PublishedRuns: Sendable {
    /// The runs, newest first.
    public let rows: [RunRecord]
    /// The number of all runs, listed or not.
    public let total: Int
    /// The mart's folder.
    public let martPath: String
    /// The flags that name the mart in a command, after a blank each.
    public let martFlags: String
    /// Whether there is none although the mart has generations: the list is lost.
    public let isLost: Bool
    /// nil where no zone can be loaded, so that times are shown as they are kept.
    private let zone: TimeZoneRules?

    init(_ rows: [RunRecord], of total: Int, _ queries: MartQueries) {
        let folder = queries.folder
        self.rows = rows
        self.total = total
        martPath = folder.path
        martFlags = queries.martFlags
        // A folder that cannot be read says nothing about the list.
        isLost = rows.isEmpty && (try? folder.generationNumbers())?.isEmpty == false
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
