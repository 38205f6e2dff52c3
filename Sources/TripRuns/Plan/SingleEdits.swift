import TripDomain
import TripEngine
import TripPipeline
import TripRules

/// The edits of a folder, each made alone, so that the effect of each on the trips can be told
/// apart from what several do only together.
///
/// An edit that cannot be compiled alone is taken together with the nearest one with which it can:
/// a rule with the field that it reads, a row that begins with the row that ends before it.
struct SingleEdits: Sendable {
    /// The maximum number of edits that are told apart; beyond it, those of one kind are taken
    /// together.
    ///
    /// Every trip that some edit reaches is classified once for each.
    static let limit = 6

    /// The kind of thing that is edited.
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

    /// The names of the edits.
    let names: [String]
    /// The kind of thing that each edits.
    let subjects: [Subject]
    /// The classifier with each edit alone; empty where there is one, since it is the folder's.
    let classifiers: [TripClassifier]
    /// The trips that they reach; nil where it may be any trip.
    let reach: EditReach?

    /// Divides the difference between a generation's folder and the current one into edits.
    ///
    /// - Parameters:
    ///   - kept: The inputs that the generation stores.
    ///   - folder: The folder.
    ///   - classifier: The folder's classifier.
    ///   - edits: The differences.
    ///   - dataThrough: The last day of the trips, before and now: overrides expire by it.
    init(
        _ kept: FolderReading.Kept,
        _ folder: FolderReading,
        _ classifier: TripClassifier,
        _ edits: FolderEdits,
        dataThrough: (before: CivilDate?, now: CivilDate?)
    ) {
        let groups = Self.fewer(
            Self.groups(kept, folder, edits) + [Self.expiry(folder, dataThrough)]
        )
        let all = groups.flatMap { group in group.edits.map { (group.subject, $0) } }
        let base = State(kept, folder, edits, dataThrough: dataThrough.before)
        func compiled(_ indexes: [Int]) -> TripClassifier? {
            var state = base
            for index in indexes { all[index].1.apply(&state) }
            return state.classifier(rulesBeside: kept.pipeline.rules + folder.pipeline.rules)
        }
        let parts = Self.parts(all.count, compiled)
        names = parts.map { part in part.indexes.map { all[$0].1.name }.joined(separator: ", ") }
        subjects = parts.map { part in Self.subject(Set(part.indexes.map { all[$0].0 })) }
        classifiers = parts.count > 1 ? parts.compactMap(\.classifier) : []
        let isNameEdited = !Set(["lookups", "derived"]).isDisjoint(with: edits.parts)
        // An override that comes into force by a newer day may be removed by an edit of its line.
        let isOverrideTwice = subjects.contains(.expiry) && edits.overrides != nil
        reach =
            parts.count < 2 || isNameEdited || isOverrideTwice
            ? nil
            : compiled([]).flatMap {
                EditReach(
                    $0,
                    classifier,
                    rules: edits.decidingRules,
                    files: Set(edits.references.keys)
                )
            }
    }

    /// Edits that are measured together: one, or several of which one cannot be compiled alone.
    private struct Part {
        var indexes: [Int]
        let classifier: TripClassifier?
    }

    /// Puts edits together until each part can be compiled, or only one part is left.
    ///
    /// - Parameters:
    ///   - count: The number of edits.
    ///   - compiled: The classifier with some of the edits; nil where it cannot be compiled.
    /// - Returns: The parts, in the order of their first edits.
    private static func parts(
        _ count: Int,
        _ compiled: ([Int]) -> TripClassifier?
    ) -> [Part] {
        guard count > 1 else { return (0..<count).map { Part(indexes: [$0], classifier: nil) } }
        var parts = (0..<count).map { Part(indexes: [$0], classifier: compiled([$0])) }
        while parts.count > 1, let faulty = parts.firstIndex(where: { $0.classifier == nil }) {
            // An edit may need one that stands before it, and hardly ever one after it.
            let others = Array((0..<faulty).reversed()) + Array(parts.indices.dropFirst(faulty + 1))
            var (partner, pair) = (others[0], parts[faulty])
            for other in others + [others[0]] where pair.classifier == nil {
                let indexes = (parts[faulty].indexes + parts[other].indexes).sorted()
                (partner, pair) = (other, Part(indexes: indexes, classifier: compiled(indexes)))
            }
            parts[min(faulty, partner)] = pair
            parts.remove(at: max(faulty, partner))
        }
        return parts
    }

    /// The subject of edits that are taken together.
    private static func subject(_ subjects: Set<Subject>) -> Subject {
        subjects.count == 1 ? subjects.first ?? .both : .both
    }

    /// The inputs of a decision with some of the edits.
    struct State {
        var pipeline: PipelineDefinition
        var dataThrough: CivilDate?
        /// The edits of rows that are made, by the index of the reference file.
        var rows: [Int: Set<Int>] = [:]
        /// The edits that are made of the lines of overrides.
        var overrideLines: Set<Int> = []
        private var references: [PipelineFile]
        private let folder: FolderReading
        private let edits: FolderEdits

