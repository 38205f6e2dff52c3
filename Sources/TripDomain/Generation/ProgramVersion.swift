/// The version of the program.
public enum ProgramVersion {
    /// Its text, as `--version` prints it.
    public static let text = "0.1.0"
}
