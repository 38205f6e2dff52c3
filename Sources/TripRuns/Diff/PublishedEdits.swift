import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The edits between two generations, ready to classify the trips of the earlier one again.
struct PublishedEdits: Sendable {
    /// The causes: edits, each made alone, what several of them do together, then data.
    let causes: [DifferenceCause]
    /// The edits, each made alone; nil where they change no decision, or cannot be told apart.
    let single: SingleEdits?
    /// The classifier after all of them.
    let classifier: TripClassifier
    /// The edits that are shown, one clause each.
    let clauses: [String]
    /// Every edit, in the same order.
    let all: [String]
    /// The sources whose lines are joined, and were by the same rule: of a record that both
    /// generations have, lines of other files decide too.
    let joiningSources: Set<String>
    /// Whether the fields differ, so that edits cannot be told apart by the stored trips.
    let hasDifferentFields: Bool

    /// Compares the inputs of two generations.
    ///
    /// - Parameters:
    ///   - first: The earlier generation.
    ///   - second: The later one.
    /// - Throws: ``RunError`` where this version cannot read the inputs of one of them; `MartError`
    ///   of the files.
    init(_ first: ServedMart, _ second: ServedMart) throws {
        let (before, now) = try (PublishedInputs.readable(first), PublishedInputs.readable(second))
        let folder = FolderReading(now.kept)
        let edits = try FolderEdits(before.kept, folder)
        let days = (first.header.dataThrough, second.header.dataThrough)
        let compiled = try Self.compiled(now, dataThrough: days.1)
        let single = SingleEdits(
            before.kept,
            folder,
            compiled.classifier,
            edits,
            dataThrough: days
        )
        hasDifferentFields = !compiled.classifier.readsFields(of: first.shape)
        self.single = hasDifferentFields || single.names.isEmpty ? nil : single
        classifier = compiled.classifier
        let differing = Set(DecisionText.differences(before.kept.pipeline, now.kept.pipeline))
        let kinds = DerivedSources.ofLineKinds(now.kept.pipeline)
        joiningSources =
            differing.isDisjoint(with: ["sources", "fields", "lookups", "derived"])
                && !kinds.files.contains(where: { edits.references[$0] != nil })
            ? Set(now.kept.pipeline.sources.filter { $0.lines != nil }.map(\.name)) : []
        (clauses, all) = (edits.clauses, edits.all)
        let isBack = second.header.number < first.header.number
        let remainder =
            hasDifferentFields ? "fields and all other edits" : "the same records, read differently"
        causes =
            (self.single?.causes ?? [])
            + [
                DifferenceCause(kind: .withdrawn, name: "withdrawn trips"),
                DifferenceCause(kind: .corrected, name: "corrected trips"),
                DifferenceCause(kind: .late, name: isBack ? "returning trips" : "late trips"),
                DifferenceCause(kind: .new, name: "new trips"),
                DifferenceCause(kind: .remainder, name: remainder),
            ]
    }

    /// The indexes of the fields that the classifiers read, in the earlier generation's shape.
    var fieldsRead: Set<Int> {
        guard let single else { return [] }
        return single.classifiers.reduce(into: classifier.fieldsRead) {
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

    /// The index of a cause of the data among all causes.
    func index(of kind: DifferenceCause.Kind) -> Int {
        guard let index = causes.firstIndex(where: { $0.kind == kind }) else {
            preconditionFailure("every kind of data is a cause")
        }
        return index
    }
}
