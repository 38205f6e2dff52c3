import TripDomain
import TripEngine
import TripMart

/// `plan`: what the edits of a folder would do to the served generation.
///
/// Nothing is written and no lock is taken: a plan reads what is served, as any reader does.
public struct Planning {
    private let options: RunOptions
    private let progress: Progress

    /// Prepares a plan.
    ///
    /// - Parameters:
    ///   - options: Where pipeline, reference files and mart are.
    ///   - progress: Where progress is shown.
    public init(options: RunOptions, progress: Progress) {
        self.options = options
        self.progress = progress
    }

    /// Computes the plan and shows it.
    ///
    /// - Parameter format: How to answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published; ``PipelineFault`` or ``PipelineFaults`` where the
    ///   folder cannot be used; ``RunError`` where its edits ask for the exports to be read again.
    public func text(_ format: OutputFormat) throws -> String {
        let startedAt = Progress.milliseconds()
        let served = try ServedMart.open(MartFolder(path: options.martPath))
        let plan = try plan(served)
        let screen = PlanScreen(plan, command: command, samples: try samples(plan, served))
        return screen.text(format, milliseconds: Progress.milliseconds() - startedAt)
    }

    private func plan(_ served: ServedMart) throws -> Plan {
        let published = try PublishedInputs(served)
        let folder = try FolderReading(options)
        guard served.header.pipeline == folder.pipeline.name else {
            throw RunError.otherPipeline(
                options.martPath,
                holds: served.header.pipeline,
                asked: folder.pipeline.name
            )
        }
        let edits = try FolderEdits(published.kept, folder)
        let compiled = try CompiledPipeline(folder.pipeline, references: folder.references)
        try StoredFields(served, published.kept, compiled, edits, command: command).require()
        let decisions = try StoredDecisions(
            served,
            compiled.classifier,
            threadCount: options.threadCount,
            progress: progress
        )
        return Plan(
            id: Self.id(served.header.number, folder),
            header: served.header,
            edits: edits,
            oldRules: try served.rules(),
            newRules: compiled.classifier.rules,
            oldCube: try served.cube(),
            decisions: decisions
        )
    }

    /// The digits of what a plan is bound to: the generation, the pipeline and the reference files.
    private static func id(_ generation: Int, _ folder: FolderReading) -> String {
        let files = (folder.pipeline.files + folder.references).map {
            "\($0.path)\n\(ContentHash.of($0.content))\n"
        }
        return String(ContentHash.of(Array("\(generation)\n\(files.joined())".utf8)).prefix(8))
    }

    /// The references of the trips that serve as samples; none where the key is not at hand.
    private func samples(_ plan: Plan, _ served: ServedMart) throws -> [Int64: String] {
        let keys: MartKeys?
        do throws(MartError) {
            keys = try MartKeys.open(
                keyFile: options.keyFilePath,
                for: MartFolder(path: options.martPath)
            )
        } catch {
            // The numbers need no key, and whoever looks at them may not have one that can be used.
            let ofKeys: Set<MartError.Code> = [
                .keyMissing, .keyWrong, .keyPermissions, .keyMalformed,
            ]
            guard ofKeys.contains(error.code) else { throw error }
            return [:]
        }
        var refs: [Int64: String] = [:]
        for number in plan.rules.flatMap(\.samples) {
            guard let id = try served.tripID(number: number) else { continue }
            refs[number] = keys?.ref(ofTrip: id).text
        }
        return refs
    }

    /// The folder as a command names it, with what is not where a command looks by itself.
    private var command: String {
        var words = [Shown.shell(options.pipelinePath)]
        if options.martPath != RunOptions.usualMartPath {
            words += ["--mart", Shown.shell(options.martPath)]
        }
        if let path = options.keyPath { words += ["--key-file", Shown.shell(path)] }
        if options.referencePath != RunOptions.usualReferencePath {
            words += ["--reference", Shown.shell(options.referencePath)]
        }
        return words.joined(separator: " ")
    }
}
