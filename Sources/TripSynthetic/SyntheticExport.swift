import Glibc
import TripDomain

/// The marks that distinguish generated data from real data.
public enum SyntheticMark {
    /// The first letters of every generated trip id: the mark that survives copying a file.
    public static let tripIDPrefix = "SYN-"
    /// The file beside the exports with the options they were generated from.
    public static let fileName = "generated.json"
    /// The file beside the exports with the results that a run over them must have.
    public static let manifestName = "manifest.json"
    /// The folder of the reference files that fit the exports.
    public static let referenceFolder = "reference"
    /// The folder of the export that is sent again with other content.
    public static let resentFolder = "resent"
    /// The folder of the export that is sent again under another name.
    public static let renamedFolder = "renamed"
}

/// Generates realistic exports from a seed.
///
/// The same options give the same bytes: on any machine for plain files and reference files,
/// and with one version of zlib for packed ones. The number of threads makes no difference.
public struct SyntheticExport: Sendable {
    /// A summary of the files written.
    public struct Summary: Sendable, Hashable {
        /// The exports, in order, by their path below the folder.
        public let paths: [String]
        /// The number of records, bad ones included.
        public let recordCount: Int
        /// The number of bytes, before packing.
        public let byteCount: Int
    }

    private let options: SyntheticOptions

    /// Prepares an export.
    ///
    /// - Precondition: ``SyntheticOptions/problem`` is nil.
    public init(_ options: SyntheticOptions) {
        if let problem = options.problem { preconditionFailure(problem) }
        self.options = options
    }

    /// Writes all files.
    ///
    /// - Parameters:
    ///   - folder: The folder; made where it does not exist. It must contain no other exports.
    ///   - threadCount: Threads to use, at least 1.
    ///   - includesReference: Whether the reference files are written too.
    /// - Returns: A summary of the files written.
    /// - Throws: ``SyntheticFault``.
    /// - Complexity: O(*n*) in the trips; about 1.5 MiB of memory per thread.
    @discardableResult
    public func write(
        to folder: String,
        threadCount: Int,
        includesReference: Bool = true
    ) throws(SyntheticFault) -> Summary {
        // 1. The world, the schedule and the plan of planted lines
        let world = SyntheticWorld(seed: options.worldSeed)
        let generator = TripGenerator(options: options, world: world)
        let forms = self.forms(of: generator.schedule)
        let plan = FaultPlan(
            options: options,
            generator: generator,
            isLegacy: forms.map(\.isLegacy),
            isGzip: forms.map(\.isGzip)
        )
        let names = generator.schedule.files.indices.map { index in
            generator.schedule.files[index].stem + (forms[index].isGzip ? ".csv.gz" : ".csv")
        }
        try Self.prepare(folder, names: names, includesReference)

        // 2. The exports, each on its own
        let results = Parallel.map(names.count, threads: threadCount) { index in
            Self.attempt { () throws(SyntheticFault) -> FileTally in
                try ExportFileWriter(
                    generator: generator,
                    insertions: plan.insertions[index],
                    form: forms[index],
                    fileIndex: index,
                    revision: nil
                ).write(folder: folder, path: names[index])
            }
        }
        var tallies: [FileTally] = []
        for result in results { tallies.append(try result.get()) }

        // 3. The outcomes of further versions of trips
        VersionOutcomes(plan: plan, generator: generator).apply(to: &tallies)

        // 4. The exports sent again, the manifest, and the reference files
        let resending = ResentExports(
            options: options,
            generator: generator,
            plan: plan,
            forms: forms,
            names: names
        )
        let manifest = Manifest(
            options: options,
            plan: plan,
            tallies: tallies,
            resent: try resending.writeResent(below: folder, tallies),
            renamed: try resending.writeRenamed(below: folder, tallies)
        )
        try ExportSink.write(manifest.account(), path: folder + "/" + SyntheticMark.manifestName)
        try ExportSink.write(manifest.mark(), path: folder + "/" + SyntheticMark.fileName)
        if includesReference { try Self.writeReference(world, below: folder) }
        return Summary(
            paths: names,
            recordCount: tallies.reduce(0) { $0 + $1.recordCount },
            byteCount: tallies.reduce(0) { $0 + $1.byteCount }
        )
    }

    /// The byte form of each file; with faults, some have unusual but valid line ends.
    private func forms(of schedule: ExportSchedule) -> [ExportFileWriter.Form] {
        schedule.files.indices.map { index in
            var form = ExportFileWriter.Form()
            let month = index / options.filesPerMonth
            switch options.layout {
            case .native: break
            case .legacy: form.isLegacy = true
            case .mixed: form.isLegacy = month < options.monthCount / 3
            }
            switch options.packing {
            case .plain: break
            case .gzip: form.isGzip = true
            case .alternating: form.isGzip = index % 2 == 1
            }
            guard options.hasFaults else { return form }
            form.hasCarriageReturns = index % 7 == 2
            form.hasByteOrderMark = index % 7 == 4
            form.lacksLastLineEnd = index % 5 == 3
            return form
        }
    }

