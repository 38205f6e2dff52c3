/// An expression whose text is well formed; its names and types are not checked yet.
public struct ParsedExpression: Sendable {
    /// Bytes of text that are read: far more than a rule needs, and little enough that a slip of
    /// the hand in a file cannot keep the parser busy.
    public static let sizeLimit = 16 * 1024
    /// How deep parentheses, CASE and operators may nest.
    ///
    /// Conditions joined by AND or OR count as one level however many they are.
    public static let depthLimit = 64

    /// The text that was parsed.
    public let text: String
    let root: Syntax

    /// Parses a text.
    ///
    /// - Parameter text: The expression as written.
    /// - Throws: ``ExpressionFault`` at the first position where the text is not valid.
    public init(parsing text: String) throws(ExpressionFault) {
        let size = text.utf8.count
        guard size <= Self.sizeLimit else {
            throw ExpressionFault(
                .tooLarge,
                at: 0..<0,
                "the expression has \(size) bytes; at most \(Self.sizeLimit) are read",
                suggestion: "a long list of values belongs into a lookup"
            )
        }
        var parser = Parser(tokens: try Tokenizer.tokens(of: text))
        self.text = text
        root = try parser.parse()
    }

    /// The parts of the expression that AND joins at its top: the whole, where there is none.
    var conjuncts: [Syntax] {
        if case .all(let parts) = root.kind { parts } else { [root] }
    }

    /// The text of one node.
    func text(of node: Syntax) -> String {
        String(decoding: Array(text.utf8)[node.range], as: UTF8.self)
    }
}
