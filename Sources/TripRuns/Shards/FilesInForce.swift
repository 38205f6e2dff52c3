import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripText

/// The files of a divided run as their tasks reported them, and which of them are in force.
struct FilesInForce {
    /// The files that are not refused, in order of exports, without their trips.
    let files: [ExportsReading.ReadFile]
    /// The index in the plan of each of them.
    let planned: [Int]
    /// Per file of these, whether its records are in force.
    let isCurrent: [Bool]
    /// The same for all files of the plan, with what is refused and why.
    let decision: ShardFiles

    /// Decides, as a run does that reads all files for the first time.
    ///
    /// - Parameters:
    ///   - setting: The plan, compiled.
    ///   - reports: The reports of all its files, in their order.
    ///   - rejects: The rejects of each file.
    ///   - folder: Where they lie, for messages.
    /// - Throws: ``RunError`` where a report does not fit the plan; where generated and real
    ///   exports come together; where a file is to be accepted that is not smaller.
    init(
        _ setting: ShardSetting,
        _ reports: [FileReport],
        rejects: [[Reject]],
        folder: String
    ) throws(RunError) {
        let sources = setting.pipeline.sources
        try Self.requireDays(setting.plan, reports)
        var decision = ShardFiles(
            plan: setting.plan.hash,
            areInForce: [Bool](repeating: false, count: reports.count)
        )
        func refuse(_ file: Int, _ kind: ShardFiles.Refusal.Kind, _ why: (String, String)) {
            decision.refusals.append(.init(file: file, kind: kind, reason: why.0, remedy: why.1))
        }
        for report in reports {
            guard let why = report.refusal else { continue }
            refuse(report.file, why.isChanged ? .changed : .unreadable, (why.reason, why.remedy))
        }
        var read = try Self.read(setting, reports, rejects, folder)
        let origin = TripOrigin(
            served: setting.plan.served?.isSynthetic,
            files: read.map(\.file)
        )
        if let conflict = origin.conflict { throw conflict }
        for (index, file) in read {
            guard let reason = origin.objection(to: file) else { continue }
            refuse(index, .otherKind, (reason, origin.remedy))
        }
        read.removeAll { origin.objection(to: $0.file) != nil }
        let accepted = setting.plan.acceptedSmaller
        let served = ServedFiles(setting)
        let smaller = SmallerFiles(
            read.map(\.file) + served.replaceable(by: read.map(\.file)),
            sources,
            accepting: accepted
        )
        for finding in smaller.refused {
            let file = read[finding.index].planned
            refuse(file, .smaller, (finding.clause, SmallerFiles.remedy))
        }
        decision.acceptedSmaller = smaller.accepted.map {
            ShardFiles.AcceptedFile(file: read[$0.index].planned, clause: $0.clause)
        }
        var used = smaller.accepted.map { read[$0.index].file.entry.path }
        let refused = Set(smaller.refused.map(\.index))
        read = read.indices.filter { !refused.contains($0) }.map { read[$0] }
        let register = FileRegister(read.map(\.file.entry), sources: sources)
        let isOrdered = register.entries == read.map(\.file.entry)
        precondition(isOrdered, "a plan has its files in order of exports")
        for (index, isCurrent) in zip(read.map(\.planned), register.isCurrent) {
            decision.areInForce[index] = isCurrent
        }
        decision.gone = served.gone(
            from: zip(read.map(\.file), register.isCurrent).map { ($0, isCurrent: $1) },
            accepting: PathSet(accepted)
        )
        used += decision.gone.filter(\.isAccepted).map(\.path)
        if let path = accepted.first(where: { !PathSet(used).contains($0) }) {
            throw RunError.notSmaller(path, SmallerFiles.notFarLess)
        }
        decision.refusals.sort { $0.file < $1.file }
        decision.isSynthetic = origin.isGenerated ?? false
        decision.lastDay = read.compactMap(\.file.entry.takenIn).max()
        files = read.map(\.file)
        planned = read.map(\.planned)
        isCurrent = register.isCurrent
        self.decision = decision.hashed()
    }

