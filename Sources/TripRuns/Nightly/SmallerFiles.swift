import TripDomain
import TripEngine
import TripPipeline

/// New files that bring nothing, or far less than the content they replace.
///
/// A header without records, or an export cut to a few lines, is a whole file: nothing in it shows
/// that the rest is missing. Taken as it is, it withdraws its month. So it is refused, with its
/// numbers, until the operator says that it is meant.
struct SmallerFiles {
    /// A replacement with less than this share of the items, dollars or counted trips is refused:
    /// the half.
    ///
    /// Corrections add and remove single trips. A month of which more than half is gone has never
    /// been one.
    static let leastShare: (part: Int64, whole: Int64) = (1, 2)

    /// What the operator should do about such a file.
    static let remedy = "Ask the sender for the whole export"
    /// Why a file is not such a case.
    static let notFarLess = "it brings records, and not far less than it replaces"

    /// A file, and what it would do.
    struct Finding {
        /// The file's index among those read.
        let index: Int
        /// What it would do: one clause.
        let clause: String
    }

    /// The files to refuse.
    private(set) var refused: [Finding] = []
    /// The files that the operator accepts although they are smaller.
    private(set) var accepted: [Finding] = []

    private let files: [ExportsReading.ReadFile]
    private let sources: [SourceDefinition]
    private let asked: PathSet
    /// The contents that can replace each other.
    private let groups: [[UInt8]: [Int]]

    /// Compares the new files with what they replace.
    ///
    /// - Parameters:
    ///   - files: All files that could be read.
    ///   - sources: The pipeline's sources.
    ///   - accepting: The files that the operator accepts.
    init(
        _ files: [ExportsReading.ReadFile],
        _ sources: [SourceDefinition],
        accepting: [String]
    ) {
        self.files = files
        self.sources = sources
        asked = PathSet(accepting)
        groups = Self.groups(files, sources)
        for index in files.indices where files[index].entry.isNew && isEmpty(index) {
            note(index, "it has a header and no record" + (isReplacing(index) ?? ""))
        }
        for group in groups.values where group.count > 1 { compare(group) }
        refused.sort { $0.index < $1.index }
        accepted.sort { $0.index < $1.index }
    }

    /// Compares the contents of one path or period: each new content that would be in force with
    /// the greatest of those that it withdraws.
    private mutating func compare(_ group: [Int]) {
        var left = group.filter { index in !refused.contains { $0.index == index } }
        while let last = current(left), files[last].entry.isNew {
            left.removeAll { $0 == last }
            let known = left.filter { !files[$0].entry.isNew }
            let withdrawn =
                left.filter { files[$0].entry.isNew } + [current(known)].compactMap(\.self)
            let before = withdrawn.map(worth)
            let greatest = Worth(
                items: before.map(\.items).max() ?? 0,
                cents: before.map(\.cents).max() ?? 0,
                trips: before.map(\.trips).max() ?? 0
            )
            // Without the file, the one before it would be in force, and may be smaller too.
            guard let clause = clause(from: greatest, to: worth(last)) else { return }
            guard !accepted.contains(where: { $0.index == last }) else { continue }
            note(last, clause)
        }
    }

    private mutating func note(_ index: Int, _ clause: String) {
        let finding = Finding(index: index, clause: clause)
        if asked.contains(files[index].entry.path) {
            accepted.append(finding)
        } else {
            refused.append(finding)
        }
    }

    private func isEmpty(_ index: Int) -> Bool { files[index].summary.read.items == 0 }

    /// What a file without records would withdraw; nil where it replaces nothing.
    private func isReplacing(_ index: Int) -> String? {
        guard let key = Self.key(files[index].entry, sources), let group = groups[key],
            let before = current(group.filter { !files[$0].entry.isNew })
        else { return nil }
        return clause(from: worth(before), to: Worth()).map { ", and " + $0 }
    }

    /// The content in force among some of one path or period.
    private func current(_ group: [Int]) -> Int? {
        let register = FileRegister(group.map { files[$0].entry }, sources: sources)
        let entry = zip(register.entries, register.isCurrent).first { $0.1 }?.0
        return entry.flatMap { entry in group.first { files[$0].entry == entry } }
    }

    /// The indexes of files by what they can replace.
    private static func groups(
        _ files: [ExportsReading.ReadFile],
        _ sources: [SourceDefinition]
    ) -> [[UInt8]: [Int]] {
        var groups: [[UInt8]: [Int]] = [:]
        for (index, file) in files.enumerated() {
            if let key = key(file.entry, sources) { groups[key, default: []].append(index) }
        }
        return groups
    }

    private static func key(
        _ entry: FileRegister.Entry,
        _ sources: [SourceDefinition]
    ) -> [UInt8]? {
        switch sources[entry.sourceIndex].replaces {
        case .nothing: return nil
        case .samePath: return Array("\(entry.sourceIndex) \(LogicalPath.of(entry.path))".utf8)
        case .period: return Array("\(entry.sourceIndex) \(entry.period)".utf8)
        }
    }

    /// What a file brings.
    private struct Worth {
        /// Items that are no rejects, and their amounts.
        var items: Int64 = 0
        var cents: Int64 = 0
        /// Its counted trips.
        var trips: Int64 = 0
    }

    private func worth(_ index: Int) -> Worth {
        let file = files[index]
        let read = file.summary.read
        var worth = Worth(items: read.items, cents: read.cents, trips: file.content.countedTrips)
        for reject in file.rejects {
            worth.items -= Int64(reject.itemCount)
            worth.cents -= reject.amountCents ?? 0
        }
        return worth
    }

    /// What a replacement by far less would do; nil where it is not by far less.
    private func clause(from before: Worth, to after: Worth) -> String? {
        func isFarLess(_ before: Int64, _ after: Int64) -> Bool {
            before > 0 && after * Self.leastShare.whole < before * Self.leastShare.part
        }
        guard isFarLess(before.items, after.items) || isFarLess(before.cents, after.cents) else {
            guard isFarLess(before.trips, after.trips) else { return nil }
            return "it would replace \(Counted.text(before.trips, "counted trip")) by "
                + Counted.number(after.trips)
        }
        return "it would replace \(Counted.text(before.items, "valid item")) by "
            + "\(Counted.number(after.items)), and \(Self.dollars(before.cents)) by "
            + Self.dollars(after.cents)
    }

    /// What would be lost with a file that is in force and that a run has no more.
    ///
    /// - Parameter valid: Its items that are no rejects, and their amounts.
    /// - Returns: One clause.
    static func clause(losing valid: LedgerAmount) -> String {
        "its \(Counted.text(valid.items, "valid item")) and \(dollars(valid.cents)) are in force, "
            + "and no file that is taken in has or replaces them"
    }

    private static func dollars(_ cents: Int64) -> String {
        let cent = String(Counted.hundredths(Int64(cents.magnitude % 100)).dropFirst())
        let sign = cents < 0 ? "-" : ""
        return sign + "$" + Counted.number(Int64(cents.magnitude / 100)) + cent
    }
}

extension RunError {
    /// The refusal of `--accept-smaller` for a file that is no such case.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - why: Why it is none.
    /// - Returns: The error.
    static func notSmaller(_ path: String, _ why: String) -> RunError {
        RunError(
            .usage,
            summary: "a file is not smaller than what it replaces",
            what: "--accept-smaller \(path): \(why).",
            remedies: ["Leave the flag out: it is for a file that a run withheld as smaller."]
        )
    }
}
