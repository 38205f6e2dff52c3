public import TripDomain
import TripEngine
import TripMart
import TripPipeline

extension MartQueries {
    /// `rejects show --value`: the text that is at fault in one published reject.
    ///
    /// The record is opened with the mart's key, and its file in the archive tells which cells of
    /// it the field is read from. The access is put on record, without the text, before it is
    /// returned.
    ///
    /// - Parameters:
    ///   - number: The reject's number in the served generation.
    ///   - access: Who asks, and when.
    /// - Returns: The text.
    /// - Throws: `MartError` where there is no such reject, the key does not open it, the export is
    ///   no longer in the archive, or the access cannot be recorded.
    public func rejectedValue(_ number: Int, _ access: ValueAccess) throws -> RevealedValue {
        try answer { served in
            let row = try reject(number, reveals: false, in: served).row
            if let location = served.location {
                throw RunError(
                    .knownFileMissing,
                    summary: "the export was read on a cluster",
                    what: "The archive has no export of generation \(served.header.number), whose "
                        + "trips lie at \(UnseenCharacters.named(in: location.uri)), so that no cell of a "
                        + "record can be found again.",
                    remedies: [
                        "See the whole record, which the mart has: "
                            + "triptych rejects show \(number) --reveal\(martFlags)"
                    ]
                )
            }
            let record = try served.openRejectText(number: number, keys: try keys()).revealed()
            let pipeline = try pipeline(of: served)
            let archive = Archive(folder)
            let entries = try served.files().filter { $0.path == row.position.file }
            // Several contents of one path may have a reject there: the sealed record tells them
            // apart.
            for entry in entries.reversed() {
                guard let source = pipeline.sources.first(where: { $0.name == entry.source }) else {
                    continue
                }
                var request = try request(pipeline, source, path: entry.path, day: entry.takenIn)
                request.path = try archive.verifiedPath(hash: entry.archiveHash)
                let found = try ExportReader.rejectedText(request) {
                    $0.recordNumber == row.position.recordNumber && $0.reason == row.reason
                        && $0.lineNumber == row.position.lineNumber && $0.field == row.field
                }
                if let found, found.record == record {
                    return try reveal(found, of: entry.path, source, nil, access)
                }
                // A line of a claim may read well, and is set aside when the lines are joined.
                guard source.lines != nil,
                    let line = try ExportReader.textSetAsideLater(Reject(row), request),
                    line.record == record
                else { continue }
                var value = try reveal(line, of: entry.path, source, nil, access)
                value.isSetAsideByJoin = true
                return value
            }
            throw MartError(
                .damaged,
                file: folder.archivePath,
                remedy: "The archived export no longer has this reject in its place. Compare the "
                    + "archive with the generation: triptych verify\(martFlags)"
            )
        }
    }

    /// `rejects show --file --line --value`: the text that is at fault in one record of a file in
    /// the input folder, also of a run that published nothing.
    ///
    /// Nothing is stored of a run that publishes nothing. The file is read again with the pipeline
    /// folder as it is, up to that line.
    ///
    /// - Parameters:
    ///   - line: The file, by its path below the input folder, and the line on which the record
    ///     begins, from 1; perhaps the field.
    ///   - options: The pipeline folder and the input folder.
    ///   - access: Who asks, and when.
    /// - Returns: The text, with a note where the file was written to after the last run began.
    /// - Throws: ``RunError`` where there is no such file or no such reject; `MartError` where the
    ///   mart's key is missing or the access cannot be recorded; `PipelineFaults`, `SourceFault` or
    ///   `LayoutMismatch` where the file cannot be read.
    public func rejectedValue(
        _ line: RejectedLine,
        _ options: RunOptions,
        _ access: ValueAccess
    ) throws -> RevealedValue {
        // A mistyped folder must not become a mart.
        if !folder.isBegun { throw nothingKept(line, options) }
        // Where nothing was ever published there is no key, and nothing that one would open.
        _ = try MartKeys.open(keyFile: options.keyFilePath, for: folder)
        try RunArguments.requirePipeline(options.pipelinePath)
        let pipeline = try PipelineReader.read(path: options.pipelinePath)
        let landing = LandingFolder(path: options.inputPath)
        let entries = try landing.entries()
        try RunFiles.checkNames("--file", [line.path], entries)
        guard let entry = entries.first(where: { $0.path == line.path }),
            case .file(let file) = entry.kind,
            let index = try FilePatterns(pipeline.sources).source(of: entry)
        else {
            throw RunError(
                .usage,
                summary: "no source reads the file",
                what: "--file \(line.path): no source of the pipeline claims it.",
                remedies: ["Compare its name with the `files` of the sources."]
            )
        }
        let source = pipeline.sources[index]
        let zone = try ZoneFiles.load(pipeline.timeZone, namedBy: "pipeline.yaml")
        var request = try request(
            pipeline,
            source,
            path: line.path,
            day: LocalTime.day(access.now, zone: zone)
        )
        request.path = landing.location(of: file)
        let found = try ExportReader.rejectedText(request) {
            $0.lineNumber == line.number && (line.field == nil || $0.field == line.field)
        }
        guard let found else { throw noReject(line, source) }
        let note = try changed(since: file.modifiedAt)
        return try reveal(found, of: line.path, source, note, access)
    }

    private func request(
        _ pipeline: PipelineDefinition,
        _ source: SourceDefinition,
        path: String,
        day: CivilDate?
    ) throws -> ExportRequest {
        var request = pipeline.request(for: source, name: path)
        let zone = try ZoneFiles.load(pipeline.timeZone, namedBy: "pipeline.yaml")
        request.latestPickup = day.map { pipeline.latestPickup(takenIn: $0, zone: zone) }
        return request
    }

