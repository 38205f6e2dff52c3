/// The format of a command's answer.
public enum OutputFormat: String, Sendable, CaseIterable {
    /// Aligned columns for people.
    case table
    /// An array of objects.
    case json
    /// A header and lines.
    case csv
}
