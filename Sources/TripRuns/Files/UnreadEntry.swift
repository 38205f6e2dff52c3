/// An entry of the input folder that a run does not read, and why.
public struct UnreadEntry: Sendable, Hashable {
    /// What becomes of it.
    public enum Fate: String, Sendable, CaseIterable {
        /// The next run reads it.
        case waits
        /// It is taken for a copy that was set aside.
        case leftAside = "left aside"
        /// No source claims it, and it could not be read if one did.
        case notRead = "not read"
    }

    /// Its path below the input folder, as people may see it.
    public let path: String
    /// What becomes of it.
    public let fate: Fate
    /// Why, as the rest of a sentence.
    public let reason: String
    /// Whether the operator should look at it: the run then ends with a warning.
    public let isInDoubt: Bool

    /// `waits late.csv.part: its name marks it as unfinished`.
    public var text: String { "\(fate.rawValue) \(path): \(reason)" }

    static func waits(_ path: String, _ reason: String, isInDoubt: Bool = false) -> Self {
        Self(path: path, fate: .waits, reason: reason, isInDoubt: isInDoubt)
    }

    /// A file that was written to while it was read.
    static func changed(_ path: String) -> Self {
        waits(path, "it was written to while it was read", isInDoubt: true)
    }
}
