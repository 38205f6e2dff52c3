import TripDomain
import TripEngine

/// `check`: looks for faults in a pipeline before it runs.
public struct PipelineCheck {
    private let pipelinePath: String
    private let referencePath: String

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - pipelinePath: The pipeline folder, or a pipeline file.
    ///   - referencePath: The folder of the reference files.
    public init(pipelinePath: String, referencePath: String) {
        self.pipelinePath = pipelinePath
        self.referencePath = referencePath
    }

    /// The SELECT for the sqlite3 shell.
    ///
    /// - Returns: The statement.
    /// - Throws: ``PipelineFault`` or ``PipelineFaults`` where the pipeline cannot be compiled.
    public func sql() throws -> String {
        let compiled = try compile()
        return RuleSQL.select(compiled.pipeline, lookups: compiled.lookups)
    }

    /// Everything that is wrong or doubtful.
    ///
    /// - Returns: The findings; a pipeline that cannot be read or compiled is one of faults alone.
    public func findings() throws -> CheckFindings {
        let compiled: CompiledPipeline
        do {
            compiled = try compile()
        } catch {
            guard let found = PipelineFaults(error) else { throw error }
            return CheckFindings(faults: found.faults)
        }
        return CheckFindings(compiled)
    }

    private func compile() throws -> CompiledPipeline {
        let pipeline = try PipelineReader.read(path: pipelinePath)
        let references = try pipeline.referenceFileNames.map { name in
            PipelineFile(
                path: name,
                content: try FileText.read(referencePath + "/" + name, shown: name)
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