    /// Makes the folder.
    ///
    /// It refuses a folder with exports that this call would not overwrite, and one with files that
    /// it would overwrite although they were not generated.
    private static func prepare(
        _ folder: String,
        names: [String],
        _ includesReference: Bool
    ) throws(SyntheticFault) {
        try ExportSink.makeFolder(folder)
        let found = try self.names(in: folder)
        if let name = found.first(where: { $0.hasPrefix("claims_") && !names.contains($0) }) {
            throw SyntheticFault(
                path: folder,
                finding: "has exports of another kind, such as \(name)",
                remedy: "Name an empty folder with --out."
            )
        }
        guard !found.contains(SyntheticMark.fileName) else { return }
        let written =
            names + [SyntheticMark.manifestName]
            + (includesReference ? [SyntheticMark.referenceFolder] : [])
        if let name = found.first(where: written.contains) {
            throw SyntheticFault(
                path: folder + "/" + name,
                finding: "would be overwritten, and the folder has no "
                    + "\(SyntheticMark.fileName), which generated files have",
                remedy: "Name an empty folder with --out."
            )
        }
    }

    private static func names(in folder: String) throws(SyntheticFault) -> [String] {
        guard let listing = opendir(folder) else { throw ExportSink.failure(folder, errno) }
        defer { closedir(listing) }
        var names: [String] = []
        while true {
            // Only the error number tells the end of the folder from a failure.
            errno = 0
            guard let entry = readdir(listing) else {
                guard errno == 0 else { throw ExportSink.failure(folder, errno) }
                return names.sorted()
            }
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
            )
        }
    }

    /// Returns the value or the error of a piece of parallel work.
    private static func attempt<Value>(
        _ body: () throws(SyntheticFault) -> Value
    ) -> Result<Value, SyntheticFault> {
        do throws(SyntheticFault) { return .success(try body()) } catch { return .failure(error) }
    }

    private static func writeReference(
        _ world: SyntheticWorld,
        below folder: String
    ) throws(SyntheticFault) {
        let reference = folder + "/" + SyntheticMark.referenceFolder
        try ExportSink.makeFolder(reference)
        for (name, bytes) in ReferenceFiles.files(of: world) {
            try ExportSink.write(bytes, path: reference + "/" + name)
        }
    }
}

/// Writes one export again with other content, and one under another name.
struct ResentExports {
    let options: SyntheticOptions
    let generator: TripGenerator
    let plan: FaultPlan
    let forms: [ExportFileWriter.Form]
    let names: [String]

    /// Writes the middle export again: without some of its trips, and with other amounts.
    ///
    /// - Returns: The counts of the new content and of the first sending; nil without faults.
    func writeResent(
        below folder: String,
        _ tallies: [FileTally]
    ) throws(SyntheticFault) -> (tally: FileTally, first: FileTally)? {
        guard options.hasFaults else { return nil }
        let index = names.count / 2
        let target = folder + "/" + SyntheticMark.resentFolder
        try ExportSink.makeFolder(target)
        let writer = ExportFileWriter(
            generator: generator,
            insertions: plan.insertions[index],
            form: forms[index],
            fileIndex: index,
            revision: ExportFileWriter.Revision(kept: plan.sources[index])
        )
        var fresh = tallies
        fresh[index] = try writer.write(folder: target, path: names[index])
        // The versions have the same outcomes; those in other files are counted already.
        for group in plan.groups {
            for (version, term) in zip(group, VersionOutcomes.terms(labels: group.map(\.label)))
            where version.fileIndex == index && term != .accepted {
                fresh[index].move(
                    version.trip,
                    regionIndex: generator.regionIndex(of: version.trip),
                    to: term
                )
            }
        }
        return (fresh[index], tallies[index])
    }

    /// Writes the export after the middle one under another name, packed the other way.
    ///
    /// - Returns: The counts of the copy and of its source; nil without faults.
    func writeRenamed(
        below folder: String,
        _ tallies: [FileTally]
    ) throws(SyntheticFault) -> (tally: FileTally, source: FileTally)? {
        guard options.hasFaults else { return nil }
        let index = min(names.count - 1, names.count / 2 + 1)
        let target = folder + "/" + SyntheticMark.renamedFolder
        try ExportSink.makeFolder(target)
        var form = forms[index]
        form.isGzip.toggle()
        let suffix = form.isGzip ? ".csv.gz" : ".csv"
        let name = generator.schedule.files[index].stem + "_copy" + suffix
        let writer = ExportFileWriter(
            generator: generator,
            insertions: plan.insertions[index],
            form: form,
            fileIndex: index,
            revision: nil
        )
        var tally = try writer.write(folder: target, path: name)
        tally.makeAllDuplicates()
        return (tally, tallies[index])
    }
}

extension FileTally {
    /// Counts every valid record as a duplicate of the one it was copied from.
    ///
    /// Versions of one trip within the source are equal, so the copy, which comes right after it,
    /// changes nothing.
    mutating func makeAllDuplicates() {
        add(self[.accepted], to: .duplicate)
        terms[.accepted] = LedgerAmount()
        monthRegions = [MonthRegion](repeating: MonthRegion(), count: monthRegions.count)
        codeCounts = [Int](repeating: 0, count: codeCounts.count)
    }
}
