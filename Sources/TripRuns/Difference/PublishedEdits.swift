import TripDomain
import TripEngine
import TripMart

/// What was edited between two generations, ready to decide the trips of the earlier one anew.
struct PublishedEdits: Sendable {
    /// Why numbers may differ, in the order in which it is taken: edits, one after the other, then data.
    let causes: [DifferenceCause]
    /// What decides after each edit; none where the trips stay as they are decided.
    let classifiers: [TripClassifier]
    /// The edits that cannot be told apart by the stored trips, a clause each.
    let untold: [String]

    /// Compares what two generations were made from.
    ///
    /// - Parameters:
    ///   - first: The earlier generation.
    ///   - second: The later one.
    /// - Throws: ``RunError`` where this version cannot read what one of them was made from; `MartError` of the
    ///   files.
    init(_ first: ServedMart, _ second: ServedMart) throws {
        let (before, now) = try (PublishedInputs.readable(first), PublishedInputs.readable(second))
        let folder = FolderReading(now.kept)
        let edits = try FolderEdits(before.kept, folder)
        let compiled = try Self.compiled(now)
        let steps = EditSteps(before.kept, folder, edits)
        let canDecide = compiled.classifier.readsFields(of: first.shape)
        let isDecided = canDecide && !steps.names.isEmpty
        classifiers = isDecided ? steps.classifiers + [compiled.classifier] : []
        untold = canDecide ? [] : edits.all
        let remainder =
            canDecide ? "the same records, read otherwise" : "fields and all other edits"
        causes =
            (isDecided ? steps.causes : [])
            + [
                DifferenceCause(kind: .withdrawn, name: "withdrawn trips"),
                DifferenceCause(kind: .corrected, name: "corrected trips"),
                DifferenceCause(kind: .late, name: "late trips"),
                DifferenceCause(kind: .new, name: "new trips"),
                DifferenceCause(kind: .remainder, name: remainder),
            ]
    }

    private static func compiled(_ inputs: PublishedInputs) throws -> CompiledPipeline {
        do {
            return try CompiledPipeline(inputs.kept.pipeline, references: inputs.kept.references)
        } catch {
            throw RunError.unreadable(
                inputs.number,
                error,
                remedies: ["Use the version that published it."]
            )
        }
    }

    /// The place of a cause of the data among all causes.
    func place(of kind: DifferenceCause.Kind) -> Int {
        guard let place = causes.firstIndex(where: { $0.kind == kind }) else {
            preconditionFailure("every kind of data is a cause")
        }
        return place
    }
}
