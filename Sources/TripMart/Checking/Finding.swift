/// One disagreement that the check before publication found.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What was compared, such as `accepted items of claims_20261101.csv`.
    public let subject: String
    /// What the ledger, the cube or the rows say it should be.
    public let expected: String
    /// What the recount found.
    public let found: String
    /// Whether the file itself is broken, rather than its sums.
    public let isDamage: Bool

    /// Describes one disagreement.
    public init(subject: String, expected: String, found: String, isDamage: Bool = false) {
        self.subject = subject
        self.expected = expected
        self.found = found
        self.isDamage = isDamage
    }

    /// One line for people; holds sums and file names, no content.
    public var description: String { "\(subject): \(expected) expected, \(found) found" }
}
