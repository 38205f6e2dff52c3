import TripDomain
import TripEngine
public import TripRules

extension RuleText {
    /// An example in words.
    ///
    /// - Parameters:
    ///   - promise: What it promises.
    ///   - index: Its index among the rule's examples of that promise, from 0.
    /// - Returns: Such as "example 1 of `decides` of `own`".
    public func example(_ promise: ExampleOutcome.Promise, _ index: Int) -> String {
        "example \(index + 1) of `\(promise.rawValue)` of `\(id)`"
    }
}

extension TripClassifier {
    /// Adds the examples that cannot be read, where other faults keep the rules from being tried.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - lookups: Its lookups, loaded.
    ///   - found: The faults so far; where a name could not be read, an example may be right.
    static func noteExamples(
        of pipeline: PipelineDefinition,
        lookups: [LookupIndex],
        _ found: FaultList
    ) {
        var ignored: [ClassifierFault] = []
        let names = compile(
            fieldColumns: pipeline.fieldColumns,
            lookups: lookups,
            derived: pipeline.derived.map { ($0.name, $0.expression.text) },
            countWhen: nil,
            rules: [],
            costName: pipeline.costColumn,
            faults: &ignored
        )
        guard found.areAllNamesRead, let names else { return }
        let codes = pipeline.codeFields
        // A look-up that is gone is named by the rules that ask it; each example adds nothing.
        let told = found.faults.map(\.message)
        func isTold(_ name: String) -> Bool {
            let lookup = name.prefix { $0 != "." }
            return told.contains { $0.contains("there is no lookup `\(lookup)`") }
        }
        for rule in pipeline.rules {
            let lists: [(ExampleOutcome.Promise, [[String: String?]])] = [
                (.decides, rule.decides), (.leaves, rule.leaves),
            ]
            for (promise, examples) in lists {
                for (index, example) in examples.enumerated()
                where !example.keys.contains(where: isTold) {
                    let stored = Self.stored(example, codes: codes)
                    guard let why = names.ruleSet.objection(to: stored) else { continue }
                    found.note(
                        PipelineFault(
                            file: rule.when.file,
                            line: rule.when.line,
                            message: rule.example(promise, index) + " cannot be read: \(why)"
                        )
                    )
                }
            }
        }
    }

    /// An example with its lists of codes in the form in which trips store them.
    static func stored(
        _ example: [String: String?],
        codes: Set<String>
    ) -> [String: String?] {
        var stored = example
        for name in codes {
            guard case .some(.some(let text)) = example[name] else { continue }
            // PipelineConsistency has refused texts that are no list of codes.
            let list: String? = CodeList.codes(text)
            stored.updateValue(list, forKey: name)
        }
        return stored
    }
}
