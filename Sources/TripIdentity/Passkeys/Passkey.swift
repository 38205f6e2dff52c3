/// A passkey of an account, with which its owner signs in on a device.
public struct Passkey: Sendable, Hashable {
    /// Its id, as base64url.
    public let id: String
    /// Whether it may be on several devices of its owner.
    public let mayBeSynced: Bool
    /// When it was added, in seconds of UTC.
    public let createdAt: Int64
    /// When it was last used for a sign-in; nil where it was not used yet.
    public let lastUsedAt: Int64?
}

/// The browser's answer after a passkey was created.
public struct PasskeyRegistration: Sendable {
    let clientData: [UInt8]
    let attestation: [UInt8]

    /// Reads both parts, as base64url; nil where one is malformed.
    public init?(clientData: String, attestation: String) {
        guard let clientData = Base64URL.bytes(clientData),
            let attestation = Base64URL.bytes(attestation)
        else { return nil }
        (self.clientData, self.attestation) = (clientData, attestation)
    }

    /// The authenticator data of the attestation object; the attestation itself is not checked,
    /// because none is requested.
    func data(for relyingParty: String) -> AuthenticatorData? {
        var reading = CBORReading(attestation[...])
        guard let value = reading.value(), reading.unread.isEmpty,
            let bytes = value["authData"]?.byteString
        else { return nil }
        return AuthenticatorData(bytes, for: relyingParty)
    }
}

/// The browser's answer after a passkey signed a challenge.
public struct PasskeyAssertion: Sendable {
    let id: String
    let clientData: [UInt8]
    let data: [UInt8]
    let signature: [UInt8]
    let userHandle: String?

    /// Reads the parts, as base64url; nil where one is malformed.
    ///
    /// - Parameters:
    ///   - id: The id of the passkey.
    ///   - clientData: The client data of the browser.
    ///   - data: The authenticator data.
    ///   - signature: The signature over both.
    ///   - userHandle: The user handle, where the authenticator has one.
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
