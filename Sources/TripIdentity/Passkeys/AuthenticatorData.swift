import Crypto

/// What an authenticator says of itself and of whom it asked (Web Authentication, §6.1).
struct AuthenticatorData: Sendable {
    /// How often it has signed, where it counts; 0 where it does not.
    let signCount: Int64
    /// Whether the passkey may be on several devices of its owner.
    let mayBeSynced: Bool
    /// A passkey that was just made; nil where it only signs.
    let made: Made?

    /// A passkey that was just made.
    struct Made: Sendable {
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

    /// Longer ones are against the standard.
    private static let credentialSizeMax = 1023

    /// Reads what an authenticator says.
    ///
    /// It is nil where it is malformed, was asked for somebody else, or has not made sure that its owner is there
    /// and is its owner: a device alone is one factor, with its owner's finger or number two.
    ///
    /// - Parameters:
    ///   - bytes: Its bytes.
    ///   - relyingParty: Whom it must have been asked for.
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
        var made: Made?
        if flags & Flag.hasPasskey != 0 {
            made = Self.made(&rest)
            guard made != nil else { return nil }
        }
        if flags & Flag.hasExtensions != 0 {
            var reading = CBORReading(rest)
            guard case .map? = reading.value() else { return nil }
            rest = reading.unread
        }
        guard rest.isEmpty else { return nil }
        self.made = made
    }

    /// The passkey behind the maker's number (16 bytes), which says nothing without an attestation.
    private static func made(_ rest: inout ArraySlice<UInt8>) -> Made? {
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
        return Made(credentialID: id, cose: cose)
    }
}
