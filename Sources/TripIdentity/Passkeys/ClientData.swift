import FoundationEssentials

/// What a browser says of the page that asked an authenticator (Web Authentication, §5.8.1).
struct ClientData: Decodable {
    private let type: String
    /// What was to be signed.
    let challenge: String
    private let origin: String
    private let crossOrigin: Bool?

    /// What an authenticator was asked for.
    enum Use: String {
        case making = "webauthn.create"
        case signing = "webauthn.get"
    }

    /// Reads what a browser says; nil where it is malformed, or says something else.
    ///
    /// - Parameters:
    ///   - bytes: Its JSON.
    ///   - use: What must have been asked for.
    ///   - origin: By which page.
    init?(_ bytes: [UInt8], for use: Use, by origin: WebOrigin) {
        // What cannot be read says nothing; the library's words would quote it.
        guard let read = try? JSONDecoder().decode(ClientData.self, from: Data(bytes)),
            read.type == use.rawValue, read.origin == origin.text, read.crossOrigin != true
        else { return nil }
        self = read
    }
}
