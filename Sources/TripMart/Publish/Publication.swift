import TripDomain

/// Publishes a finished generation in place of the current one.
///
/// A kill between any two steps leaves the old generation published, or the new one. The first step
/// leaves a mark for the number, the last one removes it: so ``recover()`` at the start of the next
/// run knows which files no reader was ever meant to see, and removes those alone. No step relies
/// on an earlier one being undone: a number that was marked stays in use, because a reader may have
/// seen it in the moment before a power failure undid the link.
///
/// The link to the generation moves first and the link to its suppressed cube second: readers of
/// the cube may for a moment be one generation behind, and are never ahead. After a rollback it is
/// the other way round: the cube before shows what is withdrawn.
public struct Publication: Sendable {
    private let folder: MartFolder

    /// Prepares to publish in a mart.
    ///
    /// - Parameter folder: The mart, whose lock the run holds.
    public init(_ folder: MartFolder) {
        self.folder = folder
    }

    /// The steps, in order.
    ///
    /// Tests stop between any two of them.
    enum Step {
        /// The number is marked as in use and not published.
        case mark
        /// The bytes of the three files reach the disk.
        case syncFiles
        /// The sums of each are computed and written.
        case writeSums
        /// The history file gets its name.
        case nameHistory
        /// The suppressed cube and the generation get their names, which were never used before.
        case nameGeneration
        /// The names reach the disk.
        case syncFolders
        /// Readers see the new generation from here on.
        case moveServedLink
        /// Readers of the suppressed cube see the new one.
        case moveKPILink
        /// The links reach the disk.
        case syncMart
        /// The mark is removed.
        case unmark

        /// The steps to publish a generation.
        ///
        /// - Parameter withdrawing: Whether it withdraws content of the current one.
        /// - Returns: The steps.
        static func order(withdrawing: Bool) -> [Step] {
            [.mark, .syncFiles, .writeSums, .nameHistory, .nameGeneration, .syncFolders]
                + (withdrawing
                    ? [.moveKPILink, .moveServedLink] : [.moveServedLink, .moveKPILink])
                + [.syncMart, .unmark]
        }
    }

    /// Publishes a generation that was written and checked.
    ///
    /// - Parameter built: The files, under their building names.
    /// - Throws: ``MartError`` with code `numberTaken`, or an error of a file. In every case
    ///   readers see the complete old generation or the complete new one.
    public func publish(_ built: BuiltGeneration) throws(MartError) {
        for step in Step.order(withdrawing: built.withdraws) {
            try run(step, built)
        }
    }

    /// Marks a number as in use and not published, before anything in the mart names it.
    ///
    /// - Parameter built: The generation.
    /// - Throws: ``MartError`` of the mark.
    public func mark(_ built: BuiltGeneration) throws(MartError) { try run(.mark, built) }

    func run(_ step: Step, _ built: BuiltGeneration) throws(MartError) {
        let number = built.number
        let final = folder.generationPath(number)
        switch step {
        case .mark:
            try mark(number)
        case .syncFiles:
            for path in [built.path, built.historyPath, built.kpiPath] {
                try FileSystem.sync(path)
            }
        case .writeSums:
            try SumFile.write(for: built.path, to: SumFile.path(for: final))
            try SumFile.write(
                for: built.historyPath,
                to: SumFile.path(for: folder.historyPath(number))
            )
            try SumFile.write(for: built.kpiPath, to: SumFile.path(for: folder.kpiPath(number)))
        case .nameHistory:
            try FileSystem.moveToNewName(built.historyPath, folder.historyPath(number))
        case .nameGeneration:
            try FileSystem.moveToNewName(built.kpiPath, folder.kpiPath(number))
            try FileSystem.moveToNewName(built.path, final)
        case .syncFolders:
            try FileSystem.sync(folder.historyPath)
            try FileSystem.sync(folder.generationsPath)
        case .moveServedLink:
            try FileSystem.swapLink(folder.servedLinkPath, to: MartFolder.linkTarget(number))
        case .moveKPILink:
            try pointKPILink(to: number)
        case .syncMart:
            try FileSystem.sync(folder.path)
        case .unmark:
            try unmark(number)
        }
    }

    /// Cleans up after runs that died; called under the lock, before anything is built.
    ///
    /// It removes incomplete files, and the files of a number that is marked and that the link does
    /// not name. The link to the suppressed cube follows the published generation.
    ///
    /// - Throws: ``MartError`` with code `incomplete`, before anything is removed, where the link
    ///   is missing or names an older generation, or all generations are missing; of a file.
    public func recover() throws(MartError) {
        let served = try folder.requireComplete() ?? 0
        try removeUnfinished()
        // The link may point to a file that is removed next.
        if served > 0 { try pointKPILink(to: served) }
        for number in try folder.unpublishedNumbers() {
            if number == served {
                // The links reached the disk or not: they do before the mark is gone.
                try FileSystem.sync(folder.path)
                try unmark(number)
            } else if number > served {
                try removeFiles(of: number)
            }
        }
    }

