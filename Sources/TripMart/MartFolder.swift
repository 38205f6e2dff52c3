import Glibc
import TripDomain

/// The paths of a mart's files, and the generation numbers in use.
///
///     triptych.sqlite -> generations/000418.sqlite      the published generation
///     kpi.sqlite      -> generations/000418.kpi.sqlite  its cube with small cells suppressed
///     generations/    000418.sqlite  000418.kpi.sqlite  each with its sums beside it, ….sum
///     history/        000418.sqlite                     cube, ledger and inputs, kept for good
///                     000419.unpublished                a number that a run began to publish
///     archive/        raw files by content hash
///     plans/          7c1e04d2.plan                     effects of planned edits
///     changes/        000418.sqlite                     what led to a generation, cause by cause
///     scratch/        files that `verify` and `diff` build while they work
///     runs.sqlite  run.lock  queue/
public struct MartFolder: Sendable, Hashable {
    /// The folder's path.
    public let path: String

    /// Names a mart by its folder; touches nothing.
    public init(path: String) {
        self.path = path
    }

    /// Refuses a path at which a file lies, or below one.
    ///
    /// - Throws: ``MartError`` with code `notAFolder`; with `notPermitted` where a folder above it
    ///   is closed to this account.
    public func requireFolder() throws(MartError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw FileSystem.noFolder(path) }
            return
        }
        if errno == ENOTDIR { throw FileSystem.noFolder(path) }
        if errno == EACCES { throw FileSystem.denied(path) }
    }

    /// Creates the folder and its subfolders where they are missing.
    ///
    /// The mart is open to its owner and group; the archive to its owner alone.
    ///
    /// - Throws: ``MartError`` with code `cannotCreate` or `ioFailed`.
    public func create() throws(MartError) {
        for folder in [path, generationsPath, historyPath] {
            try FileSystem.makeFolder(folder, mode: 0o750)
        }
        try createPlans()
        try createQueue()
        try FileSystem.makeFolder(archivePath, mode: 0o700)
    }

    /// Creates the folder of the plans where it is missing: every account that may read the mart
    /// may plan.
    ///
    /// - Throws: ``MartError`` with code `cannotCreate` or `ioFailed`.
    func createPlans() throws(MartError) { try createShared(plansPath) }

    /// Creates the folder of the changes between generations where it is missing.
    ///
    /// - Throws: ``MartError`` with code `cannotCreate` or `ioFailed`.
    func createChanges() throws(MartError) {
        guard !FileSystem.isFolder(changesPath) else { return }
        try FileSystem.makeFolder(changesPath, mode: 0o750)
    }

    /// Creates the folder of the requested runs where it is missing.
    ///
    /// It is the only folder of the mart that the server's account writes to.
    ///
    /// - Throws: ``MartError`` with code `cannotCreate` or `ioFailed`.
    func createQueue() throws(MartError) { try createShared(queuePath) }

    private func createShared(_ path: String) throws(MartError) {
        guard !FileSystem.isFolder(path) else { return }
        try FileSystem.makeFolder(path, mode: 0o770)
        // The process's umask may remove permissions from the new folder. If they cannot be added
        // back, only the owner writes there.
        chmod(path, 0o770)
    }

    /// The folder of the generation files.
    public var generationsPath: String { path + "/generations" }
    /// The folder of the parts of each generation that are kept for good.
    public var historyPath: String { path + "/history" }
    /// The folder of the raw files.
    public var archivePath: String { path + "/archive" }
    /// The folder of the plans.
    public var plansPath: String { path + "/plans" }
    /// The folder of the changes between generations.
    public var changesPath: String { path + "/changes" }
    /// The folder of the requested runs.
    public var queuePath: String { path + "/queue" }
    /// The folder of files that are built only to be compared.
    public var scratchPath: String { path + "/scratch" }
    /// The link to the published generation.
    public var servedLinkPath: String { path + "/triptych.sqlite" }
    /// The link to the published generation's suppressed cube.
    public var kpiLinkPath: String { path + "/kpi.sqlite" }
    /// The list of runs.
    public var runLogPath: String { path + "/runs.sqlite" }
    /// The lock that keeps runs apart.
    public var lockPath: String { path + "/run.lock" }

    /// The file of one generation.
    public func generationPath(_ number: Int) -> String {
        generationsPath + "/" + Self.fileName(number)
    }

    /// The suppressed cube of one generation.
    public func kpiPath(_ number: Int) -> String {
        generationsPath + "/" + Self.stem(number) + ".kpi.sqlite"
    }

    /// The file of one plan.
    public func planPath(_ id: String) -> String { plansPath + "/" + id + ".plan" }

    /// The file of the changes that led to one generation.
    public func changesPath(_ number: Int) -> String {
        changesPath + "/" + Self.fileName(number)
    }

    /// The file of one generation that is kept for good.
    public func historyPath(_ number: Int) -> String {
        historyPath + "/" + Self.fileName(number)
    }

    /// The mark of a number that a run began to publish.
    func unpublishedPath(_ number: Int) -> String {
        historyPath + "/" + Self.stem(number) + Self.unpublishedSuffix
    }

    static let unpublishedSuffix = ".unpublished"

    /// The target of a link to the file of one generation.
    static func linkTarget(_ number: Int) -> String { "generations/" + fileName(number) }

    /// The numbers of all generation files that are complete, ascending.
    public func generationNumbers() throws(MartError) -> [Int] {
        try numbers(in: generationsPath)
    }

    /// The numbers of all generations whose cube and inputs are kept, ascending.
    public func historyNumbers() throws(MartError) -> [Int] {
        try numbers(in: historyPath)
    }

    /// Whether the mart has, or ever had, a generation.
    public func hasGenerations() throws(MartError) -> Bool {
        try nextNumber() > 1
    }

    /// The number of the next generation: one more than the greatest ever used.
    public func nextNumber() throws(MartError) -> Int {
        var greatest = try linkedNumber() ?? 0
        for folder in [generationsPath, historyPath] {
            for name in try FileSystem.names(in: folder) {
                greatest = max(greatest, Self.number(ofName: name) ?? 0)
            }
        }
        return greatest + 1
    }

    /// `000418.sqlite`.
    static func fileName(_ number: Int) -> String { stem(number) + ".sqlite" }

    static func stem(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// The largest generation number: more than a mart will ever have, at one a day.
    private static let numberMax = 999_999_999

    /// The number that a file name begins with: six or more digits, then a dot; nil where it
    /// exceeds the largest generation number.
    static func number(ofName name: String) -> Int? {
        let digits = name.prefix { $0.isASCII && $0.isNumber }
        guard digits.count >= 6, name.dropFirst(digits.count).first == "." else { return nil }
        return Int(digits).flatMap { $0 <= numberMax ? $0 : nil }
    }

    private func numbers(in folder: String) throws(MartError) -> [Int] {
        var found: [Int] = []
        for name in try FileSystem.names(in: folder) {
            if let number = Self.number(ofName: name), Self.fileName(number) == name {
                found.append(number)
            }
        }
        return found.sorted()
    }
}
