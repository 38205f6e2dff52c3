import TripDomain
import TripEngine
public import TripPipeline
import TripRules

/// `check`: finds faults in a pipeline before it runs, and tests its rules on real trips.
public struct PipelineCheck {
    private let options: RunOptions
    private let examinesTrips: Bool
    private let showsKeys: Bool
    private let progress: Progress

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are, and the threads to use.
    ///   - examinesTrips: Whether the rules are tested on the trips of the mart.
    ///   - showsKeys: Whether keys that look-ups have no row for are shown.
    ///   - progress: Where progress is reported.
    public init(
        options: RunOptions,
        examinesTrips: Bool,
        showsKeys: Bool = false,
        progress: Progress
    ) {
        self.options = options
        self.showsKeys = showsKeys
        self.examinesTrips = examinesTrips
        self.progress = progress
    }

    /// All faults, warnings and notes.
    ///
    /// - Returns: The findings. A pipeline that cannot be read or compiled has faults alone. Where
    ///   the rules cannot be tested on trips, one finding gives the reason.
    /// - Throws: Any error that is no fault of the pipeline.
    public func findings() throws -> CheckFindings {
        let compiled: CompiledPipeline
        do {
            compiled = try compile()
        } catch {
            guard let found = PipelineFaults(error) else { throw error }
            return CheckFindings(faults: found.faults)
        }
        guard examinesTrips else { return CheckFindings(compiled) }
        do {
            guard compiled.exampleFaults.isEmpty else {
                throw Failure(
                    status: .faultsFound,
                    summary: "examples are not decided as stated",
                    what: [],
                    remedies: ["Correct them, then run the check again."]
                )
            }
            let laboratory = try Laboratory(
                compiled,
                options,
                showsKeys: showsKeys,
                progress: progress
            )
            return CheckFindings(compiled, laboratory)
        } catch {
            var findings = CheckFindings(compiled)
            findings.refusal = Failure(error)
            return findings
        }
    }

    /// Reads and compiles the pipeline, with the conditions of its checks.
    ///
    /// - Returns: The pipeline.
    /// - Throws: ``PipelineFault`` or ``PipelineFaults`` where it cannot be compiled.
    public func compile() throws -> CompiledPipeline {
        let pipeline = try PipelineReader.read(path: options.pipelinePath)
        let references = try pipeline.referenceFileNames.map { name in
            PipelineFile(
                path: name,
                content: try FileText.read(options.referencePath + "/" + name, shown: name)
            )
        }
        let compiled = try CompiledPipeline(
            pipeline,
            references: references,
            dataThrough: nil
        )
        let names = CheckMeasures.names(lookups: pipeline.lookups.map(\.name))
        for check in pipeline.checks {
            _ = try CheckCondition.compile(check.condition, names: names)
        }
        return compiled
    }
}
