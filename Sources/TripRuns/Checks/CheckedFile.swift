import TripDomain
import TripEngine

/// What the checks of whole files look at: of a file that was read here, or by a task of a divided
/// run.
struct CheckedFile {
    let entry: FileRegister.Entry
    /// Whether its records are in force.
    let isCurrent: Bool
    /// What all of its records hold, rejects among them.
    let items: Int64
    /// The records that were read; no rejects of the scan.
    let records: Int
    /// Its lines as an editor counts them.
    let lines: Int
    /// The hash of its expanded bytes; empty where it was not taken.
    let contentHash: String
    /// Whether its last line is ended.
    let endsInLineBreak: Bool
}

extension CheckedFile {
    /// A file that was read here.
    init(_ file: ExportsReading.ReadFile, isCurrent: Bool) {
        self.init(
            entry: file.entry,
            isCurrent: isCurrent,
            items: file.summary.read.items,
            records: file.summary.counts.records,
            lines: file.summary.counts.physicalLines,
            contentHash: file.summary.digest.contentHash ?? file.entry.contentHash,
            endsInLineBreak: file.summary.digest.endsInLineBreak
        )
    }

    /// A file that a task has read.
    init(_ file: ImportedTotals.File) {
        self.init(
            entry: file.entry,
            isCurrent: file.isCurrent,
            items: file.report.read.items,
            records: Int(file.report.records),
            lines: Int(file.report.lines),
            contentHash: file.report.contentHash,
            endsInLineBreak: file.report.endsInLineBreak
        )
    }
}
