import TripDomain

/// What an operator should know of a night besides what became of it: edits that are held, sources that
/// are overdue, files that were left.
///
/// A night that was withheld says it as one that was published does: what was true of it is true of
/// the next one as well.
struct NightNotes {
    private let report: NightReport

    init(_ report: NightReport) {
        self.report = report
    }

    /// One line for each.
    var lines: [String] {
        // What cannot be used as it stands has no effect to show yet.
        let command = (report.hasFaultyEdit ? "check " : "plan ") + report.pipelineText
        var lines = report.held.map { "held \($0)   see: triptych \(command)" }
        if !report.leftEdits.isEmpty {
            lines.append(
                "held \(report.leftEdits.joined(separator: ", ")): as of the generation that is left; NOT "
                    + "in force   publish edits again with triptych reclassify"
            )
        }
        lines += holds
        lines += report.overrides.map { "override \($0)" }
        if let approval = report.approval, approval.plan == nil {
            lines.append("edits \(approval.clause)")
        }
        lines += report.overdue.map {
            "overdue \($0.overdueText)   ask the sender for it, then run again"
        }
        lines += report.refused.map { "refused \($0.path): \($0.reason)" }
        lines += report.skipped.map { file in
            "skipped \(file.path), as told with --skip"
                + (file.stillCounts ? "; what was published of it before still counts" : "")
        }
        lines += report.waiting.map { "waits \($0.path): \($0.reason)" }
        if let first = report.unclaimed.first {
            let others = report.unclaimed.count - 1
            let rest = others == 0 ? "" : " and \(others) more"
            lines.append("unclaimed \(first)\(rest): no source has such files")
        }
        if report.takesTripIDsAsUnique {
            lines.append(
                "trip ids are taken as unique, as the pipeline declares; publishing looks for "
                    + "repeated ones and for rejected corrections"
            )
        }
        return lines + report.replaced.map { "replaced \($0)" }
    }

    /// What a rollback left out, with the command that takes it in again.
    private var holds: [String] {
        let shown = report.holds.prefix(Self.shownHolds).map { hold in
            let path = Shown.shell(hold.path)
            let flag = "--include" + (hold.path.hasPrefix("-") ? "=" : " ") + path
            return
                "held \(hold.path): left out since the rollback from \(hold.generation); NOT taken "
                + "in   to take it in: triptych run \(report.pipelineText) \(flag)"
        }
        let rest = report.holds.count - shown.count
        let more = "held \(Counted.text(rest, "more file")), left out by a rollback"
        return shown + (rest > 0 ? [more + "   --include all takes in all of them"] : [])
    }

    /// More held files than this are counted.
    private static let shownHolds = 10
}

extension ChangeApproval {
    /// `made by …, approved by …`.
    var clause: String { "made by \(madeBy)" + (approvedBy.map { ", approved by \($0)" } ?? "") }
}
