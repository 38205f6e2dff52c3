public import TripDomain

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
