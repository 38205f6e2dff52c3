import Crypto
import FoundationEssentials

/// The authenticator data of an answer (Web Authentication, §6.1).
struct AuthenticatorData: Sendable {
    /// The signature counter; 0 where the authenticator has none.
    let signCount: Int64
    /// Whether the passkey may be on several devices of its owner.
    let mayBeSynced: Bool
    /// The passkey that was just created; nil in an answer to a sign-in.
    let credential: Credential?

    /// A passkey that was just created.
    struct Credential: Sendable {
        let credentialID: [UInt8]
        /// Its public key, as CBOR.
        let cose: [UInt8]
    }

    private enum Flag {
        static let present: UInt8 = 1 << 0
        static let verified: UInt8 = 1 << 2
        static let mayBeSynced: UInt8 = 1 << 3
        static let isSynced: UInt8 = 1 << 4
        static let hasPasskey: UInt8 = 1 << 6
        static let hasExtensions: UInt8 = 1 << 7
    }

    /// The standard allows no longer ids.
    private static let credentialSizeMax = 1023

    /// Reads authenticator data.
    ///
    /// It is nil where it is malformed, is for another relying party, or does not say that the user
    /// was present and verified: the device alone is one factor, with the owner's fingerprint or
    /// PIN it is two.
    ///
    /// - Parameters:
    ///   - bytes: The authenticator data.
    ///   - relyingParty: The relying party it must be for.
    init?(_ bytes: [UInt8], for relyingParty: String) {
        guard bytes.count >= 37,
            bytes[..<32].elementsEqual(SHA256.hash(data: Array(relyingParty.utf8)))
        else { return nil }
        let flags = bytes[32]
        let asked = Flag.present | Flag.verified
        guard flags & asked == asked,
            flags & Flag.isSynced == 0 || flags & Flag.mayBeSynced != 0
        else { return nil }
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | Int64($1) }
        mayBeSynced = flags & Flag.mayBeSynced != 0
        var rest = bytes[37...]
        var credential: Credential?
        if flags & Flag.hasPasskey != 0 {
            credential = Self.credential(&rest)
            guard credential != nil else { return nil }
        }
        if flags & Flag.hasExtensions != 0 {
            var reading = CBORReading(rest)
            guard case .map? = reading.value() else { return nil }
            rest = reading.unread
        }
        guard rest.isEmpty else { return nil }
        self.credential = credential
    }

    /// Reads the passkey after the AAGUID (16 bytes), which means nothing without an attestation.
    private static func credential(_ rest: inout ArraySlice<UInt8>) -> Credential? {
        guard rest.count >= 18 else { return nil }
        rest = rest.dropFirst(16)
        let size = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(2)
        guard (1...credentialSizeMax).contains(size), rest.count > size else { return nil }
        let id = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        var reading = CBORReading(rest)
        guard reading.value() != nil else { return nil }
        let cose = Array(rest.prefix(rest.count - reading.unread.count))
        rest = reading.unread
        return Credential(credentialID: id, cose: cose)
    }
}

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
