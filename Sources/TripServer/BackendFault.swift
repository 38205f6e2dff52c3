import TripMart

/// Why the server cannot begin to serve.
public struct BackendFault: Error, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String

    init(_ error: MartError) {
        description = "\(error)"
    }
}
