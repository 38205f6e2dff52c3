/// A passkey of an account: what somebody signs in with who has a device of theirs at hand.
public struct Passkey: Sendable, Hashable {
    /// Its name, as base64url.
    public let id: String
    /// Whether it may be on several devices of its owner.
    public let mayBeSynced: Bool
    /// When it was added, in seconds of UTC.
    public let createdAt: Int64
    /// When somebody last signed in with it; nil where nobody has.
    public let lastUsedAt: Int64?
}

/// What a browser hands over that made a passkey.
public struct PasskeyMaking: Sendable {
    let clientData: [UInt8]
    let attestation: [UInt8]

    /// Reads both, as base64url; nil where one is none.
    public init?(clientData: String, attestation: String) {
        guard let clientData = Base64URL.bytes(clientData),
            let attestation = Base64URL.bytes(attestation)
        else { return nil }
        (self.clientData, self.attestation) = (clientData, attestation)
    }

    /// What the authenticator says, out of an attestation; whose word that is nobody asked for, so that only the
    /// data in it counts.
    func data(for relyingParty: String) -> AuthenticatorData? {
        var reading = CBORReading(attestation[...])
        guard let value = reading.value(), reading.unread.isEmpty,
            let bytes = value["authData"]?.byteString
        else { return nil }
        return AuthenticatorData(bytes, for: relyingParty)
    }
}

/// What a browser hands over that had a passkey sign.
public struct PasskeySigning: Sendable {
    let id: String
    let clientData: [UInt8]
    let data: [UInt8]
    let signature: [UInt8]
    let userHandle: String?

    /// Reads the parts, as base64url; nil where one is none.
    ///
    /// - Parameters:
    ///   - id: Which passkey it was.
    ///   - clientData: What the browser says.
    ///   - data: What the authenticator says.
    ///   - signature: Its signature over both.
    ///   - userHandle: Whose passkey it is, where the authenticator knows.
    public init?(
        id: String,
        clientData: String,
        data: String,
        signature: String,
        userHandle: String?
    ) {
        guard Base64URL.bytes(id) != nil, let clientData = Base64URL.bytes(clientData),
            let data = Base64URL.bytes(data), let signature = Base64URL.bytes(signature)
        else { return nil }
        (self.id, self.clientData, self.data) = (id, clientData, data)
        (self.signature, self.userHandle) = (signature, userHandle)
    }
}
