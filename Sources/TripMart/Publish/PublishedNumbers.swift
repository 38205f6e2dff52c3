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
    ///   generation; of the folders.
    public func servedNumber() throws(MartError) -> Int? {
        if let number = try linkedNumber() { return number }
        let hasPublished = try !publishedNumbers().isEmpty
        guard hasPublished || FileSystem.isOccupied(servedLinkPath) else { return nil }
        // The first generation may have been published since.
        if let number = try linkedNumber() { return number }
        throw try lostLink()
    }

    /// The number that the link names; nil where there is no link.
    func linkedNumber() throws(MartError) -> Int? {
        guard let target = try FileSystem.linkTarget(servedLinkPath) else { return nil }
        let name = target.split(separator: "/").last.map(String.init) ?? target
        guard let number = Self.number(ofName: name), Self.fileName(number) == name else {
            throw try lostLink()
        }
        return number
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
        // The numbers matter more than the list of runs: one that cannot be read says nothing.
        if (try? RunLog.openIfPresent(self)?.hasPublished()) == true {
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

    /// The error of a link that is missing, names an older generation, or is no link.
    ///
    /// - Throws: ``MartError`` of the folders.
    func lostLink() throws(MartError) -> MartError {
        let newest = try publishedNumbers().last
        let target = try FileSystem.linkTarget(servedLinkPath)
        let isFile = FileSystem.isOccupied(servedLinkPath)
        return MartError(
            .incomplete,
            file: servedLinkPath,
            remedy: try newest.map { newest throws(MartError) in try steps(to: newest) }
                ?? "Restore generations/ and history/ from the mart's backup, then run again.",
            findings: [
                Finding(
                    subject: "the link triptych.sqlite",
                    expected: newest.map(Self.linkTarget) ?? "the name of a generation",
                    found: target ?? (isFile ? "a file in its place" : "no link")
                )
            ]
        )
    }

    /// The steps that make a generation the served one.
    private func steps(to newest: Int) throws(MartError) -> String {
        let command =
            "ln -sfn \(Self.linkTarget(newest)) \(ShellWord.quoted(servedLinkPath))"
        guard !isWhole(generationPath(newest)) else {
            return "Nothing was removed. Copies without links leave a mart like this. Generation "
                + "\(newest) would be served: it is the newest here, and its check sums agree.\n"
                + "Set the link to it: " + command
        }
        let older = try generationNumbers().last { $0 < newest && isWhole(generationPath($0)) }
        var steps = [
            "Nothing was removed. Generation \(newest) was published last, and its file is missing "
                + "or damaged. Restore it from a backup, if there is one.",
            "Set the link to it: " + command,
        ]
        if FileSystem.exists(historyPath(newest)) {
            steps.append("Build it again from the archive: triptych run PIPELINE --full")
        }
        if let older {
            steps.append(
                "Or go back to generation \(older), whose check sums agree: triptych rollback "
                    + "\(older)"
            )
        }
        return steps.joined(separator: "\n")
    }
}
