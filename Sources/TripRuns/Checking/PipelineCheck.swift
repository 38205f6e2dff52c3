import TripDomain
import TripEngine

/// `check`: looks for faults in a pipeline before it runs, and holds its rules against real trips.
public struct PipelineCheck {
    private let options: RunOptions
    private let examinesTrips: Bool
    private let progress: Progress

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are, and the threads to use.
    ///   - examinesTrips: Whether the trips of the mart are looked at.
    ///   - progress: Where progress is shown.
    public init(options: RunOptions, examinesTrips: Bool, progress: Progress) {
        self.options = options
        self.examinesTrips = examinesTrips
        self.progress = progress
    }

    /// The SELECT for the sqlite3 shell.
    ///
    /// - Returns: The statement.
    /// - Throws: ``PipelineFault`` or ``PipelineFaults`` where the pipeline cannot be compiled.
    public func sql() throws -> String {
        let compiled = try compile()
        return RuleSQL.select(compiled.pipeline, lookups: compiled.lookups)
    }

    /// Everything that is wrong, doubtful or worth knowing.
    ///
    /// - Returns: The findings; a pipeline that cannot be read or compiled is one of faults alone, and one whose
    ///   examples fail is not held against trips.
    /// - Throws: What ``Laboratory`` throws, where trips are looked at.
    public func findings() throws -> CheckFindings {
        let compiled: CompiledPipeline
        do {
            compiled = try compile()
        } catch {
            guard let found = PipelineFaults(error) else { throw error }
            return CheckFindings(faults: found.faults)
        }
        guard examinesTrips, compiled.exampleFaults.isEmpty else {
            return CheckFindings(compiled)
        }
        return CheckFindings(compiled, try Laboratory(compiled, options, progress: progress))
    }

    private func compile() throws -> CompiledPipeline {
        let pipeline = try PipelineReader.read(path: options.pipelinePath)
        let references = try pipeline.referenceFileNames.map { name in
            PipelineFile(
                path: name,
                content: try FileText.read(options.referencePath + "/" + name, shown: name)
            )
        }
        let compiled = try CompiledPipeline(pipeline, references: references)
        let names = NightMeasures.names(lookups: pipeline.lookups.map(\.name))
        for check in pipeline.checks {
            _ = try CheckCondition.compile(check.condition, names: names)
        }
        return compiled
    }
}
