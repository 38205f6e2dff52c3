internal import TripDomain

/// The outcome of one example of a rule.
public struct ExampleOutcome: Sendable, Hashable {
    /// What an example promises.
    public enum Promise: String, Sendable {
        /// The rule decides the trip.
        case decides
        /// The rule leaves the trip to others.
        case leaves
    }

    /// The result of running the example.
    public enum Result: Sendable, Hashable {
        /// As promised.
        case asPromised
        /// Another rule decided than promised; 0 where none did.
        case decidedBy(ruleNumber: Int)
        /// The example cannot be read; one sentence says why.
        case unreadable(String)
    }

    /// The rule's number, from 1.
    public let ruleNumber: Int
    /// What the example promises.
    public let promise: Promise
    /// Its index among the rule's examples of that promise, from 0.
    public let index: Int
    /// The result of running the example.
    public let result: Result
}

extension RuleSet {
    /// Runs the examples of all rules against the whole rule set.
    ///
    /// - Returns: An outcome per example, in the order of the rules.
    public func checkExamples() -> [ExampleOutcome] {
        var positions: [(rule: Int, promise: ExampleOutcome.Promise, index: Int)] = []
        var readings: [Result<[ExpressionValue], ExampleFault>] = []
        for rule in rules {
            let lists: [(ExampleOutcome.Promise, [[String: String?]])] = [
                (.decides, rule.definition.decides), (.leaves, rule.definition.leaves),
            ]
            for (promise, examples) in lists {
                for (index, example) in examples.enumerated() {
                    positions.append((rule.number, promise, index))
                    readings.append(read(example))
                }
            }
        }
        let trips = readings.compactMap { reading in
            if case .success(let trip) = reading { trip } else { nil }
        }
        var decided = classifyFlat(FlatTrips.frame(trips, flatScope)).ruleNumbers[...]
        return zip(positions, readings).map { position, reading in
            let result: ExampleOutcome.Result
            switch reading {
            case .failure(let fault): result = .unreadable(fault.message)
            case .success:
                let number = Int(decided.removeFirst())
                let isKept = (number == position.rule) == (position.promise == .decides)
                result = isKept ? .asPromised : .decidedBy(ruleNumber: number)
            }
            return ExampleOutcome(
                ruleNumber: position.rule,
                promise: position.promise,
                index: position.index,
                result: result
            )
        }
    }

    /// Why an example cannot be read, whichever rule it belongs to.
    ///
    /// - Parameter example: The values by name.
    /// - Returns: One sentence; nil where it can be read.
    public func objection(to example: [String: String?]) -> String? {
        if case .failure(let fault) = read(example) { fault.message } else { nil }
    }

    /// Why an example cannot be read.
    struct ExampleFault: Error {
        let message: String
    }

    /// The values of an example, per column of the flattened scope.
    func read(_ example: [String: String?]) -> Result<[ExpressionValue], ExampleFault> {
        var values = [ExpressionValue](repeating: .null, count: flatScope.columns.count)
        // The names are read in order, so that the same fault is reported every time.
        for (name, text) in example.sorted(by: { $0.key < $1.key }) {
            guard let index = flatScope.columnIndex(name) else {
                let near = NearestName.suggestion(name, among: flatScope.columns.map(\.name))
                return .failure(
                    ExampleFault(
                        message: "there is no name `\(name)`" + (near.map { "; \($0)" } ?? "")
                    )
                )
            }
            let kind = flatScope.columns[index].kind
            guard kind != .patient else {
                return .failure(
                    ExampleFault(message: "`\(name)` identifies a patient and is never readable")
                )
            }
            guard let text else { continue }
            guard let value = Self.value(text, kind) else {
                return .failure(
                    ExampleFault(message: "`\(name)` is '\(text)'; \(Self.wanted(kind))")
                )
            }
            values[index] = value
        }
        return .success(deriving(values, given: Set(example.keys)))
    }

    /// Computes the derived fields that an example does not name, where it names what they read.
    ///
    /// A derived field of which the example says nothing stays NULL.
    private func deriving(
        _ values: [ExpressionValue],
        given: Set<String>
    ) -> [ExpressionValue] {
        var (values, known) = (values, given)
        for field in derived
        where !known.contains(field.name) && !known.isDisjoint(with: field.program.namesUsed) {
            let column = field.program.evaluate(FlatTrips.frame([values], flatScope)).column
            values[field.index] = FlatTrips.value(
                TripClassifier.filled(column, for: field.name),
                field.kind,
                0
            )
            known.insert(field.name)
        }
        return values
    }

    private static func value(_ text: String, _ kind: ColumnKind) -> ExpressionValue? {
        switch kind {
        case .text, .patient: return .text(text)
        case .integer, .money, .miles: return Int64(text).map { .integer($0) }
        case .boolean: return text == "0" || text == "1" ? .integer(text == "1" ? 1 : 0) : nil
        case .decimal:
            let isPlain = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            return isPlain ? Double(text).map { .real($0) } : nil
        case .date, .timestamp:
            return FlatTrips.stored(.text(text), kind).map { _ in .text(text) }
        }
    }

    private static func wanted(_ kind: ColumnKind) -> String {
        switch kind {
        case .text, .patient: "any text is taken"
        case .integer: "a whole number is expected"
        case .money: "whole cents are expected"
        case .miles: "whole hundredths of a mile are expected"
        case .boolean: "0 or 1 is expected"
        case .decimal: "a number is expected"
        case .date: "a day is expected, as YYYY-MM-DD"
        case .timestamp: "a local time is expected, as YYYY-MM-DD HH:MM:SS"
        }
    }
}
