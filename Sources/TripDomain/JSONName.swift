/// The name of a member of a JSON object.
public enum JSONName: ExpressibleByStringLiteral, Sendable {
    /// One that stands in the program, in which nothing has to be escaped.
    case fixed(StaticString)
    /// One that is not known before.
    case made(String)

    /// A name that stands in the program.
    public init(stringLiteral value: StaticString) {
        self = .fixed(value)
    }
}
