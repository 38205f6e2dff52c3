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
        var decision = ShardFiles(
            plan: setting.plan.hash,
            areInForce: [Bool](repeating: false, count: reports.count)
        )
        func refuse(_ file: Int, _ kind: ShardFiles.Refusal.Kind, _ why: (String, String)) {
            decision.refusals.append(
                ShardFiles.Refusal(file: file, kind: kind, reason: why.0, remedy: why.1)
            )
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
        let smaller = SmallerFiles(read.map(\.file), sources, accepting: accepted)
        for finding in smaller.refused {
            let file = read[finding.index].planned
            refuse(file, .smaller, (finding.clause, SmallerFiles.remedy))
        }
        decision.acceptedSmaller = smaller.accepted.map {
            ShardFiles.AcceptedFile(file: read[$0.index].planned, clause: $0.clause)
        }
        let used = PathSet(smaller.accepted.map { read[$0.index].file.entry.path })
        for path in accepted where !used.contains(path) {
            throw RunError.notSmaller(path, SmallerFiles.notFarLess)
        }
        let refused = Set(smaller.refused.map(\.index))
        read = read.indices.filter { !refused.contains($0) }.map { read[$0] }
        let register = FileRegister(read.map(\.file.entry), sources: sources)
        precondition(
            register.entries == read.map(\.file.entry),
            "a plan has its files in order of exports"
        )
        for (index, isCurrent) in zip(read.map(\.planned), register.isCurrent) {
            decision.areInForce[index] = isCurrent
        }
        decision.refusals.sort { $0.file < $1.file }
        decision.isSynthetic = origin.isGenerated ?? false
        decision.lastDay = read.compactMap(\.file.entry.takenIn).max()
        files = read.map(\.file)
        planned = read.map(\.planned)
        isCurrent = register.isCurrent
        self.decision = decision.hashed()
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
