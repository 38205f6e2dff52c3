/// A file or folder of generated exports that cannot be written.
public struct SyntheticFault: Error, Sendable {
    /// The file or folder.
    public let path: String
    /// What was found, and what to do.
    public let remedy: String

    init(path: String, remedy: String) {
        self.path = path
        self.remedy = remedy
    }
}