        /// Starts with the generation's inputs; reference files that only the folder names have no
        /// effect yet.
        init(
            _ kept: FolderReading.Kept,
            _ folder: FolderReading,
            _ edits: FolderEdits,
            dataThrough: CivilDate?
        ) {
            pipeline = kept.pipeline
            self.folder = folder
            self.edits = edits
            self.dataThrough = dataThrough
            references =
                kept.references
                + folder.references.filter { file in
                    kept.references.file(file.path) == nil
                }
        }

        /// The classifier of these inputs; nil where they cannot be compiled.
        func classifier(rulesBeside: [RuleText]) -> TripClassifier? {
            var (pipeline, references) = (pipeline, references)
            for (index, made) in rows {
                let path = references[index].path
                guard let own = edits.references[path] else { continue }
                // With all its edits the file is the folder's, byte for byte.
                let whole = folder.references.file(path)
                let content = made.count < own.rowCount ? own.content(with: made) : whole?.content
                references[index] = PipelineFile(path: path, content: content ?? [])
            }
            if !overrideLines.isEmpty, let own = edits.overrides {
                let file = folder.pipeline.overrides
                // A list that can be read can still be read after some of its lines are removed.
                pipeline.overrides =
                    overrideLines.count < own.rowCount
                    ? (file ?? pipeline.overrides).flatMap {
                        try? OverrideFile(path: $0.path, content: own.content(with: overrideLines))
                    } : file
            }
            // An edit that needs another one is measured together with it.
            return try? CompiledPipeline(
                pipeline,
                references: references,
                dataThrough: dataThrough,
                rulesBeside: rulesBeside
            ).classifier
        }
    }

    /// One edit, or several that are taken together; it can be made with or without any other.
    struct Edit {
        let name: String
        let apply: (inout State) -> Void
    }

    /// Edits of one kind.
    struct Group {
        /// The name of all of them together.
        let name: String
        let subject: Subject
        var edits: [Edit]

        /// The same as one edit.
        var together: Group {
            let edits = edits
            return Group(
                name: name,
                subject: subject,
                edits: [Edit(name: name) { for edit in edits { edit.apply(&$0) } }]
            )
        }
    }

    /// Takes the largest groups together until there are few enough edits.
    private static func fewer(_ all: [Group]) -> [Group] {
        var groups = all.filter { !$0.edits.isEmpty }
        while groups.reduce(0, { $0 + $1.edits.count }) > limit {
            let largest = groups.indices.max { groups[$0].edits.count < groups[$1].edits.count }
            if let largest, groups[largest].edits.count > 1 {
                groups[largest] = groups[largest].together
                continue
            }
            let files = groups.filter { $0.subject == .reference }
            guard files.count > 1 else { break }
            let name = "\(Counted.text(files.count, "reference file"))"
            let merged = Group(name: name, subject: .reference, edits: files.flatMap(\.edits))
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
        func part(
            _ name: String,
            _ keys: Set<String>,
            _ apply: @escaping (inout State) -> Void
        )
            -> Group
        {
            let isEdited = !keys.isDisjoint(with: edits.parts)
            return Group(
                name: name,
                subject: .rules,
                edits: isEdited ? [Edit(name: name, apply: apply)] : []
            )
        }
        let rules = edits.parts.contains("rules") ? rules(kept.pipeline.rules, now.rules) : []
        return references(kept, folder, edits) + [
            part("look-ups and labels", ["lookups", "dimensions"]) { state in
                state.pipeline.lookups = now.lookups
                state.pipeline.lookupPositions = now.lookupPositions
                state.pipeline.undatedLookups = now.undatedLookups
                state.pipeline.labels = now.labels
            },
            part("derived fields", ["derived"]) { $0.pipeline.derived = now.derived },
            part("kpis", ["kpis"]) { $0.pipeline.kpis = now.kpis },
            Group(
                name: "rules (\(Counted.text(rules.count, "edit")))",
                subject: .rules,
                edits: rules
            ),
            overrides(kept.pipeline, now, edits),
        ]
    }

    /// The rows of each file that exists before and now.
    private static func references(
        _ kept: FolderReading.Kept,
        _ folder: FolderReading,
        _ edits: FolderEdits
    ) -> [Group] {
        folder.references.compactMap { file in
            guard let index = kept.references.index(of: file.path),
                let own = edits.references[file.path]
            else { return nil }
            let count = max(1, own.rowCount)
            let name = "\(file.path) (\(Counted.text(count, "row")))"
            // A file with very many edits is never divided into rows.
            guard (2...limit).contains(count) else {
                let whole = Edit(name: count == 1 ? own.all[0] : name) { state in
                    state.rows[index] = Set(0..<own.rowCount)
                }
                return Group(name: name, subject: .reference, edits: [whole])
            }
            let rows = (0..<count).map { row in
                Edit(name: own.all[row]) { $0.rows[index, default: []].insert(row) }
            }
            return Group(name: name, subject: .reference, edits: rows)
        }
    }
}
