import TripDomain

/// Decides which generation files stay for rollback.
public enum Retention {
    /// Removes generation files that are neither published, nor young, nor among the newest.
    ///
    /// The history files stay. A reader that has a removed file open keeps it until it closes it.
    ///
    /// - Parameters:
    ///   - folder: The mart, whose lock the run holds.
    ///   - keep: The number of the newest generations that always stay.
    ///   - now: The time, in seconds since 1970 of UTC.
    ///   - minimumAgeSeconds: Files that changed less than this long ago stay; by default a day.
    /// - Returns: The numbers of the generations that were removed, ascending.
    /// - Throws: ``MartError`` of a file.
    @discardableResult
    public static func apply(
        to folder: MartFolder,
        keep: Int = 3,
        now: Int64,
        minimumAgeSeconds: Int64 = 86_400
    ) throws(MartError) -> [Int] {
        let served = try folder.servedNumber()
        let numbers = try folder.generationNumbers()
        var removed: [Int] = []
        for number in numbers.dropLast(max(0, keep)) where number != served {
            let path = folder.generationPath(number)
            let status = try FileSystem.status(path)
            if status.changedAt > now - minimumAgeSeconds { continue }
            // The file itself is removed first: sums without a file are ignored.
            for file in [path, SumFile.path(for: path), folder.kpiPath(number)] {
                try FileSystem.remove(file)
            }
            removed.append(number)
        }
        return removed
    }
}
