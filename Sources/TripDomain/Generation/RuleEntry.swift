/// One rule as a generation keeps it.
public struct RuleEntry: Sendable, Hashable {
    /// Its number in the rule set, from 1; trips refer to it.
    public let number: Int
    /// Its id in the pipeline.
    public let id: String
    /// The class it gives.
    public let tripClass: TripClass
    /// The basis it gives; empty where it names none.
    public let basis: String
    /// One sentence for people.
    public let because: String
    /// The condition, as written.
    public let condition: String
    /// The first pick-up date it holds for; nil is unbounded.
    public let validFrom: CivilDate?
    /// The last pick-up date it holds for; nil is unbounded.
    public let validTo: CivilDate?

    /// Describes one rule.
    public init(
        number: Int,
        id: String,
        tripClass: TripClass,
        basis: String,
        because: String,
        condition: String,
        validFrom: CivilDate?,
        validTo: CivilDate?
    ) {
        self.number = number
        self.id = id
        self.tripClass = tripClass
        self.basis = basis
        self.because = because
        self.condition = condition
        self.validFrom = validFrom
        self.validTo = validTo
    }
}
