/// The people who answer for edits that were published.
///
/// The names are kept as the command received them; the program does not verify them.
public struct ChangeApproval: Sendable, Hashable {
    /// The saved plan that was published; nil where the folder was taken as it was.
    public let plan: String?
    /// The author of the plan, who made the edits.
    public let madeBy: String
    /// The person who approved the edits; nil where no approver was named.
    public let approvedBy: String?

    /// Describes one approval.
    public init(plan: String?, madeBy: String, approvedBy: String?) {
        self.plan = plan
        self.madeBy = madeBy
        self.approvedBy = approvedBy
    }
}
