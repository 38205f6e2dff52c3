/// Why the system's cryptography library did not do what it was asked.
///
/// No text of the library is kept: its messages name memory and files.
public struct CryptoFault: Error, Sendable, Equatable {
    /// What happened; stable.
    public enum Code: String, Sendable, CaseIterable {
        /// The library's configuration leaves out an algorithm that the program needs.
        case algorithmMissing = "algorithm_missing"
        /// The library gives no random bytes.
        case noRandomBytes = "no_random_bytes"
        /// The library refused an operation that cannot fail with memory to spare.
        case operationFailed = "operation_failed"
    }

    /// What happened.
    public let code: Code
    /// What the operator should do next.
    public let remedy: String

    init(_ code: Code, remedy: String) {
        self.code = code
        self.remedy = remedy
    }
}
