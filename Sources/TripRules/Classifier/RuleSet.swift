public import TripDomain

/// An ordered list of dated rules made ready to run: the first that holds decides.
public struct RuleSet: Sendable {
    /// The rule that decided each trip of a batch.
    public struct Decisions: Sendable {
        /// The number of the deciding rule per trip, from 1; 0 where none held.
        public let ruleNumbers: [UInt16]
        /// How often a rule was asked about a trip and its answer rested on a sum that left 64
        /// bits, which counts as NULL.
        public let overflowCount: Int
    }

    /// One rule with its programs.
    struct Rule: Sendable {
        let number: Int
        let definition: RuleDefinition
        /// Runs on batches, its look-ups computed.
        let program: Program
        /// Runs on trips given by their values alone.
        let flatProgram: Program
        let conjuncts: [Conjunct]
        let validity: DayRange
    }

    /// One of the conditions that AND joins at a rule's top.
    struct Conjunct: Sendable {
        let text: String
        let syntax: Syntax
        let program: Program
    }

    /// A rule's pick-up days, both inclusive.
    struct DayRange: Sendable {
        let from: Int64
        let to: Int64
        var isUnbounded: Bool { from == .min && to == .max }
    }

    /// A derived field, computed for trips that are given by their values alone.
    struct FlatField: Sendable {
        let name: String
        let text: String
        let index: Int
        let kind: ColumnKind
        let program: Program
    }

    /// The rules as written.
    public let definitions: [RuleDefinition]
    let scope: ExpressionScope
    let flatScope: ExpressionScope
    let rules: [Rule]
    let pickupIndex: Int
    /// The derived fields, in order.
    let derived: [FlatField]

    /// Compiles rules.
    ///
    /// - Parameters:
    ///   - definitions: The rules, in order.
    ///   - scope: The names their conditions may use.
    ///   - pickupDate: The date column that rules' validity is held against.
    ///   - derived: The derived fields of the scope, in order: names and expressions.
    /// - Throws: ``RuleSetFault`` with the fault of every rule that has one.
    /// - Precondition: `pickupDate` names a date column of the scope; there are fewer than 65,536
    ///   rules.
    public init(
        definitions: [RuleDefinition],
        scope: ExpressionScope,
        pickupDate: String,
        derived: [(name: String, text: String)] = []
    ) throws(RuleSetFault) {
        precondition(definitions.count < Int(UInt16.max), "rule numbers fit 16 bits")
        guard let pickupIndex = scope.columnIndex(pickupDate),
            scope.columns[pickupIndex].kind == .date
        else { preconditionFailure("the pick-up date is a date column of the scope") }
        self.definitions = definitions
        self.scope = scope
        self.pickupIndex = pickupIndex
        let flatScope = scope.flattened
        self.flatScope = flatScope
        self.derived = derived.compactMap { field in
            // An expression with a fault is reported where it is compiled for batches.
            guard let index = flatScope.columnIndex(field.name),
                let expression = try? ParsedExpression(parsing: field.text),
                let program = try? flatScope.compile(expression, expecting: .value)
            else { return nil }
            return FlatField(
                name: field.name,
                text: field.text,
                index: index,
                kind: flatScope.columns[index].kind,
                program: program
            )
        }
        var rules: [Rule] = []
        var faults: [RuleFault] = []
        for (index, definition) in definitions.enumerated() {
            do {
                rules.append(
                    try Self.compile(definition, number: index + 1, scope, flatScope)
                )
            } catch {
                faults.append(
                    RuleFault(ruleNumber: index + 1, ruleID: definition.id, fault: error)
                )
            }
        }
        guard faults.isEmpty else { throw RuleSetFault(faults: faults) }
        self.rules = rules
    }

    private static func compile(
        _ definition: RuleDefinition,
        number: Int,
        _ scope: ExpressionScope,
        _ flatScope: ExpressionScope
    ) throws(ExpressionFault) -> Rule {
        let expression = try ParsedExpression(parsing: definition.condition)
        let program = try scope.compile(expression, expecting: .condition)
        var conjuncts: [Conjunct] = []
        for syntax in expression.conjuncts {
            conjuncts.append(
                Conjunct(
                    text: expression.text(of: syntax),
                    syntax: syntax,
                    program: try flatScope.compile(syntax, expecting: .condition)
                )
            )
        }
        return Rule(
            number: number,
            definition: definition,
            program: program,
            flatProgram: try flatScope.compile(expression, expecting: .condition),
            conjuncts: conjuncts,
            validity: DayRange(
                from: definition.validFrom.map { Int64($0.dayNumber) } ?? .min,
                to: definition.validTo.map { Int64($0.dayNumber) } ?? .max
            )
        )
    }

