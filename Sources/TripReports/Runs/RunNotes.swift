import TripDomain
import TripMart
import TripRuns

/// The notes of a run beside its result: edits that are held, sources that are overdue, files that
/// were left out.
///
/// A withheld run shows the same notes as a published one, since they will hold for the next run as
/// well.
struct RunNotes {
    private let report: RunReport

    init(_ report: RunReport) {
        self.report = report
    }

    /// One line for each note.
    var lines: [String] {
        // An edit with a fault has no effect yet that a plan could show.
        let command =
            (report.hasFaultyEdit ? "check " : "plan ") + report.pipelineWords
        var lines = Self.list(report.held.map { "held \($0)" }, "see: triptych \(command)")
        if !report.excludedEdits.isEmpty {
            lines.append(
                "held \(report.excludedEdits.joined(separator: ", ")): as generation "
                    + "\(report.contentOf ?? 0) has it; edits published since are NOT in force   "
                    + "to publish them again: triptych reclassify \(report.pipelineWords)"
            )
        }
        lines += exclusions + rejectedFiles
        if let place = report.tripsAt, report.outcome != .withheld {
            lines.append("trips \(place): the mart has no trip itself")
        }
        if let rebuilt = report.rebuilt {
            lines.append(
                "rebuilt generation \(rebuilt), which is damaged, from the archive and its history"
            )
        }
        lines += report.damagedHistory.map {
            "damaged \($0): checks were not compared with it   restore it from a backup"
        }
        lines += losses
        lines += report.overrides.map { "override \($0)" }
        if let approval = report.approval, approval.plan == nil {
            lines.append("edits \(approval.clause)")
        }
        lines += report.overdueTexts.map {
            "overdue \($0)   ask the sender for it, then run again"
        }
        lines += report.refused.map { "refused \($0.path): \($0.reason)" }
        lines += report.skipped.map { file in
            "skipped \(file.path), by --skip"
                + (file.stillCounts ? "; trips of it that were published before still count" : "")
        }
        lines += report.acceptedSmaller.map { file in
            "accepted \(file.path), by --accept-smaller: \(file.clause)"
        }
        lines += unread + unclaimed
        if report.takesTripIDsAsUnique {
            lines.append(
                "trip ids are taken as unique, as the pipeline declares"
                    + (report.tripsAt == nil
                        ? "; publishing checks for repeated ones and for rejected corrections"
                        : ": no machine looked for repeated ones, or for rejected corrections")
            )
        }
        // No name can make two lines of one, whichever version took it in.
        return (lines + report.replaced.map { "replaced \($0)" })
            .map { UnseenCharacters.named(in: $0) }
    }

    /// What was found to be missing in the mart.
    private var losses: [String] {
        var lines: [String] = []
        if let loss = report.historyLoss {
            if !loss.files.isEmpty {
                let numbers = loss.files.map(Counted.range).joined(separator: ", ")
                lines.append(
                    "missing the history of generation \(numbers): checks were not compared with "
                        + "it, and no file of it is removed   restore \(loss.path) from a backup"
                )
            }
            if !loss.sums.isEmpty {
                lines.append(
                    "missing the check sums of the history of generation "
                        + "\(Counted.ranges(loss.sums)): no file of it is removed   restore "
                        + "\(loss.path) from a backup"
                )
            }
        }
        if let left = report.unreadableLeft {
            lines.append(
                "damaged generation \(left), and its history: what it was made from is not known, "
                    + "so nothing is left out; the next run takes in what the landing folder has"
            )
        }
        if report.hasLostRuns {
            lines.append(
                "missing the runs before this one: runs.sqlite was not there, or empty, and "
                    + "another list begins   restore it from a backup"
            )
        }
        return lines
    }

    /// Entries of the input folder that are not read; what is in doubt comes first.
    private var unread: [String] {
        let sorted = report.doubts + report.unread.filter { !$0.isInDoubt }
        let rest = sorted.count - Self.shownEntries
        return sorted.prefix(Self.shownEntries).map(\.text)
            + (rest > 0 ? ["\(NumberFormat.count(rest)) more entries are not read"] : [])
    }

    /// Files that no source claims, on one line.
    private var unclaimed: [String] {
        let all = report.unclaimed
        guard !all.isEmpty else { return [] }
        let rest = all.count - Self.shownUnclaimed
        let names = all.prefix(Self.shownUnclaimed).joined(separator: ", ")
        return [
            "unclaimed \(names)" + (rest > 0 ? " and \(NumberFormat.count(rest)) more" : "")
                + (all.count == 1 ? ": it matches no source" : ": they match no source")
                + (report.widerPattern.map { wider in
                    "   `files: \"\(wider.pattern)\"` would claim "
                        + (wider.count == all.count
                            ? (all.count == 1 ? "it" : "them")
                            : "\(NumberFormat.count(wider.count)) of them")
                } ?? "")
        ]
    }

    /// The number of entries that are listed, one to a line; further ones are only counted.
    private static let shownEntries = 50
    /// The number of files that are listed on one line.
    private static let shownUnclaimed = 10

    /// Lines with the one hint that belongs to all of them.
    private static func list(_ lines: [String], _ hint: String) -> [String] {
        guard lines.count > 1 else { return lines.map { "\($0)   \(hint)" } }
        return lines + ["     \(hint)"]
    }

    /// Files that were rejected for the greater part.
    private var rejectedFiles: [String] {
        report.rejectedFiles.map { file in
            let (items, rejected) = (file.ledger.read.items, file.ledger[.rejected].items)
            let what =
                if items == 1 {
                    "its only record; it gives no trip"
                } else if rejected == items {
                    "all of its \(NumberFormat.count(items)) records; it gives no trip"
                } else {
                    "\(NumberFormat.count(rejected)) of its \(NumberFormat.count(items)) records"
                }
            let path = ShellWord.quoted(file.path)
            let hint =
                report.outcome == .published
                ? "   see why: triptych rejects list --file \(path)\(report.martFlags)" : ""
            return "rejected file \(file.path): \(what)\(hint)"
        }
    }

    /// Files that a rollback left out, with the command that takes them in again.
    private var exclusions: [String] {
        let all = report.exclusions
        let shown = all.prefix(Self.shownExclusions).map { exclusion in
            "held \(exclusion.path): left out since the rollback from \(exclusion.generation); "
                + "NOT taken in"
        }
        let rest = all.count - shown.count
        let more =
            rest > 0 ? ["held \(Counted.text(rest, "more file")) left out by a rollback"] : []
        guard let first = all.first else { return [] }
        let flag = all.count > 1 ? "--include FILE" : RunOptions.flag("--include", first.path)
        let every = all.count > 1 ? " (or --include all)" : ""
        return Self.list(
            shown + more,
            "to take \(all.count > 1 ? "one" : "it") in: \(report.nextRun) \(flag)\(every)"
        )
    }

    /// The number of files that are listed; further ones are only counted.
    private static let shownExclusions = 10
}

extension ChangeApproval {
    /// `made by …, approved by …`.
    var clause: String { "made by \(madeBy)" + (approvedBy.map { ", approved by \($0)" } ?? "") }
}
