/// A value as it was written, and where: its error message begins with where to mend it.
struct Setting {
    /// The value.
    let text: String
    /// A flag, a variable of the environment, or a line of a file.
    let origin: String

    /// The value of `yes` or `no`.
    ///
    /// - Throws: ``ConfigurationFile/Fault`` where it is neither.
    func truth() throws(ConfigurationFile.Fault) -> Bool {
        switch text {
        case "yes": return true
        case "no": return false
        default: throw .init(self, "it is yes or no; it is '\(text)'.")
        }
    }

    /// A number that counts something.
    ///
    /// - Parameters:
    ///   - name: What it counts.
    ///   - max: The greatest there may be.
    /// - Returns: The number.
    /// - Throws: ``ConfigurationFile/Fault`` where it is none of them.
    func count(_ name: String, max: Int = 60_000) throws(ConfigurationFile.Fault) -> Int {
        guard let number = Int(text), (0...max).contains(number) else {
            throw .init(self, "the \(name) must lie between 0 and \(max); it is '\(text)'.")
        }
        return number
    }
}