    /// Refuses files whose pick-ups were judged by another day than that of their content.
    private static func requireDays(
        _ plan: ShardPlan,
        _ reports: [FileReport]
    ) throws(RunError) {
        let files = reports.filter { $0.refusal == nil && $0.isMisjudged }.map { report in
            (file: plan.files[report.file], hash: report.contentHash)
        }
        guard let first = files.first else { return }
        let named = files.prefix(10).map { file, hash in
            "\(file.path) was judged by \(file.takenIn.text), and its content was taken in on "
                + "\(file.day(ofContent: hash, today: plan.today).text)"
        }
        throw RunError(
            .noUsableInput,
            summary: "pick-ups were judged by another day",
            what: named.joined(separator: "; ")
                + (files.count > 10 ? "; and \(files.count - 10) more" : "") + ".",
            remedies: [
                "Say in the list what each holds, and plan and map again: {\"path\": "
                    + "\"\(first.file.listed)\", \"size\": \(first.file.size), "
                    + "\"content_hash\": \"\(first.hash)\"}"
            ]
        )
    }

    /// The files that could be read, each with its index in the plan.
    private static func read(
        _ setting: ShardSetting,
        _ reports: [FileReport],
        _ rejects: [[Reject]],
        _ folder: String
    ) throws(RunError) -> [(planned: Int, file: ExportsReading.ReadFile)] {
        var read: [(planned: Int, file: ExportsReading.ReadFile)] = []
        for (index, report) in reports.enumerated() where report.refusal == nil {
            let file = try ExportsReading.ReadFile(
                report,
                rejects: rejects[index],
                setting,
                path: folder + "/" + ShardResults.reportName(index)
            )
            read.append((index, file))
        }
        return read
    }
}

/// The folder in which the results of a divided run are gathered.
struct ShardResults {
    /// Its path.
    let folder: String

    /// `file-00017.report.json`.
    static func reportName(_ file: Int) -> String { "file-\(number(file)).report.json" }
    /// `file-00017.rejects.jsonl`.
    static func rejectsName(_ file: Int) -> String { "file-\(number(file)).rejects.jsonl" }
    /// `part-00017.report.json`.
    static func partReportName(_ part: Int) -> String { "part-\(number(part)).report.json" }
    /// `part-00017.cells.jsonl`.
    static func cellsName(_ part: Int) -> String { "part-\(number(part)).cells.jsonl" }

    private static func number(_ number: Int) -> String {
        String(upTo: 20) { $0.put(decimal: number, width: 5) }
    }

    /// The reports of all files of a plan, in their order.
    ///
    /// - Parameter plan: The plan.
    /// - Returns: One report for each file.
    /// - Throws: ``RunError`` with code `noUsableInput` where one is missing, does not read, or is
    ///   that of another plan or file.
    func reports(_ plan: ShardPlan) throws -> [FileReport] {
        try plan.files.map { file in
            let path = folder + "/" + Self.reportName(file.index)
            let report = try ShardFile.read(path) { text throws(JSONFault) in
                try FileReport(text)
            }
            guard report.plan == plan.hash else {
                throw ShardFile.unfit(path, "plan", "is the hash of another plan")
            }
            guard report.file == file.index else {
                throw ShardFile.unfit(path, "file", "is \(report.file), not \(file.index)")
            }
            guard report.refusal != nil || report.archiveSize == file.size else {
                throw ShardFile.unfit(
                    path,
                    "archive_size",
                    "is \(report.archiveSize), expected \(file.size), as the plan has it"
                )
            }
            return report
        }
    }

    /// The rejects of a file, in their order; none where it is refused.
    ///
    /// - Parameter report: The file's report.
    /// - Returns: The lines of its list.
    /// - Throws: ``RunError`` with code `noUsableInput` where the list is missing or does not read.
    func rejects(_ report: FileReport) throws -> [ShardReject] {
        guard report.refusal == nil, report.listedRejects > 0 else { return [] }
        let path = folder + "/" + Self.rejectsName(report.file)
        let rejects = try ShardFile.read(path) { text throws(JSONFault) in
            var rejects: [ShardReject] = []
            for line in text.split(separator: 0x0A) {
                rejects.append(try ShardReject(Array(line)))
            }
            return rejects
        }
        for (index, reject) in rejects.enumerated()
        where reject.index != index || reject.reject.fileIndex != report.file {
            throw ShardFile.unfit(path, "line \(index + 1)", "is not reject \(index) of the file")
        }
        return rejects
    }
}
