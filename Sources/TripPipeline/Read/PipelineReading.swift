/// A pipeline as far as it could be read.
public struct PipelineReading {
    /// The pipeline, without the parts that have a fault; nil where its first file cannot be read.
    public let pipeline: PipelineDefinition?
    /// The faults of its files.
    public let faults: FaultList

    /// The pipeline, read as a whole.
    ///
    /// - Returns: The definition.
    /// - Throws: ``PipelineFaults`` where a part has a fault.
    public func whole() throws(PipelineFaults) -> PipelineDefinition {
        guard let pipeline, faults.isEmpty else { throw PipelineFaults(faults: faults.faults) }
        return pipeline
    }
}
