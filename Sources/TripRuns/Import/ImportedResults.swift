import TripDomain
import TripEngine
import TripPipeline
import TripText

/// What the machines of a cluster found, read from one folder, and found to be complete.
///
///     file-00000.report.json   file-00000.rejects.jsonl    of every file of the plan
///     files.json                                           which files are in force
///     part-00000.report.json   part-00000.cells.jsonl      of every part of the shuffle
struct ImportedResults {
    let plan: ShardPlan
    /// The report of each file of the plan.
    let reports: [FileReport]
    /// The rejects of each file of the plan.
    let rejects: [[ShardReject]]
    /// Which files are in force, decided once more from the reports.
    let files: FilesInForce
    /// The parts with their cells; none where versions are not compared.
    let parts: [PartitionReport]
    /// SHA-256 over the plan and over what was read of every file: the trips follow from these.
    ///
    /// Neither the number of parts nor the random bytes of a seal are in it, so that a job that was
    /// carried out again has the same.
    let hash: String

    var decision: ShardFiles { files.decision }

    /// Reads a folder.
    ///
    /// - Parameters:
    ///   - planPath: The plan.
    ///   - folder: The folder of the results.
    /// - Throws: ``RunError`` with code `noUsableInput` where a file is missing, is there twice, is
    ///   not of this plan, or cannot be read; with code `imbalance` where the parts do not account
    ///   for every trip that was read; any error of `CompiledPipeline`.
    init(plan planPath: String, folder: String) throws {
        plan = try ShardFile.plan(planPath)
        let names = try Self.names(in: folder)
        try Self.requireNumbers("file", 0..<plan.files.count, names, folder)
        let results = ShardResults(folder: folder)
        let reports = try results.reports(plan)
        let rejects = try reports.map { try results.rejects($0) }
        self.reports = reports
        self.rejects = rejects
        files = try FilesInForce(
            ShardSetting(plan),
            reports,
            rejects: rejects.map { list in list.map(\.reject) },
            folder: folder
        )
        let path = folder + "/" + Self.decisionName
        let decision = try ShardFile.read(path) { text throws(JSONFault) in try ShardFiles(text) }
        guard decision.hash == files.decision.hash else {
            throw ShardFile.unfit(path, "hash", "is not the decision that follows from the reports")
        }
        let first = plan.comparesVersions ? try results.partReport(0, plan, decision) : nil
        let numbers = 0..<(first?.partCount ?? 0)
        try Self.requireNumbers("part", numbers, names, folder)
        // Each part has most of the cells: reading them takes most of an import.
        parts = try Parallel.map(numbers.count) { [plan] number in
            Result { try results.part(number, of: numbers.count, plan, decision) }
        }.map { try $0.get() }
        try ReportedNumbers.require(reports, rejects, parts, folder)
        for report in reports { try results.requireSums(of: report) }
        for (index, part) in parts.enumerated() { try results.requireSums(of: part, index) }
        hash = ContentHash.of(Array((plan.hash + decision.hash).utf8) + reports.flatMap(\.text))
        try requireBalance(folder)
    }

    static let decisionName = "files.json"

    // MARK: Names

    private static func names(in folder: String) throws(RunError) -> [String] {
        guard let names = FileText.names(in: folder) else {
            throw RunError(
                .noUsableInput,
                summary: "no folder of results",
                what: "\(folder) cannot be read: \(FileText.systemMessage()).",
                remedies: ["Name the folder that the job wrote its reports to: --results DIR"]
            )
        }
        return names
    }

    /// The numbers of the reports and lists of a kind, in order.
    private static func numbers(_ kind: String, _ names: [String]) -> [Int] {
        let numbers = names.compactMap { name -> Int? in
            guard name.hasPrefix(kind + "-"), let dot = name.firstIndex(of: ".") else { return nil }
            return Int(name[..<dot].dropFirst(kind.count + 1))
        }
        return Set(numbers).sorted()
    }

