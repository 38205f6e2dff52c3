/// The name of a member of a JSON object.
public enum JSONName: ExpressibleByStringLiteral, Sendable {
    /// A string literal, in which nothing has to be escaped.
    case fixed(StaticString)
    /// A name computed at run time.
    case made(String)

    /// A string literal.
    public init(stringLiteral value: StaticString) {
        self = .fixed(value)
    }
}
