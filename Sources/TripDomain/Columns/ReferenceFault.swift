/// A reference file, or a list of overrides, that cannot be used as it stands.
public struct ReferenceFault: Error, Sendable {
    /// The file, and the line where one is known; never what the line says.
    public let place: SourcePosition?
    /// What was found, what was expected, and what to do.
    public let remedy: String

    /// Describes a fault.
    public init(place: SourcePosition?, remedy: String) {
        self.place = place
        self.remedy = remedy
    }
}
