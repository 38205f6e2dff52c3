/// One disagreement that the check before publication found.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What was compared, such as `accepted items of claims_20261101.csv`.
    public let subject: String
    /// The value that the ledger, the cube or the rows require.
    public let expected: String
    /// The value that the recount found.
    public let found: String
    /// Whether the file itself is damaged, rather than its sums wrong.
    public let isDamage: Bool

    /// Creates a finding.
    public init(subject: String, expected: String, found: String, isDamage: Bool = false) {
        self.subject = subject
        self.expected = expected
        self.found = found
        self.isDamage = isDamage
    }

    /// One line for people; it holds sums and file names, no content.
    public var description: String { "\(subject): \(expected) expected, \(found) found" }
}
