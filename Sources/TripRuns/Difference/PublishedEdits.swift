import TripDomain
import TripEngine
import TripMart

/// What was edited between two generations, ready to decide the trips of the earlier one anew.
struct PublishedEdits: Sendable {
    /// Why numbers may differ, in the order in which it is taken: edits, one after the other, then data.
    let causes: [DifferenceCause]
    /// The edits one after the other; none where they decide nothing, or cannot be told apart.
    let steps: EditSteps?
    /// What decides after all of them.
    let classifier: TripClassifier
    /// What a person is shown of the edits, a clause each.
    let clauses: [String]
    /// Every edit, in the same order.
    let all: [String]
    /// Whether fields are other ones, so that edits cannot be told apart by the stored trips.
    let isUntold: Bool

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
        let days = (first.header.dataThrough, second.header.dataThrough)
        let compiled = try Self.compiled(now, dataThrough: days.1)
        let steps = EditSteps(before.kept, folder, edits, dataThrough: days)
        isUntold = !compiled.classifier.readsFields(of: first.shape)
        self.steps = isUntold || steps.names.isEmpty ? nil : steps
        classifier = compiled.classifier
        (clauses, all) = (edits.clauses, edits.all)
        let isBack = second.header.number < first.header.number
        let remainder = isUntold ? "fields and all other edits" : "the same records, read otherwise"
        causes =
            (self.steps?.causes ?? [])
            + [
                DifferenceCause(kind: .withdrawn, name: "withdrawn trips"),
                DifferenceCause(kind: .corrected, name: "corrected trips"),
                DifferenceCause(kind: .late, name: isBack ? "returning trips" : "late trips"),
                DifferenceCause(kind: .new, name: "new trips"),
                DifferenceCause(kind: .remainder, name: remainder),
            ]
    }

    /// The fields that deciding reads, by their place in the earlier generation's shape.
    var fieldsRead: Set<Int> {
        guard let steps else { return [] }
        return steps.classifiers.reduce(into: classifier.fieldsRead) {
            $0.formUnion($1.fieldsRead)
        }
    }

    private static func compiled(
        _ inputs: PublishedInputs,
        dataThrough: CivilDate?
    ) throws -> CompiledPipeline {
        do {
            return try CompiledPipeline(
                inputs.kept.pipeline,
                references: inputs.kept.references,
                dataThrough: dataThrough
            )
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
