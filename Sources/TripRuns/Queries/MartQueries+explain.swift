import TripDomain
import TripEngine
import TripMart

extension MartQueries {
    /// `explain`: why a trip is in-house, contracted or undetermined.
    ///
    /// - Parameters:
    ///   - trip: A trip id or a trip ref.
    ///   - showsAll: Whether to show every rule before the deciding one.
    ///   - format: How to answer; CSV is refused.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where there is no such trip.
    public func explain(_ trip: String, showsAll: Bool, format: OutputFormat) throws -> String {
        let served = try ServedMart.open(folder)
        guard let detail = try served.trip(id: trip) ?? byRef(trip, in: served) else {
            throw RunError(
                .notFound,
                summary: "no such trip",
                what: "Generation \(served.header.number) has no trip of this id or ref.",
                remedies: [
                    "Look for it among the trips: triptych trips",
                    "It may have been rejected: triptych rejects",
                ]
            )
        }
        let inputs = try served.inputs()
        func files(_ role: GenerationInput.Role) -> [PipelineFile] {
            inputs.filter { $0.role == role }
                .map { PipelineFile(path: $0.path, content: $0.content) }
        }
        let compiled = try CompiledPipeline(
            try PipelineReader.read(files: files(.pipeline)),
            references: files(.reference)
        )
        let screen = ExplainScreen(
            header: served.header,
            detail: detail,
            explanation: compiled.classifier.explain(detail.batch),
            compiled: compiled
        )
        switch format {
        case .table: return screen.lines(showsAll: showsAll).joined(separator: "\n")
        case .json: return screen.json
        case .csv:
            throw RunError(
                .usage,
                summary: "no CSV of an explanation",
                what: "An explanation is not a table.",
                remedies: ["Use --format json."]
            )
        }
    }

    private func byRef(_ text: String, in served: ServedMart) throws -> TripDetail? {
        do {
            return try served.trip(ref: TripRef(text: text), keys: try keys())
        } catch let error as MartError where error.code == .sealBroken {
            // Not a ref of this mart: there is no such trip.
            return nil
        }
    }
}
