import TripDomain

/// The generations that were published, told by the link and by the files themselves.
///
/// A link that is missing or names an older generation proves nothing: a copy of the mart without
/// links looks like that, and so does a part of a backup. A number was published unless a mark says
/// otherwise that the program itself left:
///
///     history/000419.unpublished    written before anything gets the number, and removed once the
///                                   link names it
///
/// So a missing link never makes a number unpublished, and only what is marked is ever removed.
extension MartFolder {
    /// The number of the published generation; nil where nothing is published yet.
    ///
    /// - Throws: ``MartError`` with code `incomplete` where the link is missing, or does not name a
    ///   generation of which a file is here; of the folders.
    public func servedNumber() throws(MartError) -> Int? {
        if let number = try linkedNumber() {
            // One whose file alone is missing is damaged, and has its own ways out.
            let paths = [generationPath(number), historyPath(number)]
            guard paths.contains(where: FileSystem.exists) else { throw try lostLink() }
            return number
        }
        let hasPublished = try !publishedNumbers().isEmpty
        guard hasPublished || FileSystem.isOccupied(servedLinkPath) else { return nil }
        // The first generation may have been published since.
        if let number = try linkedNumber() { return number }
        throw try lostLink()
    }

    /// The number that the link names; nil where there is no link.
    ///
    /// A reader from outside follows the link itself, so it has to lead to a file of this mart, and
    /// not to one of the same name elsewhere, or nowhere.
    ///
    /// - Throws: ``MartError`` with code `incomplete` where it does not; of the link.
    func linkedNumber() throws(MartError) -> Int? {
        guard let target = try FileSystem.linkTarget(servedLinkPath) else { return nil }
        let name = target.split(separator: "/").last.map(String.init) ?? target
        guard let number = Self.number(ofName: name), Self.fileName(number) == name,
            target == Self.linkTarget(number) || leadsHere(number)
        else { throw try lostLink() }
        return number
    }

    /// Whether a link that is written in another way leads to the file of a generation.
    private func leadsHere(_ number: Int) -> Bool {
        guard let file = FileSystem.resolved(generationPath(number)) else { return false }
        return FileSystem.resolved(servedLinkPath) == file
    }

    /// The numbers that a run began to publish, and of which the link was never known to name one.
    func unpublishedNumbers() throws(MartError) -> [Int] {
        try FileSystem.names(in: historyPath).filter { $0.hasSuffix(Self.unpublishedSuffix) }
            .compactMap { Self.number(ofName: $0) }
    }

    /// The numbers of all generations of which a file is here, except those marked as unpublished,
    /// ascending.
    func publishedNumbers() throws(MartError) -> [Int] {
        try Set(generationNumbers()).union(historyNumbers()).subtracting(unpublishedNumbers())
            .sorted()
    }

    /// Whether the folder has anything that a run writes.
    public var isBegun: Bool {
        [generationsPath, historyPath, archivePath, runLogPath, servedLinkPath]
            .contains(where: FileSystem.isPresent)
    }

    /// Refuses a mart whose link is missing or names an older generation, and one that has lost all
    /// its generations.
    ///
    /// - Returns: The number of the published generation; nil where nothing is published yet.
    /// - Throws: ``MartError`` with code `incomplete`; of the folders.
    @discardableResult
    public func requireComplete() throws(MartError) -> Int? {
        guard let served = try servedNumber() else {
            try requireNew()
            return nil
        }
        guard let newest = try publishedNumbers().last, newest > served else { return served }
        // Beside a run without a lock, another one may have published since.
        let linked = try linkedNumber()
        guard linked == served else { return linked }
        throw try lostLink()
    }

    /// Refuses to begin anew where the generations are missing.
    private func requireNew() throws(MartError) {
        let evidence: String
        if runLogNumber() != nil {
            evidence = "runs that published, in runs.sqlite"
        } else if try unpublishedNumbers().isEmpty, try Archive(self).hasFiles() {
            // A first run that died leaves its exports in the archive, and the mark of its number.
            evidence = "exports that were taken in, in archive/"
        } else {
            return
        }
        throw MartError(
            .incomplete,
            file: path,
            remedy: "Restore generations/ and history/ from the mart's backup, then run again.\n"
                + "If this is to be a new mart, give another folder with --mart.",
            findings: [
                Finding(
                    subject: "generations/ and history/",
                    expected: "the files of published generations",
                    found: "none beside " + evidence
                )
            ]
        )
    }

    /// The greatest number that the list of runs says was published; nil where it names none.
    private func runLogNumber() -> Int? {
        // The generations matter more than the list of runs: one that cannot be read says nothing.
        try? RunLog.openIfPresent(self)?.greatestPublished()
    }

    /// The error of a link that is missing, names an older generation or none that is here, or is
    /// no link.
    ///
    /// - Throws: ``MartError`` of the folders.
    func lostLink() throws(MartError) -> MartError {
        let newest = try publishedNumbers().last
        let target = try FileSystem.linkTarget(servedLinkPath)
        let isFile = FileSystem.isOccupied(servedLinkPath)
        let nowhere = ", which leads to no file"
        return MartError(
            .incomplete,
            file: servedLinkPath,
            remedy: try newest.map { newest throws(MartError) in try steps(to: newest) }
                ?? "Restore generations/ and history/ from the mart's backup, then run again.",
            findings: [
                Finding(
                    subject: "the link triptych.sqlite",
                    expected: newest.map(Self.linkTarget) ?? "the name of a generation",
                    found: target.map { FileSystem.exists(servedLinkPath) ? $0 : $0 + nowhere }
                        ?? (isFile ? "a file in its place" : "no link")
                )
            ]
        )
    }

    /// The steps that make a generation the served one.
    private func steps(to newest: Int) throws(MartError) -> String {
        let command =
            "Set the link to it: ln -sfn \(Self.linkTarget(newest)) "
            + ShellWord.quoted(servedLinkPath)
        var steps: [String] = []
        if let lost = runLogNumber(), lost > newest {
            steps.append(
                "The list of runs says that generation \(lost) was published later. Restore it "
                    + "from a backup, if there is one, before anything else."
            )
        }
        guard !isWhole(newest) else {
            steps.append(
                "Nothing was removed. A copy without links, or with an older one, leaves a mart "
                    + "like this. Generation \(newest) would be served: it is the newest here, and "
                    + "its check sums agree."
            )
            return (steps + [command]).joined(separator: "\n")
        }
        steps += [
            "Nothing was removed. Generation \(newest) was published last, and its file is missing "
                + "or damaged. Restore it from a backup, if there is one.",
            command,
        ]
        let ways = try waysOut(of: newest)
        if ways.isRebuildable {
            steps.append("Build it again from the archive: \(rebuildCommand)")
        }
        if let older = ways.older {
            steps.append(
                "Or go back to generation \(older), whose check sums agree: triptych rollback "
                    + "\(older)\(flags())"
            )
        }
        return steps.joined(separator: "\n")
    }
}
