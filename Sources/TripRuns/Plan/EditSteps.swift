import TripDomain
import TripEngine
import TripPipeline
import TripRules

/// The edits of a folder one after the other, so that the effect of each on the trips can be told
/// apart.
///
/// First come reference files, then look-ups and labels, derived fields, what is counted, and
/// rules: an edit may need one before it, and hardly ever one after it. Where a state between two
/// edits cannot be compiled, the edit is taken together with the next.
struct EditSteps: Sendable {
    /// The maximum number of steps; beyond it, edits of one kind are taken together.
    ///
    /// Every trip that moves is classified again in each step.
    static let limit = 6

    /// The kind of thing a step edits.
    enum Subject: String, Sendable {
        /// Reference files.
        case reference
        /// Rules, derived fields, look-ups, labels, or what is counted.
        case rules
        /// Overrides that were not edited: they expired with newer data, or are in force again.
        case expiry
        /// Several of these, taken together.
        case both
    }

    /// The edit of each step.
    let names: [String]
    /// The kind of thing each step edits.
    let subjects: [Subject]
    /// The classifier after each step but the last, after which it is the folder's.
    let classifiers: [TripClassifier]

    /// Divides the difference between a generation's folder and the current one into steps.
    ///
    /// - Parameters:
    ///   - kept: The inputs that the generation stores.
    ///   - folder: The folder.
    ///   - edits: The differences.
    ///   - dataThrough: The last day of the trips, before and now: overrides expire by it.
    init(
        _ kept: FolderReading.Kept,
        _ folder: FolderReading,
        _ edits: FolderEdits,
        dataThrough: (before: CivilDate?, now: CivilDate?)
    ) {
        let groups = Self.fewer(
            Self.groups(kept, folder, edits) + [Self.expiry(folder, dataThrough)]
        )
        let steps = groups.flatMap { group in group.steps.map { (group.subject, $0) } }
        var state = State(kept, folder, dataThrough: dataThrough.before)
        var names: [String] = []
        var subjects: [Subject] = []
        var classifiers: [TripClassifier] = []
        var pending: [String] = []
        var about: Set<Subject> = []
        for (subject, step) in steps.dropLast() {
            step.apply(&state)
            pending.append(step.name)
            about.insert(subject)
            // A state that cannot be compiled is taken together with the next one.
            let compiled = try? CompiledPipeline(
                state.pipeline,
                references: state.references,
                dataThrough: state.dataThrough,
                rulesBeside: kept.pipeline.rules + folder.pipeline.rules
            )
            guard let compiled else { continue }
            names.append(pending.joined(separator: ", "))
            subjects.append(Self.subject(about))
            classifiers.append(compiled.classifier)
            pending = []
            about = []
        }
        if let (subject, step) = steps.last {
            names.append((pending + [step.name]).joined(separator: ", "))
            subjects.append(Self.subject(about.union([subject])))
        }
        self.names = names
        self.subjects = subjects
        self.classifiers = classifiers
    }

    /// The subject of edits that are taken together.
    private static func subject(_ subjects: Set<Subject>) -> Subject {
        subjects.count == 1 ? subjects.first ?? .both : .both
    }

    /// The inputs of a decision after some of the steps.
    struct State {
        var pipeline: PipelineDefinition
        var references: [PipelineFile]
        var dataThrough: CivilDate?

        /// Starts with the generation's inputs; reference files that only the folder names have no
        /// effect yet.
        init(_ kept: FolderReading.Kept, _ folder: FolderReading, dataThrough: CivilDate?) {
            pipeline = kept.pipeline
            self.dataThrough = dataThrough
            references =
                kept.references
                + folder.references.filter { file in
                    !kept.references.contains { $0.path == file.path }
                }
        }
    }

    /// One edit, or several that are taken together.
    struct Step {
        let name: String
        let apply: (inout State) -> Void
    }

    /// Edits of one kind, one after the other.
    struct Group {
        /// The name of all of them together.
        let name: String
        let subject: Subject
        var steps: [Step]

        /// The same as one step.
        var together: Group {
            let steps = steps
            return Group(
                name: name,
                subject: subject,
                steps: [Step(name: name) { for step in steps { step.apply(&$0) } }]
            )
        }
    }

    /// Takes the largest groups together until there are few enough steps.
    private static func fewer(_ all: [Group]) -> [Group] {
        var groups = all.filter { !$0.steps.isEmpty }
        while groups.reduce(0, { $0 + $1.steps.count }) > limit {
            let largest = groups.indices.max { groups[$0].steps.count < groups[$1].steps.count }
            if let largest, groups[largest].steps.count > 1 {
                groups[largest] = groups[largest].together
                continue
            }
            let files = groups.filter { $0.subject == .reference }
            guard files.count > 1 else { break }
            let name = "\(Counted.text(files.count, "reference file"))"
            let merged = Group(name: name, subject: .reference, steps: files.flatMap(\.steps))
            groups = [merged.together] + groups.filter { $0.subject != .reference }
        }
        return groups
    }

