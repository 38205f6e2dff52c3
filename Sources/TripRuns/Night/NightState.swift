import TripDomain
import TripEngine
import TripMart

/// The whole state of a run: which version of each trip stands, the account, and the KPIs.
struct NightState {
    let exports: NightExports
    let batches: [PackedBatch]
    let shape: TripShape
    let rules: [RuleEntry]
    let resolution: TripResolution
    let accounting: Accounting
    let cube: Cube
    let isSynthetic: Bool

    init(
        _ exports: NightExports,
        _ setting: NightSetting,
        _ options: RunOptions,
        progress: Progress
    ) throws {
        self.exports = exports
        batches = exports.currentBatches
        shape = setting.classifier.shape
        rules = setting.classifier.rules
        isSynthetic = exports.isSynthetic
        progress.begin("resolving")
        resolution = TripResolution(
            batches: batches,
            shape: shape,
            order: Self.versionOrder(exports, setting.pipeline, shape: shape),
            threadCount: options.threadCount
        )
        let trips = Counted.text(resolution.accepted.count, "trip")
        progress.end(detail: "\(trips), one version each")
        accounting = Accounting(
            files: exports.files,
            isCurrent: exports.isCurrent,
            batches: batches,
            resolution: resolution,
            shape: shape
        )
        progress.begin("adding up")
        cube = try Cube(
            batches: batches,
            accepted: resolution.accepted,
            shape: shape,
            rules: rules,
            threadCount: options.threadCount
        )
        progress.end(detail: Counted.text(cube.cells.count, "cell"))
    }

    /// The greatest pick-up date accepted.
    var dataThrough: CivilDate? { cube.lastPickup.map { CivilTime.date(ofSeconds: $0) } }

    /// The month of the last trip with its sums over all types and regions.
    var latestMonth: (month: Month, sums: KPISums)? {
        guard let month = dataThrough?.month else { return nil }
        let cell = cube.cells.first {
            $0.month == month.text && $0.tripType == KPICell.all && $0.region == KPICell.all
        }
        return cell.map { (month, $0.sums) }
    }

    /// Everything the generation holds.
    func contents(
        header: GenerationHeader,
        setting: NightSetting,
        checks: [CheckResult],
        threadCount: Int
    ) -> GenerationContents {
        GenerationContents(
            header: header,
            shape: shape,
            batches: batches,
            acceptedOrder: resolution.storedOrder(threadCount: threadCount),
            versions: accounting.versions,
            rejects: accounting.rejects,
            rejectTexts: accounting.rejectTexts,
            files: sourceFiles(setting.pipeline),
            rules: rules,
            cube: cube.cells,
            basisCells: cube.basisCells,
            regions: Self.labelled(cube.regions, setting.labels["region"]),
            tripTypes: Self.labelled(cube.tripTypes, setting.labels["trip_type"]),
            references: setting.lookups.map(\.table),
            inputs: setting.inputs,
            checks: checks
        )
    }

    private func sourceFiles(_ pipeline: PipelineDefinition) -> [SourceFileEntry] {
        exports.files.enumerated().map { index, file in
            SourceFileEntry(
                source: pipeline.sources[file.entry.sourceIndex].name,
                path: file.entry.path,
                sequence: file.entry.sequence,
                contentHash: file.summary.digest.contentHash,
                archiveHash: file.entry.archiveHash,
                archiveSize: Int64(file.summary.digest.archiveSize),
                expandedSize: Int64(file.summary.digest.expandedSize),
                orderKey: file.entry.orderKey,
                period: file.entry.period,
                layout: file.summary.layoutName,
                recordCount: Int64(file.summary.counts.records + file.summary.counts.rejects),
                lineCount: Int64(file.summary.counts.physicalLines),
                blankLineCount: Int64(file.summary.counts.blankLines),
                status: exports.isCurrent[index] ? .current : .withdrawn,
                ledger: accounting.ledgers[index]
            )
        }
    }

    private static func labelled(
        _ values: [String],
        _ labels: [String: String]?
    ) -> [DimensionLabel] {
        values.map { DimensionLabel(value: $0, label: labels?[$0] ?? $0) }
    }

    /// What orders the versions of each source: its files, or the field it names.
    private static func versionOrder(
        _ exports: NightExports,
        _ pipeline: PipelineDefinition,
        shape: TripShape
    ) -> VersionOrder {
        VersionOrder(
            sourceOfFile: exports.files.map(\.entry.sourceIndex),
            orderColumns: pipeline.sources.map { source in
                guard case .field(let name) = source.order else { return nil }
                return shape.columns.firstIndex { $0.name == name }
            }
        )
    }
}
