import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// Whether stored trips can be classified by an edited pipeline without reading the exports again.
///
/// The mart stores the values of a record's fields. An edit of how they are read, or of a station's
/// time zone, would have given other values.
struct StoredFields {
    /// Parts of a pipeline that define how exports are read.
    private static let readingParts: Set = ["time_zone", "sources", "fields"]

    private let served: ServedMart
    private let kept: FolderReading.Kept
    private let compiled: CompiledPipeline
    private let edits: FolderEdits
    private let command: String

    /// - Parameters:
    ///   - served: The generation whose trips are to be classified.
    ///   - kept: The inputs that it stores.
    ///   - compiled: The folder's pipeline.
    ///   - edits: The differences.
    ///   - command: The pipeline as a command names it.
    init(
        _ served: ServedMart,
        _ kept: FolderReading.Kept,
        _ compiled: CompiledPipeline,
        _ edits: FolderEdits,
        command: String
    ) {
        self.served = served
        self.kept = kept
        self.compiled = compiled
        self.edits = edits
        self.command = command
    }

    /// Refuses edits that cannot be applied to the stored trips.
    ///
    /// - Throws: ``RunError`` with the command to use instead; `MartError` of the file.
    func require() throws {
        let parts = edits.parts.filter { Self.readingParts.contains($0) }
        guard parts.isEmpty else {
            throw refusal("`\(parts.joined(separator: "` and `"))` of the pipeline changed")
        }
        guard kept.pipeline.kpis.costField == compiled.pipeline.kpis.costField else {
            throw refusal("`kpis` names another field for the cost")
        }
        guard compiled.classifier.readsFields(of: served.shape) else {
            throw refusal("the fields are not those the trips are stored with")
        }
        let before = try CompiledPipeline(
            kept.pipeline,
            references: kept.references,
            dataThrough: nil
        )
        try requireClocks(before.zones, compiled.zones)
    }

    /// Refuses another time zone for a station that has trips: their times were read by the old
    /// one.
    private func requireClocks(_ before: ZoneResolver, _ now: ZoneResolver) throws {
        guard let others = before.facilitiesOnOtherClocks(than: now) else { return }
        guard let field = others.field else { throw refusal("places get other time zones") }
        let found = try others.places.sorted().first { place in
            try served.hasTrip(where: field, is: place)
        }
        if let found { throw refusal("trips of \(field) \(found) get another time zone") }
    }

    private func refusal(_ what: String) -> RunError {
        let isShared = DualControl(kept.pipeline, compiled.pipeline).isRequired
        return RunError(
            .badPipeline,
            summary: "the edits need the exports",
            what: "The mart stores only the fields of the exports, and \(what).",
            remedies: [
                "See the effect: triptych run \(command) --full --apply-changes --dry-run",
                "Publish it: triptych run \(command) --full --apply-changes"
                    + (isShared ? " --approved-by NAME" : ""),
            ]
        )
    }
}
