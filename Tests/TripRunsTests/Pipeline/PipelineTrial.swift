import TripDomain
import TripReports

@testable import TripEngine
@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// A pipeline tried from its text to classified trips, without a mart.
struct PipelineTrial {
    /// The outcome: the faults found, or the number of classified trips.
    enum Outcome {
        case faults([PipelineFault])
        case trips(Int)
    }

    /// The folder's files by name; `pipeline.yaml` is the first.
    var files: [String: String]
    /// The reference files by name.
    var references: [String: String] = [:]
    /// The export.
    var export = ""

    /// The first fault; nil where there is none.
    var fault: PipelineFault? {
        get throws {
            guard case .faults(let faults) = try outcome() else { return nil }
            return faults.first
        }
    }

    /// What `check` prints; nil where the pipeline has faults.
    var findings: String? {
        get throws {
            guard case .trips = try outcome() else { return nil }
            let pipeline = try PipelineReader.read(files: Self.kept(files))
            let compiled = try CompiledPipeline(
                pipeline,
                references: Self.kept(references),
                dataThrough: nil
            )
            return FindingsScreen(CheckFindings(compiled)).text(.table, on: .usual)
        }
    }

    /// Reads, compiles and checks the pipeline, then reads and classifies the export.
    ///
    /// - Throws: Any error that is no fault of the pipeline and no refusal of the export.
    func outcome() throws -> Outcome {
        do {
            let pipeline = try PipelineReader.read(files: Self.kept(files))
            let compiled = try CompiledPipeline(
                pipeline,
                references: Self.kept(references),
                dataThrough: nil
            )
            let names = CheckMeasures.names(lookups: pipeline.lookups.map(\.name))
            for check in pipeline.checks {
                _ = try CheckCondition.compile(check.condition, names: names)
            }
            _ = FindingsScreen(CheckFindings(compiled)).text(.table, on: .usual)
            _ = RuleSQL.select(compiled)
            return .trips(try classifiedTrips(compiled))
        } catch {
            guard let found = PipelineFaults(error) else { throw error }
            return .faults(found.faults)
        }
    }

    private func classifiedTrips(_ compiled: CompiledPipeline) throws -> Int {
        let pipeline = compiled.pipeline
        var count = 0
        for source in pipeline.sources {
            let request = pipeline.request(for: source, name: "export.csv")
            do {
                var batches: [PackedBatch] = []
                _ = try ExportReader.read(
                    try ByteSource(bytes: Array(export.utf8), name: "export.csv"),
                    request,
                    make: { compiled.classifier.classify(compiled.zones.resolve($0)).batch },
                    deliver: { batches.append(PackedBatch($0.content)) }
                )
                count += try Self.resolved(batches, compiled)
            } catch is LayoutMismatch {
                continue
            } catch is SourceFault {
                continue
            }
        }
        return count
    }

    /// Continues like a run: the accepted versions, and their sums.
    private static func resolved(
        _ batches: [PackedBatch],
        _ compiled: CompiledPipeline
    ) throws -> Int {
        let shape = compiled.classifier.shape
        let resolution = TripResolution(
            batches: batches,
            shape: shape,
            order: VersionOrder(
                sourceOfFile: [0],
                orderColumns: compiled.pipeline.sources.prefix(1).map { source in
                    guard case .field(let name) = source.order else { return nil }
                    return shape.columns.firstIndex { $0.name == name }
                }
            ),
            threadCount: 1
        )
        _ = try Cube(
            batches: batches,
            accepted: resolution.accepted,
            shape: shape,
            rules: compiled.classifier.rules,
            threadCount: 1
        )
        let visn = shape.columns.firstIndex { $0.name == "export_visn" }
        for batch in batches {
            if let visn { _ = batch.columns[visn].texts }
        }
        return resolution.storedOrder(threadCount: 1).count
    }

    private static func kept(_ files: [String: String]) -> [PipelineFile] {
        files.sorted { $0.key < $1.key }.map {
            PipelineFile(path: $0.key, content: Array($0.value.utf8))
        }
    }
}