    /// Refuses a folder that has not exactly the files of some numbers.
    private static func requireNumbers(
        _ kind: String,
        _ wanted: Range<Int>,
        _ names: [String],
        _ folder: String
    ) throws(RunError) {
        let found = Set(numbers(kind, names))
        func refusal(_ number: Int, _ why: String) -> RunError {
            let isFile = kind == "file"
            let name =
                isFile
                ? ShardResults.reportName(number) : ShardResults.partReportName(number)
            return RunError(
                .noUsableInput,
                summary: "the results are incomplete",
                what: "\(folder)/\(name) \(why).",
                remedies: ["Run the job again, into an empty folder of results."]
            )
        }
        if let missing = wanted.first(where: { !found.contains($0) }) {
            throw refusal(missing, "is missing")
        }
        if let other = found.subtracting(wanted).min() {
            throw refusal(other, "is of nothing that the plan has")
        }
    }

    // MARK: The balance

    /// The accounts of all parts together, by file.
    func accounts() -> [Int: PartitionReport.Account] {
        var accounts: [Int: PartitionReport.Account] = [:]
        for account in parts.flatMap(\.accounts) {
            guard var sum = accounts[account.file] else {
                accounts[account.file] = account
                continue
            }
            sum.accepted += account.accepted
            sum.superseded += account.superseded
            sum.duplicate += account.duplicate
            sum.ids += account.ids
            sum.replacedWithin += account.replacedWithin
            sum.firstWithin = [sum.firstWithin, account.firstWithin].compactMap(\.self)
                .min { $0.later.record < $1.later.record }
            accounts[account.file] = sum
        }
        return accounts
    }

    /// Refuses results that do not account for everything that was read.
    ///
    /// A part that is missing, or there twice under two numbers, shows here: each version of a file
    /// in force is in one part.
    private func requireBalance(_ folder: String) throws(RunError) {
        var findings: [String] = []
        func compare(_ what: String, _ expected: LedgerAmount, _ found: LedgerAmount) {
            guard expected != found else { return }
            findings.append(
                "\(what): expected \(Counted.text(expected.items, "item")) and "
                    + "\(expected.cents) cents, found \(Counted.number(found.items)) and "
                    + "\(found.cents)."
            )
        }
        let accounts = accounts()
        for (planned, isCurrent) in zip(files.planned, files.isCurrent) {
            let (path, report) = (plan.files[planned].path, reports[planned])
            let rejected = rejects[planned].reduce(LedgerAmount()) { $0 + $1.amount }
            compare("the rejects of \(path)", report.rejected, rejected)
            compare(
                "what was read of \(path)",
                report.read,
                report.valid + rejected + LedgerAmount(items: report.repeated)
            )
            guard plan.comparesVersions else { continue }
            let account = accounts[planned]
            compare(
                "the versions of \(path)",
                isCurrent ? report.valid : LedgerAmount(),
                account.map { $0.accepted + $0.superseded + $0.duplicate } ?? LedgerAmount()
            )
        }
        guard !findings.isEmpty else { return }
        let rest = findings.count - min(findings.count, 20)
        throw RunError(
            .imbalance,
            summary: "the results do not add up",
            what: findings.prefix(20).joined(separator: " ")
                + (rest > 0 ? " And \(rest) more." : ""),
            remedies: [
                "A part of \(folder) is missing, or there twice: run the job again, into an empty "
                    + "folder of results.",
                "If it is the same again, this is a fault of Triptych: keep the folder and report "
                    + "it.",
            ]
        )
    }
}

extension ShardReject {
    /// Its items and amount in the account.
    fileprivate var amount: LedgerAmount {
        LedgerAmount(
            items: Int64(reject.itemCount),
            cents: reject.amountCents ?? 0,
            unpriced: reject.isUnpriced ? Int64(reject.itemCount) : 0
        )
    }
}
