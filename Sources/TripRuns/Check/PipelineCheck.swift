import TripDomain
import TripEngine
import TripMart
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
        } catch let error as RunError where error.code == .badPipeline {
            let fault = PipelineFault(
                file: options.pipelinePath,
                message: error.what,
                suggestion: error.remedies.joined(separator: "\n")
            )
            return CheckFindings(faults: [fault])
        } catch {
            // That a file cannot be read says nothing about the pipeline.
            guard let found = PipelineFaults(error), !found.isOfSystem else { throw error }
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
            // A folder that is not there is mostly mistyped.
            findings.isUnpublished =
                (error as? MartError)?.code == .nothingServed && FileText.exists(options.martPath)
            return findings
        }
    }

    /// Reads and compiles the pipeline, with the conditions of its checks.
    ///
    /// - Returns: The pipeline.
    /// - Throws: ``PipelineFaults`` with every fault of the pipeline and its reference files;
    ///   `ReferenceFaults` where that is a single one; ``RunError`` where there is no such pipeline
    ///   or reference folder.
    public func compile() throws -> CompiledPipeline {
        try RunArguments.requirePipeline(options.pipelinePath)
        let reading = PipelineReader.examine(path: options.pipelinePath)
        let faults = reading.faults
        guard let pipeline = reading.pipeline else { throw faults.error }
        try RunArguments.requireReferences(pipeline.referenceFileNames, options.referencePath)
        let references = pipeline.referenceFileNames.compactMap { name in
            faults.noting { () throws(PipelineFault) in
                PipelineFile(
                    path: name,
                    content: try FileText.read(name, in: options.referencePath)
                )
            }
        }
        let missing = pipeline.lookups.filter { lookup in
            references.file(lookup.file) == nil
        }
        for lookup in missing { faults.leaveOut(lookup.name) }
        let compiled = try CompiledPipeline.compile(
            pipeline,
            references: references,
            dataThrough: nil,
            faults
        )
        let names = CheckMeasures.names(
            lookups: pipeline.lookups.map(\.name) + faults.unreadNames
        )
        for check in pipeline.checks {
            faults.noting { () throws(PipelineFault) in
                _ = try CheckCondition.compile(check.condition, names: names)
            }
        }
        // What was compiled has no other faults than those of its checks.
        if let compiled, !faults.isEmpty {
            for fault in compiled.exampleFaults { faults.note(fault) }
        }
        faults.sort(by: pipeline.files.map(\.path))
        guard let compiled, faults.isEmpty else { throw faults.error }
        return compiled
    }
}
