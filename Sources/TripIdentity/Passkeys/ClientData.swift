import FoundationEssentials

/// The client data of an answer, which describes the page that made the request (Web
/// Authentication, §5.8.1).
struct ClientData: Decodable {
    private let type: String
    /// The challenge that was signed.
    let challenge: String
    private let origin: String
    private let crossOrigin: Bool?

    /// The two ceremonies of Web Authentication.
    enum Use: String {
        case making = "webauthn.create"
        case signing = "webauthn.get"
    }

    /// Reads client data; nil where it is malformed, or does not have the expected values.
    ///
    /// - Parameters:
    ///   - bytes: The client data as JSON.
    ///   - use: The expected ceremony.
    ///   - origin: The expected origin of the page.
    init?(_ bytes: [UInt8], for use: Use, by origin: WebOrigin) {
        // The library's error is not passed on, because it would quote the data.
        guard let read = try? JSONDecoder().decode(ClientData.self, from: Data(bytes)),
            read.type == use.rawValue, read.origin == origin.text, read.crossOrigin != true
        else { return nil }
        self = read
    }
}