    private func noReject(_ line: RejectedLine, _ source: SourceDefinition) -> RunError {
        let field = line.field.map { " in `\($0)`" } ?? ""
        guard source.lines == nil else {
            return RunError(
                .notFound,
                summary: "no such reject",
                what: "\(line.path): the record of line \(line.number) is not set aside\(field) "
                    + "where the file is read. If the run counted it as a reject, the line was set "
                    + "aside when the lines of its claim were joined, and of a run that published "
                    + "nothing that is not kept.",
                remedies: [
                    "Look at the lines of its claim in the file, and compare `lines` of the source "
                        + "`\(source.name)`: docs/REJECTS.md#orphan_line",
                    "Name the line that the run printed: triptych runs list\(martFlags)",
                ]
            )
        }
        return RunError(
            .notFound,
            summary: "no such reject",
            what: "\(line.path): the record of line \(line.number) is not set aside\(field) by "
                + "the pipeline as it is now.",
            remedies: [
                "Name the line that the run printed: triptych runs list\(martFlags)",
                "Where the pipeline or the file was edited since, run once more.",
            ]
        )
    }

    /// A mart that does not exist: of a run without one, there is the file alone.
    private func nothingKept(_ line: RejectedLine, _ options: RunOptions) -> MartError {
        let file = ShellWord.quoted(options.inputPath + "/" + line.path)
        let isGzip = line.path.lowercased().hasSuffix(".gz")
        let command =
            isGzip ? "gzip -dc \(file) | sed -n \(line.number)p" : "sed -n \(line.number)p \(file)"
        return MartError(
            .nothingServed,
            file: folder.path,
            remedy: "A dry run keeps nothing. Look at the line itself: \(command) (it may name a "
                + "patient). Or give the folder of the mart with --mart."
        )
    }

    /// A note where a file was written to after the last run began.
    private func changed(since modifiedAt: Int64) throws -> String? {
        let runs = try RunLog.openIfPresent(folder)?.list() ?? []
        guard let last = runs.first(where: { $0.command.hasPrefix("run ") }),
            let began = RunClock.seconds(last.startedAt.replacing(" ", with: "T")),
            modifiedAt > began
        else { return nil }
        return "the file was written to after run \(last.number) began, which may have read "
            + "another text there"
    }

    /// Puts the access on record, and returns the text.
    private func reveal(
        _ found: RejectedText,
        of path: String,
        _ source: SourceDefinition,
        _ note: String?,
        _ access: ValueAccess
    ) throws -> RevealedValue {
        let reject = found.reject
        let stamp = CivilTime.text(ofSeconds: access.now) + "Z"
        let log = try RunLog(folder)
        let number = try log.begin(command: "rejects show --value", startedAt: stamp)
        try log.finish(
            number,
            endedAt: stamp,
            exitCode: 0,
            outcome: "revealed",
            generation: nil,
            summary: "REVEALED to \(access.account) | \(path), line \(reject.lineNumber)"
                + (reject.field.map { ", field \($0)" } ?? ""),
            details: ""
        )
        return RevealedValue(
            position: SourcePosition(
                file: path,
                recordNumber: reject.recordNumber,
                lineNumber: reject.lineNumber
            ),
            field: reject.field,
            reason: reject.reason,
            texts: found.cells.map {
                ($0.column, VisibleText.of($0.bytes, encoding: source.dialect.encoding))
            },
            unitsWithoutTime: found.unitsWithoutTime.map {
                VisibleText.of($0, encoding: source.dialect.encoding)
            },
            note: note,
            accessNumber: number
        )
    }
}

/// Who asks for a text that may name a patient, and when.
public struct ValueAccess: Sendable {
    /// The name of the account.
    public let account: String
    /// The time, in seconds of UTC.
    public let now: Int64

    /// Names an access.
    public init(account: String, now: Int64) {
        self.account = account
        self.now = now
    }
}

/// A record of a file in the input folder that a run set aside.
public struct RejectedLine: Sendable {
    /// The file's path below the input folder.
    public let path: String
    /// The physical line on which the record begins, from 1.
    public let number: Int
    /// The field that failed; nil for the first reject of the record.
    public let field: String?

    /// Names a record.
    public init(path: String, number: Int, field: String?) {
        self.path = path
        self.number = number
        self.field = field
    }
}

/// The text that is at fault in one reject; it may name a patient.
public struct RevealedValue: Sendable {
    /// Where the record is.
    public let position: SourcePosition
    /// The field that failed; nil where the whole record did.
    public let field: String?
    /// Why.
    public let reason: RejectReason
    /// The cells the field is read from, by their columns, or the record, without a column; control
    /// characters are escaped.
    public let texts: [(column: String?, text: String)]
    /// The units of the cell whose time is no time, as they are listed; empty where the field lists
    /// no units, or failed for another reason.
    public let unitsWithoutTime: [String]
    /// Why the text may be another one than the run read; nil where nothing speaks for that.
    public let note: String?
    /// Whether the record reads well, and was set aside when the lines of its claim were joined.
    public internal(set) var isSetAsideByJoin = false
    /// The number of the access in the list of runs.
    public let accessNumber: Int
}

extension Reject {
    /// A published reject, by its position, field and reason.
    fileprivate init(_ row: RejectRow) {
        self.init(
            fileIndex: 0,
            recordNumber: row.position.recordNumber,
            lineNumber: row.position.lineNumber,
            byteOffset: 0,
            byteSize: row.byteSize,
            itemCount: row.itemCount,
            field: row.field,
            reason: row.reason,
            amountCents: row.amountCents,
            isUnpriced: row.isUnpriced,
            tripID: nil
        )
    }
}
