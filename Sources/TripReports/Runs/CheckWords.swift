import TripDomain
import TripRuns

/// A check that did not pass, in words: what was measured, the limit, the file most of it comes
/// from, and what to do.
struct CheckWords {
    private let check: CheckResult
    private let report: RunReport

    init(_ check: CheckResult, _ report: RunReport) {
        self.check = check
        self.report = report
    }

    /// `warn duplicates   duplicates_pct is 99.17 % (warns if duplicates_pct > 5)   …`.
    var line: String {
        let verb = check.outcome == .warn ? "warns" : "withholds"
        let limit = check.condition.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let parts = [
            "\(check.outcome.rawValue) \(check.id)", "\(check.detail) (\(verb) if \(limit))",
            largest, report.outcome == .published ? question ?? deed : deed,
        ]
        return parts.compactMap(\.self).joined(separator: "   ")
    }

    /// The measures that the condition names.
    private var measures: [Substring] {
        check.condition.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }

    private func names(_ words: String...) -> Bool {
        measures.contains { measure in
            words.contains { $0.hasSuffix("_") ? measure.hasPrefix($0) : measure == $0 }
        }
    }

    /// The part of the ledger that the check is about; nil where it is about another number.
    private var term: LedgerTerm? {
        if names("rejects", "reject_pct") { return .rejected }
        return names("duplicates_pct") ? .duplicate : nil
    }

    private var largestFile: (path: String, ledger: Ledger)? {
        guard let term else { return nil }
        return report.files.filter { $0.ledger[term].items > 0 }
            .max { $0.ledger[term].items < $1.ledger[term].items }
    }

    /// The file that has most of what the check counts.
    private var largest: String? {
        guard let term, let file = largestFile else { return nil }
        let count = NumberFormat.count(file.ledger[term].items)
        let most = report.files.count > 1 ? "most in " : "in "
        return "\(most)\(file.path): \(count) of \(Counted.text(file.ledger.read.items, "item"))"
    }

    /// The command that asks the mart about a published run; nil where the mart cannot tell.
    ///
    /// The mart has nothing of a run that published nothing.
    private var question: String? {
        let mart = report.martFlags
        if term == .rejected {
            let file = largestFile.map { " --file " + ShellWord.quoted($0.path) } ?? ""
            return "see why: triptych rejects list\(file)\(mart)"
        }
        if names("rejected_files") { return "see why: triptych rejects list\(mart)" }
        if names("undetermined_pct") {
            return "see what is missing: triptych kpi --worklist\(mart)"
        }
        if names("in_house_pct", "month_in_house_pct", "cost_per_trip_cents"),
            report.previousGeneration != nil
        {
            return "see what moved: triptych diff\(mart)"
        }
        return nil
    }

    /// What the operator can do.
    private var deed: String {
        if term == .rejected { return "the reasons are counted below" }
        if term == .duplicate { return "nothing counts twice; ask the sender why it repeats" }
        if names("orphan_pct_"), report.previousGeneration != nil || report.outcome == .published {
            return "see the keys: triptych check \(report.pipelineWords) --show-keys"
        }
        if names("data_age_days") { return "ask the sender for newer exports" }
        if names("region_disagree_pct") {
            return "compare the rows of the look-up behind the region with the exports"
        }
        if names("records", "items", "trips", "month_trips") {
            return "compare with other runs: triptych runs list\(report.martFlags)"
        }
        return check.id.hasPrefix(BuiltInCheck.prefix)
            ? "if it is right, write a check of your own for it into the pipeline"
            : "if it is right, change the check in the pipeline"
    }
}
