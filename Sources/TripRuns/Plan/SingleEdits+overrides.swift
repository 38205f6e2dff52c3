import TripDomain
import TripPipeline
import TripRules

/// Decisions made by hand.
extension SingleEdits {
    /// The decisions made by hand, one edit for each line.
    static func overrides(
        _ before: PipelineDefinition,
        _ now: PipelineDefinition,
        _ edits: FolderEdits
    ) -> Group {
        guard let own = edits.overrides, own.rowCount > 0,
            let path = (now.overrides ?? before.overrides)?.path
        else {
            let whole = edits.overrides.map { own in
                Edit(name: own.all.first ?? "overrides") { $0.pipeline.overrides = now.overrides }
            }
            return Group(name: "overrides", subject: .rules, edits: [whole].compactMap(\.self))
        }
        let count = own.rowCount
        let name = "\(path) (\(Counted.text(count, "override")))"
        guard count <= limit else {
            let together = Edit(name: name) { $0.overrideLines = Set(0..<count) }
            return Group(name: name, subject: .rules, edits: [together])
        }
        let lines = (0..<count).map { line in
            Edit(name: own.all[line]) { $0.overrideLines.insert(line) }
        }
        return Group(name: name, subject: .rules, edits: lines)
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
        let edit = Edit(name: name) { $0.dataThrough = dataThrough.now }
        return Group(
            name: name,
            subject: .expiry,
            edits: expired + returned > 0 ? [edit] : []
        )
    }
}
