/// The names of a program's commands, to find a mistyped one.
///
/// The argument parser offers the nearest flag, and no nearest command.
public struct CommandNames: Sendable, Hashable {
    /// The name of a command.
    public let name: String
    /// Its own commands; empty where it takes arguments instead.
    public let commands: [CommandNames]

    /// Names a command.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - commands: Its own commands.
    public init(_ name: String, _ commands: [CommandNames] = []) {
        self.name = name
        self.commands = commands
    }

    /// The name that the argument parser makes of a type: `SignOut` is `sign-out`.
    ///
    /// - Parameter typeName: The name of the type.
    /// - Returns: The name of the command.
    public static func name(ofType typeName: String) -> String {
        var name = ""
        for letter in typeName {
            if letter.isUppercase, !name.isEmpty { name += "-" }
            name += letter.lowercased()
        }
        return name
    }

    /// Why the words of a command line name no command.
    ///
    /// - Parameter words: The words after this command's name.
    /// - Returns: The message; nil where every name is one of a command, as far as names go.
    public func fault(_ words: some Sequence<String>) -> String? {
        var here = self
        var path = name
        for word in words {
            guard !here.commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            guard let next = here.commands.first(where: { $0.name == word }) else {
                let known = here.commands.map(\.name)
                let near =
                    NearestName.meant(by: word, among: known)
                    .map { " Did you mean `\(path) \($0)`?" } ?? ""
                return "`\(path)` has no command '\(word)'.\(near)\n"
                    + "Commands: \(known.joined(separator: ", ")). See '\(path) --help'."
            }
            here = next
            path += " " + word
        }
        return nil
    }
}