    /// Decides every trip of a batch.
    ///
    /// - Parameter frame: The batch, with a column per column of the scope and matches per lookup.
    /// - Returns: The deciding rules.
    /// - Complexity: O(*n*) in the trips per rule that is still asked: rules of other days, and
    ///   those after the last undecided trip, are not.
    public func classify(_ frame: Frame) -> Decisions {
        decide(Evaluation(.trips(frame, kinds: scope.columns.map(\.kind))), frame, \.program)
    }

    /// Decides trips that are given by their values alone.
    func classifyFlat(_ frame: Frame) -> Decisions {
        decide(
            Evaluation(.trips(frame, kinds: flatScope.columns.map(\.kind))),
            frame,
            \.flatProgram
        )
    }

    private func decide(
        _ evaluation: Evaluation,
        _ frame: Frame,
        _ program: (Rule) -> Program
    ) -> Decisions {
        let days = frame.columns[pickupIndex].integers
        precondition(days.values.count == frame.rowCount, "a column has a row per trip")
        let first = days.values.min() ?? 0
        let last = days.values.max() ?? 0
        var numbers = [UInt16](repeating: 0, count: frame.rowCount)
        var hasUndecided = frame.rowCount > 0
        var overflowCount = 0
        for rule in rules where hasUndecided {
            guard rule.validity.from <= last, rule.validity.to >= first else { continue }
            let truths = program(rule).truths(evaluation)
            hasUndecided = Self.assign(rule, truths.bytes, days, &numbers)
            guard !truths.overflows.isEmpty else { continue }
            overflowCount += (0..<frame.rowCount).count { row in
                truths.overflows[row] && rule.validity.includes(days, row)
                    && (numbers[row] == 0 || numbers[row] == rule.number)
            }
        }
        return Decisions(ruleNumbers: numbers, overflowCount: overflowCount)
    }

    /// Gives a rule's number to the trips it holds for that no earlier rule decides, and returns
    /// whether there are trips left.
    private static func assign(
        _ rule: Rule,
        _ truths: [UInt8],
        _ days: IntegerColumn,
        _ numbers: inout [UInt16]
    ) -> Bool {
        let number = UInt16(rule.number)
        if rule.validity.isUnbounded { return Loops.assign(number, truths, &numbers) }
        let valid = truths.indices.map { row in
            rule.validity.includes(days, row) ? truths[row] : Truth.no.rawValue
        }
        return Loops.assign(number, valid, &numbers)
    }
}

extension RuleSet.DayRange {
    /// Whether a trip's day lies within the range; a trip without a day lies within no bounds.
    func includes(_ days: IntegerColumn, _ row: Int) -> Bool {
        if isUnbounded { return true }
        guard let day = days.value(row) else { return false }
        return from <= day && day <= to
    }
}

/// A rule as written: the class and basis of a trip for which its condition holds.
public struct RuleDefinition: Sendable {
    /// Its id.
    public var id: String
    /// The class it gives.
    public var tripClass: TripClass
    /// The basis it gives; empty where it names none.
    public var basis: String
    /// One sentence for people that gives the reason.
    public var because: String
    /// Its condition.
    public var condition: String
    /// The first pick-up date it holds for; nil is unbounded.
    public var validFrom: CivilDate?
    /// The last pick-up date it holds for; nil is unbounded.
    public var validTo: CivilDate?
    /// Trips it must decide: values by name, nil being NULL; names not given are NULL.
    public var decides: [[String: String?]]
    /// Trips it must not decide.
    public var leaves: [[String: String?]]

    /// Describes a rule.
    public init(
        id: String,
        tripClass: TripClass,
        basis: String = "",
        because: String = "",
        condition: String,
        validFrom: CivilDate? = nil,
        validTo: CivilDate? = nil,
        decides: [[String: String?]] = [],
        leaves: [[String: String?]] = []
    ) {
        self.id = id
        self.tripClass = tripClass
        self.basis = basis
        self.because = because
        self.condition = condition
        self.validFrom = validFrom
        self.validTo = validTo
        self.decides = decides
        self.leaves = leaves
    }
}

/// What is wrong with one rule's condition.
public struct RuleFault: Sendable, Hashable {
    /// The rule's number, from 1.
    public let ruleNumber: Int
    /// The rule's id.
    public let ruleID: String
    /// What is wrong, and where in the condition.
    public let fault: ExpressionFault
}

/// Why rules cannot be used: every fault of every rule, so that one reading shows them all.
public struct RuleSetFault: Error, Sendable {
    /// The faults, in the order of the rules.
    public let faults: [RuleFault]
}
