import Foundation
import TestSupport
import Testing
import TripDomain

@testable import TripEngine
@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// Changes that no example notices, compared with rule sets that are really changed.
@Suite struct RuleWarningsTests {
    private static func ruleSet(_ name: String) throws -> RuleSet {
        let path = Repository.path("pipelines/" + name)
        let pipeline = try PipelineReader.read(path: path)
        let folder =
            name == "county" ? path + "/reference" : Repository.path("data/reference")
        let references = try pipeline.referenceFileNames.map { file in
            PipelineFile(
                path: file,
                content: try FileText.read(folder + "/" + file, shown: file)
            )
        }
        return try CompiledPipeline(pipeline, references: references, dataThrough: nil).classifier
            .ruleSet
    }

    /// The faults that `check` finds in an edited folder, as a run and a plan name them too.
    @Test(arguments: ["owner = ", "ownr = 'VA'"])
    func examplesThatCannotBeReadAreNamedBesideOtherFaults(condition: String) throws {
        let folder = try RunFolder()
        let text = RunPipeline.text().replacing("owner = 'VA'", with: condition)
            .replacing(
                "    because: The vehicle belongs to VA.",
                with: "    because: The vehicle belongs to VA.\n    examples: [{onwer: VA}]"
            )
        try folder.write(
            "pipeline/pipeline.yaml",
            text + "\nchecks:\n  - {id: a, error_if: b < 1}\n"
        )
        let options = folder.options()
        let findings = try PipelineCheck(
            options: options,
            examinesTrips: false,
            progress: Progress()
        ).findings()
        #expect(findings.faults.count == 3)
        #expect(findings.faults.contains { $0.message.contains("there is no name `onwer`") })
        let error = #expect(throws: PipelineFaults.self) { try FolderReading(options) }
        #expect(error?.faults == findings.faults)
    }

    /// Whether the examples of the rules, except those of removed rules, are decided as stated.
    private static func areKept(
        _ changed: [RuleDefinition],
        _ ruleSet: RuleSet,
        isComplete: Bool
    ) throws -> Bool {
        let other = try RuleSet(
            definitions: changed,
            scope: ruleSet.scope,
            pickupDate: "pickup_date",
            derived: ruleSet.derived.map { ($0.name, $0.text) }
        )
        return isComplete && other.checkExamples().allSatisfy { $0.result == .asPromised }
    }

    /// Conditions with one branch removed from their text, by hand: of `a OR b` in parentheses, or
    /// of a list of words.
    private static func withoutBranches(
        _ conditions: [String]
    ) -> [(condition: Int, branch: Int, text: String)] {
        conditions.enumerated().flatMap { place, condition in
            let line = condition.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let isList = line.contains(" IN (") && !line.contains(" NOT IN ")
            let parts: [String]
            let (head, tail, joiner): (String, String, String)
            if isList, let open = line.firstIndex(of: "(") {
                head = String(line[...open])
                (tail, joiner) = (")", ", ")
                parts = line[line.index(after: open)...].dropLast().split(separator: ",")
                    .map { $0.drop { $0 == " " } }.map(String.init)
            } else {
                let isWhole = line.hasPrefix("(") && line.hasSuffix(")")
                (head, tail, joiner) = ("(", ")", " OR ")
                parts = (isWhole ? String(line.dropFirst().dropLast()) : line)
                    .components(separatedBy: " OR ")
            }
            guard parts.count > 1 else { return [(condition: Int, branch: Int, text: String)]() }
            return parts.indices.map { branch in
                var rest = parts
                rest.remove(at: branch)
                var changed = conditions
                changed[place] = head + rest.joined(separator: joiner) + tail
                return (place, branch, changed.map { "(\($0))" }.joined(separator: " AND "))
            }
        }
    }