    /// Removes incomplete files; called under the lock.
    ///
    /// - Throws: ``MartError`` of a file.
    public func removeUnfinished() throws(MartError) {
        for directory in [folder.generationsPath, folder.historyPath, folder.changesPath] {
            for name in try FileSystem.names(in: directory) where name.hasPrefix(".building-") {
                try FileSystem.remove(directory + "/" + name)
            }
        }
        try removeRemains()
    }

    /// Removes sums, suppressed cubes and saved changes that a removal which was cut short left
    /// behind: those of generations that are older than every generation file and than the newest,
    /// which always stay.
    private func removeRemains() throws(MartError) {
        guard let oldest = try folder.generationNumbers().first else { return }
        let newest = try folder.publishedNumbers().suffix(Retention.keptCount)
        let beside = try FileSystem.names(in: folder.generationsPath)
            .filter { $0.hasSuffix(".kpi.sqlite") || $0.hasSuffix(".sum") }
            .map { (name: $0, path: folder.generationsPath + "/" + $0) }
        let changes = try FileSystem.names(in: folder.changesPath)
            .map { (name: $0, path: folder.changesPath + "/" + $0) }
        for (name, path) in beside + changes {
            guard let number = MartFolder.number(ofName: name), number < oldest,
                !newest.contains(number), folder.keepsHistory(number)
            else { continue }
            try FileSystem.remove(path)
        }
    }

    private func mark(_ number: Int) throws(MartError) {
        let mark = folder.unpublishedPath(number)
        guard !FileSystem.exists(mark) else { return }
        // What is marked may be removed, so nothing may have the number yet.
        guard number >= (try folder.nextNumber()) else {
            throw FileSystem.taken(folder.generationPath(number))
        }
        try FileSystem.writeNew([], to: mark, mode: 0o640)
        try FileSystem.sync(folder.historyPath)
    }

    private func unmark(_ number: Int) throws(MartError) {
        try FileSystem.remove(folder.unpublishedPath(number))
        try FileSystem.sync(folder.historyPath)
    }

    /// Removes the files of a number that was marked and never published; the mark stays.
    private func removeFiles(of number: Int) throws(MartError) {
        for path in [
            folder.generationPath(number), folder.kpiPath(number), folder.historyPath(number),
        ] {
            try FileSystem.remove(path)
            try FileSystem.remove(SumFile.path(for: path))
        }
    }

    private func pointKPILink(to number: Int) throws(MartError) {
        let target = "generations/" + MartFolder.stem(number) + ".kpi.sqlite"
        guard try FileSystem.linkTarget(folder.kpiLinkPath) != target else { return }
        if FileSystem.isOccupied(folder.kpiLinkPath), try isCopyOfKPI(folder.kpiLinkPath) {
            // A copy that follows links left it there, of a file that is in generations/.
            try FileSystem.remove(folder.kpiLinkPath)
        }
        try FileSystem.swapLink(folder.kpiLinkPath, to: target)
    }

    /// Whether a file has the bytes of a suppressed cube of the mart.
    private func isCopyOfKPI(_ path: String) throws(MartError) -> Bool {
        guard !FileSystem.isFolder(path) else { return false }
        let bytes = try FileSystem.readAll(path)
        for number in try folder.generationNumbers() where FileSystem.exists(folder.kpiPath(number))
        {
            if try FileSystem.readAll(folder.kpiPath(number)) == bytes { return true }
        }
        return false
    }
}

/// Decides which generation files stay for rollback.
public enum Retention {
    /// The number of the newest generations that always stay.
    public static let keptCount = 3

    /// Removes generation files that are neither published, nor young, nor among the newest, and
    /// whose history file is as it was published.
    ///
    /// The history files stay; without one of them, its generation file is all that is left. What
    /// led to a removed generation goes with it. A reader that has a removed file open keeps it
    /// until it closes it.
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
        keep: Int = Retention.keptCount,
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
            guard folder.keepsHistory(number) else { continue }
            // The file itself is removed first: sums without a file are ignored.
            for file in [path, folder.kpiPath(number)] {
                try FileSystem.remove(file)
                try FileSystem.remove(SumFile.path(for: file))
            }
            try FileSystem.remove(folder.changesPath(number))
            removed.append(number)
        }
        return removed
    }
}
