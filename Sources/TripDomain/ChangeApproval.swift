/// Who is answerable for edits that were published: names as they were given, not proven ones.
public struct ChangeApproval: Sendable, Hashable {
    /// The saved plan that was published; nil where the folder was taken as it was.
    public let plan: String?
    /// Who made the edits known: the author of the plan.
    public let madeBy: String
    /// Who approved of them; nil where nobody was named.
    public let approvedBy: String?

    /// Names who is answerable.
    public init(plan: String?, madeBy: String, approvedBy: String?) {
        self.plan = plan
        self.madeBy = madeBy
        self.approvedBy = approvedBy
    }
}
