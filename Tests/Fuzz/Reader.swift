import Crypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import JWTKit
import TripDomain

@testable import TripIdentity
@testable import TripMart
@testable import TripServer

/// What reads bytes from outside, each with what must hold whatever they are.
enum Reader: String, CaseIterable {
    case query
    case tags
    case token
    case claims
    case cbor
    case passkey
    case client
    case names
    case places
    case queue
    case html

    private static let keys = MartKeys(secret: [UInt8](repeating: 7, count: 32))
    private static let party = "localhost"
    private static let partyHash = Array(SHA256.hash(data: Array(party.utf8)))

    func read(_ bytes: [UInt8]) {
        // As much as a head or a form of ours may have.
        guard bytes.count <= 16 << 10 else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .query: query(text)
        case .tags: tags(text)
        case .token: token(text, bytes)
        case .claims: claims(bytes)
        case .cbor: cbor(bytes)
        case .passkey: passkey(bytes)
        case .client: client(bytes)
        case .names: names(text)
        case .places: places(text)
        case .queue: queue(bytes)
        case .html: html(text)
        }
    }

    private func request(_ path: String, _ headers: HTTPFields = [:]) -> Request {
        Request(
            head: HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "localhost",
                path: path,
                headerFields: headers
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
    }

    private func query(_ text: String) {
        // What is refused is refused by a problem; nothing else is thrown, and nothing ends.
        guard
            // A refusal is an answer.
            let reading = try? QueryReading(
                request("/trips?" + text),
                known: QueryReading.filterNames.union(["cursor", "limit"])
            )
        else { return }
        let caller = Caller(roles: [.viewer], regions: ["08"])
        // As above.
        let filter = try? reading.filter(for: caller)
        if let months = filter?.months {
            precondition(months.lowerBound >= ServedFilter.firstMonth)
            precondition(months.upperBound <= ServedFilter.lastMonth)
        }
        // As above.
        let limit = try? reading.number("limit", in: 1...200, usual: 50)
        precondition((1...200).contains(limit ?? 1), "a number is within its bounds")
    }

    private func tags(_ text: String) {
        var headers = HTTPFields()
        headers[.ifNoneMatch] = text
        let tag = EntityTag(content: [1, 2, 3])
        let known = tag.known(to: request("/kpi", headers))
        precondition(known == nil || known == tag.text || known == tag.gzipText)
        _ = NetworkAddress(text)
    }

    private func token(_ text: String, _ bytes: [UInt8]) {
        // As it came, and as the header of a token that is otherwise whole.
        _ = TokenHeader.keyID(of: text)
        let rest = Base64URL.text([UInt8](repeating: 1, count: 64))
        _ = TokenHeader.keyID(of: "\(Base64URL.text(bytes)).\(rest).\(rest)")
        if let read = Base64URL.bytes(text) { precondition(Base64URL.text(read) == text) }
        precondition(Base64URL.bytes(Base64URL.text(bytes)) == bytes)
    }

    private func claims(_ bytes: [UInt8]) {
        let data = Data(bytes)
        // What cannot be decoded is refused.
        if let claims = try? JSONDecoder().decode(ExternalToken.self, from: data) {
            let issuer = ExternalIssuer(
                issuer: claims.issuer,
                audience: claims.audience.names.first ?? "",
                keysPath: "",
                nameClaim: .subject
            )
            for now in [0, claims.issuedAt, claims.expiresAt, Int64(1 << 40)] {
                _ = claims.isGood(at: min(max(now, 0), 1 << 40), issuer)
            }
            _ = (claims.session, claims.name(.email), claims.name(.preferredUsername))
        }
        // As above.
        _ = try? JSONDecoder().decode(AccessToken.self, from: data)
    }

    private func cbor(_ bytes: [UInt8]) {
        var reading = CBORReading(bytes[...])
        while let value = reading.value() {
            _ = PasskeyKey(cose: value)
        }
    }

    /// The first byte says how much of the rest is a signature.
    private func passkey(_ bytes: [UInt8]) {
        let size = min(Int(bytes.first ?? 0), bytes.count)
        let (signature, said) = (Array(bytes.prefix(size)), Self.partyHash + bytes.dropFirst(size))
        let making = PasskeyRegistration(clientData: "", attestation: Base64URL.text(bytes))
        let datas = [
            AuthenticatorData(said, for: Self.party), making?.data(for: Self.party),
        ]
        for case let data? in datas {
            guard let made = data.made else { continue }
            precondition((1...1023).contains(made.credentialID.count))
            var reading = CBORReading(made.cose[...])
            guard let value = reading.value(), let key = PasskeyKey(cose: value) else { continue }
            precondition(!key.isSignature(signature, of: said), "nothing is signed here")
        }
    }

    private func client(_ bytes: [UInt8]) {
        guard let origin = WebOrigin(of: "http://localhost:8080") else { return }
        if let client = ClientData(bytes, for: .signing, by: origin) {
            let maker = PasskeyChallenge(secret: Self.partyHash)
            precondition(maker.end(of: client.challenge, now: 0) == nil, "nobody knows the secret")
        }
    }

    private func names(_ text: String) {
        // What is no name is nobody's.
        if let name = try? AccountName(text) {
            precondition(name.text.utf8.allSatisfy { (0x21...0x7e).contains($0) })
            _ = PasswordRules().violation(text, for: name)
        }
        if EmailAddress.isValid(text) {
            precondition(!text.utf8.contains { $0 < 0x21 || $0 > 0x7e })
        }
        if OAuthClient.mayRedirect(to: text) { precondition(WebOrigin(of: text) != nil) }
        if let hash = PasswordHash(text: text) { _ = hash.text }
        _ = WebOrigin(of: text)?.relyingParty
    }

    private func places(_ text: String) {
        precondition(Self.keys.cursor(text, in: "list") == nil, "nobody knows the key")
        // What is no reference of ours is refused.
        precondition((try? Self.keys.tripID(of: TripRef(text: text))) == nil)
        let ref = Self.keys.ref(ofTrip: text)
        // One of ours is opened.
        precondition((try? Self.keys.tripID(of: ref)) == text)
    }

    private func queue(_ bytes: [UInt8]) {
        guard let text = QueueText(bytes) else { return }
        precondition(QueueText(text.bytes)?.values == text.values)
        _ = (text.request, text.stage, text.ending)
    }

    private func html(_ text: String) {
        let escaped = HTMLText.escaped(text)
        precondition(!escaped.utf8.contains { [0x22, 0x27, 0x3C, 0x3E].contains($0) })
        let page = Page(.signIn, notice: text, ["username": text, "action": "authorize"]).text
        precondition(page.contains("</html>"))
    }
}
