import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The decision by which a trip's class is explained.
public enum ExplainedDecision: Sendable {
    /// By the generation that is served.
    case served
    /// By an older generation whose trips are still kept.
    case generation(Int)
    /// By the edits of a saved plan, named by its file or the first digits of its id.
    case plan(String)
}

extension MartQueries {
    /// `explain`: why a trip is in-house, contracted or undetermined.
    ///
    /// - Parameters:
    ///   - trip: A trip id or a trip ref.
    ///   - decision: The decision to explain.
    /// - Returns: The explanation.
    /// - Throws: `MartError` where nothing is published, or where there is no such generation or
    ///   plan; ``RunError`` where there is no such trip.
    public func explain(
        _ trip: String,
        by decision: ExplainedDecision = .served
    ) throws -> TripExplanation {
        var plan: PlanBinding?
        if case .plan(let name) = decision {
            plan = try ApprovedPlan.open(name, martPath: folder.path).binding
        }
        guard case .served = decision else {
            let generation = try generation(decision, plan)
            if let plan { try require(plan, madeFor: generation) }
            return try explain(trip, by: plan, in: generation)
        }
        return try answer { try explain(trip, by: nil, in: $0) }
    }

    private func explain(
        _ trip: String,
        by plan: PlanBinding?,
        in served: ServedMart
    ) throws -> TripExplanation {
        let detail = try detail(trip, in: served)
        let inputs = try plan?.inputs ?? served.inputs()
        let compiled = try CompiledPipeline(
            try PipelineReader.read(files: inputs.pipelineFiles),
            references: inputs.referenceFiles,
            dataThrough: served.header.dataThrough
        )
        guard compiled.classifier.readsFields(of: served.shape) else { throw served.damaged }
        let override = ExplainedOverride(
            detail.summary.tripID,
            compiled.classifier,
            dataThrough: served.header.dataThrough
        )
        let rules = compiled.classifier.explain(detail.batch)
        if let location = served.location, plan == nil {
            let byHand = override.flatMap { one in
                one.isInForce ? Int(compiled.classifier.ruleNumber(of: one.override)) : nil
            }
            guard Int(detail.batch.ruleNumbers[0]) == byHand ?? rules.decidingRule else {
                throw RunError.otherTrips(
                    location,
                    served.header.number,
                    "with a rule other than the one that its values have in the rules that"
                )
            }
        }
        return TripExplanation(
            header: served.header,
            detail: detail,
            planned: plan.map { PlannedTrip($0, detail, compiled.classifier) },
            override: override,
            rules: rules,
            compiled: compiled,
            martFlags: martFlags
        )
    }

    /// The trip of an id or ref, also as a CSV file names it: with an apostrophe before a character
    /// that begins a formula.
    private func detail(_ trip: String, in served: ServedMart) throws -> TripDetail {
        let names = trip.hasPrefix("'") ? [trip, String(trip.dropFirst())] : [trip]
        for name in names {
            let found =
                if let location = served.location {
                    try elsewhere(name, location, in: served)
                } else {
                    try served.trip(id: name) ?? byRef(name, in: served)
                }
            if let found { return found }
        }
        throw noTrip(trip, served.location == nil ? try served.versions(trip) : [], in: served)
    }

    /// Why there is no trip of an id.
    ///
    /// - Parameters:
    ///   - trip: The id or ref.
    ///   - versions: The records of this id that count no more: lines of claims.
    ///   - served: The generation.
    /// - Returns: The error.
    private func noTrip(
        _ trip: String,
        _ versions: [StoredVersion],
        in served: ServedMart
    ) -> RunError {
        let generation = "Generation \(served.header.number)"
        let listing =
            "List the trips: " + (served.location?.query ?? "triptych trips\(martFlags)")
        let last = versions.last { $0.term == .withdrawn || $0.term == .superseded }
        guard let last = last ?? versions.last else {
            return RunError(
                .notFound,
                summary: "no such trip",
                what: "\(generation) has no trip of this id or ref.",
                remedies: Self.escaping(trip)
                    + [listing, "It may have been rejected: triptych rejects\(martFlags)"]
            )
        }
        let fate =
            switch last.term {
            case .withdrawn: "its claim was voided, or its amount was taken back"
            case .superseded: "its claim was replaced"
            default: "it is a line that another record repeats"
            }
        return RunError(
            .notFound,
            summary: "no such trip any more",
            what: "\(generation) counts no trip of this id: \(fate). The last record of it is in "
                + "\(last.position.text), as \(last.term.rawValue).",
            remedies: [
                listing, "See docs/PIPELINE.md#lines-of-claims, and the table trip_version.",
            ]
        )
    }

    /// What to write where an id that is a place in a file was typed without its backslashes.
    private static func escaping(_ trip: String) -> [String] {
        let parts = trip.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 2, !trip.contains("\\"), let record = parts.last else { return [] }
        let path = parts.dropLast().joined(separator: "\\:")
        return [
            "Where the id is the place of a record, a colon in the path of its file has a "
                + "backslash before it: \(ShellWord.quoted("\(path):\(record)"))"
        ]
    }

    /// Refuses a plan of another mart, even where its generation has the same number.
    private func require(_ plan: PlanBinding, madeFor served: ServedMart) throws {
        let changes = try plan.changes(since: served)
        guard plan.pipeline == served.header.pipeline, changes.isEmpty else {
            throw RunError(
                .planMismatch,
                summary: "the plan is about other trips",
                what: "Plan \(plan.id) of the pipeline \(plan.pipeline) was not made from this "
                    + "generation \(served.header.number).",
                remedies: ["Name the mart it was made for with --mart, or compute the plan again."]
            )
        }
    }

    /// The generation whose trip is explained.
    private func generation(
        _ decision: ExplainedDecision,
        _ plan: PlanBinding?
    ) throws -> ServedMart {
        let number: Int
        switch decision {
        case .served: return try ServedMart.open(folder)
        case .generation(let asked): number = asked
        case .plan: number = plan?.generation ?? 0
        }
        let kept = try folder.generationNumbers()
        // Where nothing is published, opening fails with that message.
        guard !kept.isEmpty else { return try ServedMart.open(folder) }
        guard kept.contains(number) else {
            throw try RunError.tripsNotKept(
                number,
                folder,
                remedy: "Explain the trip as it is now: leave out --at and --plan."
            )
        }
        return try ServedMart.open(folder, generation: number)
    }

    private func byRef(_ text: String, in served: ServedMart) throws -> TripDetail? {
        do {
            return try served.trip(ref: TripRef(text: text), keys: try keys())
        } catch let error as MartError where error.code == .sealBroken {
            // It is not a ref of this mart, so there is no such trip.
            return nil
        }
    }
}
