/// The checkout the tests run in.
public enum Repository {
    /// The path of a file of the checkout.
    public static func path(_ relative: String) -> String {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return here.dropLast(3).joined(separator: "/") + "/" + relative
    }
}
