import TripDomain
import TripEngine
import TripPipeline
import TripRules

extension EditSteps {
    /// The decisions made by hand, one step for each line; after the last step the list is the
    /// folder's.
    static func overrides(
        _ before: PipelineDefinition,
        _ now: PipelineDefinition,
        _ edits: FolderEdits
    ) -> Group {
        let file = now.overrides
        let kept = file ?? before.overrides
        guard let own = edits.overrides, own.rowCount > 1, let path = kept?.path else {
            let steps = edits.overrides.map { own in
                [
                    Step(name: own.all.first ?? "overrides") { state in
                        state.pipeline.overrides = file
                    }
                ]
            }
            return Group(name: "overrides", subject: .rules, steps: steps ?? [])
        }
        let count = own.rowCount
        let name = "\(path) (\(Counted.text(count, "override")))"
        let last = Step(name: own.all[count - 1]) { $0.pipeline.overrides = file }
        guard count <= limit else {
            let together = Step(name: name, apply: last.apply)
            return Group(name: name, subject: .rules, steps: [together])
        }
        let lines = (1..<count).map { number in
            Step(name: own.all[number - 1]) { state in
                // A list that can be read can still be read after some of its lines are removed.
                state.pipeline.overrides = try? OverrideFile(
                    path: path,
                    content: own.content(after: number)
                )
            }
        }
        return Group(name: name, subject: .rules, steps: lines + [last])
    }

    /// Overrides that were not edited, but that expired with newer data, or are in force again.
    static func expiry(
        _ folder: FolderReading,
        _ dataThrough: (before: CivilDate?, now: CivilDate?)
    ) -> Group {
        let list = try? folder.pipeline.overrides?.list(folder.pipeline.rules)
        // A folder that is compared has been read, so its list can be read.
        let overrides = list?.overrides ?? []
        let expired = overrides.count {
            $0.isInForce(dataThrough.before) && !$0.isInForce(dataThrough.now)
        }
        // Before the first trip no override was in force, so none is in force again.
        let returned =
            dataThrough.before == nil
            ? 0
            : overrides.count {
                !$0.isInForce(dataThrough.before) && $0.isInForce(dataThrough.now)
            }
        let path = folder.pipeline.overrides?.path ?? ""
        let name =
            expired > 0
            ? "\(path): \(Counted.text(expired, "override")) expired"
            : "\(path): \(Counted.text(returned, "override")) in force again"
        let step = Step(name: name) { $0.dataThrough = dataThrough.now }
        return Group(
            name: name,
            subject: .expiry,
            steps: expired + returned > 0 ? [step] : []
        )
    }
}
