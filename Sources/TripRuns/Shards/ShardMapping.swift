import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// Reads one file of a divided run, from a pipe, and writes its rows, its rejects and its report.
///
/// The reading is the one of a run: reader, limits, layouts, zones and classifier are the same.
struct ShardMapping {
    /// The rows of a `rejects` frame: a file may have 50,000, of 64 MiB together.
    private static let rejectsPerFrame = 512

    private let setting: ShardSetting
    private let keys: MartKeys
    private let fileIndex: Int
    private let threadCount: Int
    private let rows: MappedRows

    /// Prepares to read a file.
    ///
    /// - Parameters:
    ///   - setting: The plan, compiled.
    ///   - keys: The mart's keys.
    ///   - fileIndex: The file's index in the plan.
    ///   - threadCount: Threads to use; the output does not depend on it.
    init(_ setting: ShardSetting, _ keys: MartKeys, fileIndex: Int, threadCount: Int) {
        self.setting = setting
        self.keys = keys
        self.fileIndex = fileIndex
        self.threadCount = threadCount
        rows = MappedRows(setting, keys, fileIndex: fileIndex)
    }

    /// Reads the file and writes its frames.
    ///
    /// - Parameters:
    ///   - descriptor: Where its bytes come from.
    ///   - sink: Where the frames go.
    /// - Throws: What stops a run: ``RunError`` of a reserved word, of the pipes, `MartError` of
    ///   sealing. A file that a run refuses is reported instead.
    /// - Complexity: O(*n*) in the file's bytes; memory for two windows and the slices of one.
    func perform(from descriptor: Int32, to sink: @escaping FrameWriter.Sink) throws {
        var frames = FrameWriter(to: sink)
        var report = FileReport(plan: setting.plan.hash, file: fileIndex)
        do {
            let file = try read(descriptor, &frames)
            try file.read.requireNoReservedWord()
            try file.read.requirePlausibleCosts()
            report.take(file.read, setting, lastPickups: file.lastPickups)
            report.sums?.take(file.counts)
            report.isMisjudged = setting.plan.files[fileIndex].isMisjudged(
                file.read,
                lastPickup: file.lastPickup,
                today: setting.plan.today
            )
            try writeRejects(of: file.read, file.rejectTexts, &report, &frames)
        } catch {
            report = FileReport(plan: setting.plan.hash, file: fileIndex)
            report.refusal = try Self.refusal(error)
        }
        try frames.write("report", text: report.text)
        try frames.end()
    }

    /// What a slice becomes on the thread that reads it.
    private struct Slice: Sendable {
        let content: ExportsReading.SliceContent
        let ids: TextColumn
        let versions: [FrameColumn]
        let trips: [FrameColumn]
        /// The last pick-up.
        let lastPickup: Int64?
        /// Per day on which a file was taken in, the last pick-up up to its end.
        let lastPickups: [Int64?]
        /// The trips by month and status, where they are added up.
        let counts: TripCounts
    }

    /// A file that was read.
    private struct MappedFile {
        let read: ExportsReading.ReadFile
        /// The raw records of its rejects.
        let rejectTexts: [[UInt8]]
        let lastPickup: Int64?
        let lastPickups: [Int64?]
        let counts: TripCounts
    }

