import TripDomain
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
        let command = (report.hasFaultyEdit ? "check " : "plan ") + report.pipelineText
        var lines = report.held.map { "held \($0)   see: triptych \(command)" }
        if !report.excludedEdits.isEmpty {
            lines.append(
                "held \(report.excludedEdits.joined(separator: ", ")): from the generation that is "
                    + "left; NOT in force   publish edits again with triptych reclassify"
            )
        }
        lines += exclusions
        lines += report.overrides.map { "override \($0)" }
        if let approval = report.approval, approval.plan == nil {
            lines.append("edits \(approval.clause)")
        }
        lines += report.overdue.map {
            "overdue \($0.overdueText)   ask the sender for it, then run again"
        }
        lines += report.refused.map { "refused \($0.path): \($0.reason)" }
        lines += report.skipped.map { file in
            "skipped \(file.path), by --skip"
                + (file.stillCounts ? "; trips of it that were published before still count" : "")
        }
        lines += report.waiting.map { "waits \($0.path): \($0.reason)" }
        if let first = report.unclaimed.first {
            let others = report.unclaimed.count - 1
            let rest = others == 0 ? "" : " and \(others) more"
            lines.append("unclaimed \(first)\(rest): it matches no source")
        }
        if report.takesTripIDsAsUnique {
            lines.append(
                "trip ids are taken as unique, as the pipeline declares; publishing checks for "
                    + "repeated ones and for rejected corrections"
            )
        }
        return lines + report.replaced.map { "replaced \($0)" }
    }

    /// Files that a rollback left out, with the command that takes them in again.
    private var exclusions: [String] {
        let shown = report.exclusions.prefix(Self.shownExclusions).map { exclusion in
            let path = ShellWord.quoted(exclusion.path)
            let flag = "--include" + (exclusion.path.hasPrefix("-") ? "=" : " ") + path
            return
                "held \(exclusion.path): left out since the rollback from "
                + "\(exclusion.generation); NOT taken in   to take it in: triptych run \(report.pipelineText) \(flag)"
        }
        let rest = report.exclusions.count - shown.count
        let more = "held \(Counted.text(rest, "more file")) left out by a rollback"
        return shown + (rest > 0 ? [more + "   --include all takes in all of them"] : [])
    }

    /// The number of files that are listed; further ones are only counted.
    private static let shownExclusions = 10
}

extension ChangeApproval {
    /// `made by …, approved by …`.
    var clause: String { "made by \(madeBy)" + (approvedBy.map { ", approved by \($0)" } ?? "") }
}
