import TripDomain

/// Publishes a finished generation in place of the current one.
///
/// A kill between any two steps leaves the old generation published, or the new one; ``recover()``
/// at the start of the next run removes what the earlier steps had made. The link to the generation
/// moves first and the link to its suppressed cube second: readers of the cube may for a moment be
/// one generation behind, and are never ahead of the published generation.
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
    enum Step: CaseIterable {
        /// The bytes of the three files reach the disk.
        case syncFiles
        /// The sums are computed and written.
        case writeSums
        /// The history file gets its name.
        case nameHistory
        /// The suppressed cube and the generation get their names, which were never used before.
        case nameGeneration
        /// The names reach the disk.
        case syncFolders
        /// Readers see the new generation from here on.
        case moveServedLink
        /// Readers of the suppressed cube follow.
        case moveKPILink
        /// The links reach the disk.
        case syncMart
    }

    /// Publishes a generation that was written and checked.
    ///
    /// - Parameter built: The files, under their building names.
    /// - Throws: ``MartError`` with code `numberTaken`, or an error of a file. In every case
    ///   readers see the complete old generation or the complete new one.
    public func publish(_ built: BuiltGeneration) throws(MartError) {
        for step in Step.allCases {
            try run(step, built)
        }
    }

    func run(_ step: Step, _ built: BuiltGeneration) throws(MartError) {
        let final = folder.generationPath(built.number)
        switch step {
        case .syncFiles:
            for path in [built.path, built.historyPath, built.kpiPath] {
                try FileSystem.sync(path)
            }
        case .writeSums:
            try SumFile.write(for: built.path, to: SumFile.path(for: final))
        case .nameHistory:
            try FileSystem.moveToNewName(built.historyPath, folder.historyPath(built.number))
        case .nameGeneration:
            try FileSystem.moveToNewName(built.kpiPath, folder.kpiPath(built.number))
            try FileSystem.moveToNewName(built.path, final)
        case .syncFolders:
            try FileSystem.sync(folder.historyPath)
            try FileSystem.sync(folder.generationsPath)
        case .moveServedLink:
            try FileSystem.swapLink(
                folder.servedLinkPath,
                to: "generations/" + MartFolder.fileName(built.number)
            )
        case .moveKPILink:
            try pointKPILink(to: built.number)
        case .syncMart:
            try FileSystem.sync(folder.path)
        }
    }

    /// Cleans up after runs that died; called under the lock, before anything is built.
    ///
    /// It removes incomplete files. A generation that was named but never published is removed; its
    /// number stays in use, because a reader may have seen it in the moment before a power failure
    /// undid the link. The link to the suppressed cube follows the published generation.
    ///
    /// - Throws: ``MartError`` of a file.
    public func recover() throws(MartError) {
        let served = try folder.servedNumber() ?? 0
        try removeUnfinished()
        for name in try FileSystem.names(in: folder.generationsPath) {
            if let number = MartFolder.number(ofName: name), number > served {
                try retire(number)
                try FileSystem.remove(folder.generationsPath + "/" + name)
            }
        }
        for number in try folder.historyNumbers() where number > served {
            try retire(number)
        }
        if served > 0 { try pointKPILink(to: served) }
    }

    /// Removes incomplete files; called under the lock.
    ///
    /// - Throws: ``MartError`` of a file.
    public func removeUnfinished() throws(MartError) {
        for directory in [folder.generationsPath, folder.historyPath] {
            for name in try FileSystem.names(in: directory) where name.hasPrefix(".building-") {
                try FileSystem.remove(directory + "/" + name)
            }
        }
    }

    /// Marks a number as used that was assigned and never published.
    private func retire(_ number: Int) throws(MartError) {
        let mark = folder.historyPath + "/" + MartFolder.stem(number) + ".unpublished"
        if !FileSystem.exists(mark) {
            try FileSystem.writeNew([], to: mark, mode: 0o640)
        }
        try FileSystem.sync(folder.historyPath)
        try FileSystem.remove(folder.historyPath(number))
    }

    private func pointKPILink(to number: Int) throws(MartError) {
        let target = "generations/" + MartFolder.stem(number) + ".kpi.sqlite"
        guard FileSystem.exists(folder.kpiPath(number)),
            try FileSystem.linkTarget(folder.kpiLinkPath) != target
        else { return }
        try FileSystem.swapLink(folder.kpiLinkPath, to: target)
    }
}

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