    private func read(
        _ descriptor: Int32,
        _ frames: inout FrameWriter
    ) throws -> MappedFile {
        let entry = setting.entry(fileIndex)
        let (pipeline, classifier) = (setting.pipeline, setting.classifier)
        var request = pipeline.request(
            for: pipeline.sources[entry.sourceIndex],
            name: entry.path
        )
        request.stream = ExportStream(
            descriptor: descriptor,
            size: Int(setting.plan.files[fileIndex].size)
        )
        request.fileIndex = fileIndex
        request.latestPickup = entry.takenIn.map {
            pipeline.latestPickup(takenIn: $0, zone: setting.configuration.localZone)
        }
        request.slicing = Slicing(threads: threadCount)
        var content = ExportsReading.FileContent(
            lookupCount: classifier.lookups.count,
            tripIDIndex: classifier.shape.tripIDIndex
        )
        var lastPickup: Int64?
        var lastPickups = [Int64?](repeating: nil, count: setting.days.count)
        var counts = TripCounts()
        var texts: [[UInt8]] = []
        let zones = setting.configuration.zones
        request.derivedCost = classifier.derivedCost(zones)
        let summary = try ExportReader.read(
            request,
            make: { [self] batch in
                let outcome = classifier.classify(zones.resolve(batch))
                return Result { try slice(outcome) }
            },
            keepTexts: { texts += $0 },
            deliver: { part in
                let slice = try part.content.get()
                content.add(
                    slice.content,
                    firstRecord: part.firstRecordNumber,
                    firstLine: part.firstLineNumber
                )
                lastPickup = [lastPickup, slice.lastPickup].compactMap(\.self).max()
                lastPickups = zip(lastPickups, slice.lastPickups).map {
                    [$0, $1].compactMap(\.self).max()
                }
                counts.add(slice.counts)
                try write(slice, part, &frames)
            }
        )
        let read = ExportsReading.ReadFile(
            entry: entry,
            location: "",
            summary: summary,
            rejectTexts: [],
            content: content
        )
        return MappedFile(
            read: read,
            rejectTexts: texts,
            lastPickup: lastPickup,
            lastPickups: lastPickups,
            counts: counts
        )
    }

    private func slice(_ outcome: TripClassifier.Outcome) throws(MartError) -> Slice {
        let batch = outcome.batch
        let ids = batch.columns[setting.classifier.shape.tripIDIndex].texts
        let refs = rows.refs(of: ids)
        let compares = setting.plan.comparesVersions
        return Slice(
            content: ExportsReading.SliceContent(
                outcome,
                setting.classifier,
                keepsTrips: false
            ),
            ids: ids,
            versions: compares ? rows.versions(batch, refs, rows.digests(of: batch)) : [],
            trips: try rows.trips(batch, refs),
            lastPickup: lastPickup(of: batch),
            lastPickups: setting.days.map { compares ? nil : lastPickup(of: batch, upTo: $0) },
            counts: compares
                ? TripCounts() : TripCounts(batch, shape: setting.classifier.shape)
        )
    }

    /// The last pick-up of a batch, or of those up to the end of a day.
    private func lastPickup(of batch: TripBatch, upTo day: CivilDate? = nil) -> Int64? {
        let end = day.map { (Int64($0.dayNumber) + 1) * CivilTime.daySeconds } ?? .max
        let pickups = batch.columns[setting.classifier.shape.pickupIndex].integers
        return (0..<batch.count).compactMap { pickups.value($0) }.filter { $0 < end }.max()
    }

    /// Writes the rows of a slice, numbered within the file.
    private func write(
        _ slice: Slice,
        _ part: ExportPart<Result<Slice, any Error>>,
        _ frames: inout FrameWriter
    ) throws(RunError) {
        guard !slice.ids.codes.isEmpty else { return }
        // Ids of positions are known only here, and what is found by them.
        let ids = part.positionIDs.map { positioned(slice, part, $0) }
        let refs = ids.map { rows.refs(of: $0) }
        if setting.plan.comparesVersions {
            var columns = slice.versions
            func replace(_ name: String, _ column: FrameColumn?) {
                guard let column, let index = setting.versions.index[name] else { return }
                columns[index] = column
            }
            replace("ref", refs?.bytes)
            replace("override", ids.map { rows.overrides(of: $0) })
            for (name, first) in [
                ("record", part.firstRecordNumber), ("line", part.firstLineNumber),
            ] {
                let column = setting.versions.index[name].map { columns[$0] }
                replace(name, column?.raised(by: first))
            }
            try frames.write(VersionColumns.kind, columns)
        }
        var columns = slice.trips
        for (index, column) in rows.columns.columns.enumerated() {
            switch column.origin {
            case .ref: columns[index] = refs?.texts ?? columns[index]
            case .record: columns[index] = columns[index].raised(by: part.firstRecordNumber)
            case .line: columns[index] = columns[index].raised(by: part.firstLineNumber)
            default: break
            }
        }
        try frames.write(TripColumns.kind, columns)
    }