    private static func groups(
        _ kept: FolderReading.Kept,
        _ folder: FolderReading,
        _ edits: FolderEdits
    ) -> [Group] {
        let now = folder.pipeline
        let (before, after) = (kept.pipeline.rules, now.rules)
        let rules = edits.parts.contains("rules") ? rules(before, after) : []
        return references(kept, folder, edits) + [
            Group(
                name: "look-ups and labels",
                subject: .rules,
                steps: Set(["lookups", "dimensions"]).isDisjoint(with: edits.parts)
                    ? []
                    : [
                        Step(name: "look-ups and labels") { state in
                            state.pipeline.lookups = now.lookups
                            state.pipeline.lookupPositions = now.lookupPositions
                            state.pipeline.undatedLookups = now.undatedLookups
                            state.pipeline.labels = now.labels
                        }
                    ]
            ),
            Group(
                name: "derived fields",
                subject: .rules,
                steps: edits.parts.contains("derived")
                    ? [Step(name: "derived fields") { $0.pipeline.derived = now.derived }] : []
            ),
            Group(
                name: "kpis",
                subject: .rules,
                steps: edits.parts.contains("kpis")
                    ? [Step(name: "kpis") { $0.pipeline.kpis = now.kpis }] : []
            ),
            Group(
                name: "rules (\(Counted.text(rules.count, "edit")))",
                subject: .rules,
                steps: rules
            ),
            overrides(kept.pipeline, now, edits),
        ]
    }

    /// The rows of each file that exists before and now; after the last step the file is the
    /// folder's.
    private static func references(
        _ kept: FolderReading.Kept,
        _ folder: FolderReading,
        _ edits: FolderEdits
    ) -> [Group] {
        folder.references.compactMap { file in
            guard let index = kept.references.firstIndex(where: { $0.path == file.path }),
                let own = edits.references[file.path]
            else { return nil }
            let count = max(1, own.rowCount)
            let name = "\(file.path) (\(Counted.text(count, "row")))"
            let last = Step(name: count == 1 ? own.all[0] : name) { $0.references[index] = file }
            // A file with very many edits is never divided into rows.
            guard (2...limit).contains(count) else {
                return Group(name: name, subject: .reference, steps: [last])
            }
            let rows = (1..<count).map { number in
                Step(name: own.all[number - 1]) { state in
                    let content = own.content(after: number)
                    state.references[index] = PipelineFile(path: file.path, content: content)
                }
            }
            let end = Step(name: own.all[count - 1], apply: last.apply)
            return Group(name: name, subject: .reference, steps: rows + [end])
        }
    }

    /// The steps for rules: first the changed rules, in their old positions; then the removed ones,
    /// the added ones, and last the new order.
    private static func rules(_ before: [RuleText], _ now: [RuleText]) -> [Step] {
        func step(
            _ rule: RuleText,
            _ what: String,
            _ apply: @escaping (inout [RuleText]) -> Void
        ) -> Step {
            Step(name: "\(rule.when.file):\(rule.when.line): rule \(rule.id) \(what)") {
                apply(&$0.pipeline.rules)
            }
        }
        var steps: [Step] = []
        for rule in now {
            guard let old = before.first(where: { $0.id == rule.id }),
                !FolderEdits.differences(old, rule).isEmpty
            else { continue }
            steps.append(
                step(rule, "changed") { rules in
                    rules = rules.map { $0.id == rule.id ? rule : $0 }
                }
            )
        }
        for rule in before where !now.contains(where: { $0.id == rule.id }) {
            steps.append(
                Step(name: "\(rule.when.file): rule \(rule.id) removed") { state in
                    state.pipeline.rules.removeAll { $0.id == rule.id }
                }
            )
        }
        var order = before.map(\.id).filter { id in now.contains { $0.id == id } }
        for (index, rule) in now.enumerated() where !order.contains(rule.id) {
            // After the nearest rule in front of it that is already in the list.
            let front = now[..<index].last { order.contains($0.id) }?.id
            let position = front.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            order.insert(rule.id, at: position)
            steps.append(step(rule, "added") { $0.insert(rule, at: position) })
        }
        if order != now.map(\.id) {
            steps.append(
                Step(name: "rules in another order") { $0.pipeline.rules = now }
            )
        }
        return steps
    }
}

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