    @Test(arguments: ["ambulance", "county", "minimal"])
    func everyUnnoticedChangeIsReported(pipeline: String) throws {
        let ruleSet = try Self.ruleSet(pipeline)
        let definitions = ruleSet.definitions
        var expected: Set<RuleMutant> = []
        for rule in definitions.indices {
            var without = definitions
            let gone = without.remove(at: rule)
            // A removed rule cannot decide its own examples.
            if try Self.areKept(without, ruleSet, isComplete: gone.decides.isEmpty) {
                expected.insert(.withoutRule(rule + 1))
            }
            let conditions = ruleSet.rules[rule].conjuncts.map(\.text)
            for place in conditions.indices where conditions.count > 1 {
                var changed = definitions
                var others = conditions
                others.remove(at: place)
                changed[rule].condition = others.map { "(\($0))" }.joined(separator: " AND ")
                if try Self.areKept(changed, ruleSet, isComplete: true) {
                    expected.insert(.withoutCondition(rule: rule + 1, condition: place))
                }
            }
            for (place, branch, condition) in Self.withoutBranches(conditions) {
                var changed = definitions
                changed[rule].condition = condition
                if try Self.areKept(changed, ruleSet, isComplete: true) {
                    expected.insert(
                        .withoutBranch(rule: rule + 1, condition: place, branch: branch)
                    )
                }
            }
            for (mutant, bound) in [
                (RuleMutant.withoutFirstDay(rule + 1), \RuleDefinition.validFrom),
                (.withoutLastDay(rule + 1), \.validTo),
            ] where definitions[rule][keyPath: bound] != nil {
                var changed = definitions
                changed[rule][keyPath: bound] = nil
                if try Self.areKept(changed, ruleSet, isComplete: true) { expected.insert(mutant) }
            }
            guard rule + 1 < definitions.count else { continue }
            var swapped = definitions
            swapped.swapAt(rule, rule + 1)
            if try Self.areKept(swapped, ruleSet, isComplete: true) {
                expected.insert(.swapped(rule + 1))
            }
        }
        let found = Set(ruleSet.unnoticedMutants(ruleSet.overlaps()))
        #expect(found.isSubset(of: expected))
        for mutant in expected.subtracting(found) {
            // The only order that is not reported is that of two rules that never both hold, that
            // agree, or whose common trips an earlier rule decides.
            guard case .swapped(let first) = mutant else {
                Issue.record("\(mutant) was not found")
                continue
            }
            for overlap in ruleSet.overlaps()
            where overlap.deciding == first && overlap.other == first + 1 {
                let isDecidedEarlier = try (1..<first).contains {
                    try Self.isTrue($0, overlap.witness, ruleSet)
                }
                #expect(isDecidedEarlier, "rules \(first) and \(first + 1)")
            }
        }
    }

    /// For a constructed trip, the rules give the claimed results.
    @Test(arguments: ["ambulance", "county", "minimal"])
    func constructedTripsGiveTheClaimedResults(pipeline: String) throws {
        let ruleSet = try Self.ruleSet(pipeline)
        for overlap in ruleSet.overlaps() {
            for rule in [overlap.deciding, overlap.other] {
                #expect(try Self.isTrue(rule, overlap.witness, ruleSet))
            }
        }
        let gap = try #require(ruleSet.gap())
        for rule in 1...ruleSet.definitions.count {
            #expect(try !Self.isTrue(rule, gap, ruleSet))
        }
    }

    /// Whether a rule holds for a trip, independent of the others.
    private static func isTrue(
        _ rule: Int,
        _ trip: [String: ExpressionValue],
        _ ruleSet: RuleSet
    ) throws -> Bool {
        var definition = ruleSet.definitions[rule - 1]
        definition.decides = [
            trip.compactMapValues { value in
                switch value {
                case .null: nil
                case .text(let text): text
                case .integer(let number): String(number)
                case .real(let number): String(number)
                }
            }
        ]
        definition.leaves = []
        return try RuleSet(
            definitions: [definition],
            scope: ruleSet.scope,
            pickupDate: "pickup_date"
        ).checkExamples().allSatisfy { $0.result == .asPromised }
    }

    @Test func rulesThatDecideEverythingLeaveNoGap() throws {
        let text = MinimalPipeline.text.replacing("owner <> 'VA'", with: "owner IS NOT 'VA'")
        let pipeline = try PipelineReader.read(
            files: [PipelineFile(path: "pipeline.yaml", content: Array(text.utf8))]
        )
        let ruleSet = try CompiledPipeline(pipeline, references: [], dataThrough: nil).classifier
            .ruleSet
        #expect(ruleSet.gap() == nil)
        #expect(ruleSet.overlaps().isEmpty)
        #expect(
            Set(ruleSet.unnoticedMutants(ruleSet.overlaps())) == [.withoutRule(1), .withoutRule(2)]
        )
    }
}