    /// The ids of trips that are known by their positions.
    private func positioned(
        _ slice: Slice,
        _ part: ExportPart<Result<Slice, any Error>>,
        _ ids: SourcePositionIDs
    ) -> TextColumn {
        var column = TextColumn(codes: [], pool: TextPool())
        let records = slice.trips.first { $0.name == "record_number" }
        guard case .wide(let numbers)? = records?.values else {
            preconditionFailure("every trip has a record")
        }
        for (code, number) in zip(slice.ids.codes, numbers) {
            let id = ids.id(
                record: part.firstRecordNumber + Int(number),
                unit: slice.ids.pool.slice(code)
            )
            column.codes.append(column.pool.append(id[...]))
        }
        return column
    }

    /// Writes the rejects, and their rows of the shuffle.
    private func writeRejects(
        of file: ExportsReading.ReadFile,
        _ texts: [[UInt8]],
        _ report: inout FileReport,
        _ frames: inout FrameWriter
    ) throws {
        let write = keys.refWriter()
        func ref(_ id: String) -> [UInt8] {
            var ref: [UInt8] = []
            var id = id
            id.withUTF8 { write(UnsafeRawBufferPointer($0), &ref) }
            return ref
        }
        let refs = file.rejects.map { reject in reject.tripID.map { ref($0) } }
        report.repetitions = file.summary.repetitions.map { unit in
            FileReport.Repetition(
                ref: Self.text(ref(unit.tripID)),
                record: unit.recordNumber,
                line: unit.lineNumber,
                count: unit.count
            )
        }
        if setting.plan.comparesVersions, refs.contains(where: { $0 != nil }) {
            try frames.write(VersionColumns.kind, rows.versions(of: file.rejects, refs: refs))
        }
        var sealer = try keys.rejectSealer(plan: setting.plan.hash, count: file.rejects.count)
        for start in stride(from: 0, to: file.rejects.count, by: Self.rejectsPerFrame) {
            var text: [UInt8] = []
            for index in start..<min(start + Self.rejectsPerFrame, file.rejects.count) {
                var reject = file.rejects[index]
                reject.tripID = nil
                let sealed = try texts[index].withUnsafeBufferPointer {
                    plain throws(MartError) in
                    try sealer.seal(
                        UnsafeRawBufferPointer(plain),
                        row: ShardReject.row(file: fileIndex, index)
                    )
                }
                text +=
                    ShardReject(
                        reject: reject,
                        index: index,
                        ref: refs[index].map(Self.text),
                        sealed: sealed
                    ).text
            }
            try frames.write("rejects", text: text)
        }
    }

    private static func text(_ ref: [UInt8]) -> String {
        var text: [UInt8] = []
        ref.withUnsafeBytes { MartKeys.appendText(ofRef: $0, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Why a file is refused; rethrows what stops a run.
    private static func refusal(_ error: any Error) throws -> FileReport.Refusal {
        let fault = error as? SourceFault
        if let fault, fault.code == .cannotRead {
            throw RunError(
                .ioFailed,
                summary: "the file's bytes cannot be read",
                what: "\(fault.position.file) \(fault.finding).",
                remedies: ["Run the task again."]
            )
        }
        guard fault?.isOfFile == true || error is LayoutMismatch else { throw error }
        let (reason, remedy) = ClassifiedExports.words(error)
        return FileReport.Refusal(
            code: fault?.code.rawValue ?? "layout",
            reason: reason,
            remedy: remedy,
            isChanged: fault?.code == .changedWhileRead
        )
    }
}

extension ShardReject {
    /// The number that the raw record of a reject is sealed under.
    static func row(file: Int, _ index: Int) -> Int64 { Int64(file) << 32 | Int64(index) }
}
