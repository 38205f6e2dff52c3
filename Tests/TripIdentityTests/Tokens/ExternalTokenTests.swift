import Crypto
import Foundation
import JWTKit
import Testing

@testable import TripIdentity

@Suite struct ExternalTokenTests {
    private static let issuerURL = "https://issuer.test"
    private let under: AuthenticationServiceUnderTest
    private let authentication: AuthenticationService
    private let key = P256.Signing.PrivateKey()
    private let path: String

    init() async throws {
        under = try await AuthenticationServiceUnderTest()
        path = under.folder.path + "/issuer.json"
        try Self.write(["first": key], to: path)
        let issuer = ExternalIssuer(
            issuer: Self.issuerURL,
            audience: "triptych",
            keysPath: path,
            nameClaim: .preferredUsername
        )
        let clock = under.clock
        authentication = try await AuthenticationService(
            under.folder,
            issuer: "https://triptych.test",
            external: issuer,
            isDemo: true
        ) { clock.now }
        try await under.add("someone")
    }

    /// A key set as issuers publish it.
    private static func write(_ keys: [String: P256.Signing.PrivateKey], to path: String) throws {
        let set = keys.map { name, key in
            let point = [UInt8](key.publicKey.x963Representation)
            return [
                "kty": "EC", "crv": "P-256", "kid": name, "x": Base64URL.text(point[1..<33]),
                "y": Base64URL.text(point[33...]),
            ]
        }
        let data = try JSONSerialization.data(withJSONObject: ["keys": set])
        try data.write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    }

    /// A token of the external issuer; a nil removes a claim.
    private func token(_ other: [String: Any?] = [:]) throws -> String {
        let now = under.clock.now
        var claims: [String: Any] = [
            "iss": Self.issuerURL, "aud": ["triptych"], "sub": "1234",
            "preferred_username": "someone", "client_id": "dashboard", "iat": now, "exp": now + 600,
            "auth_time": now,
        ]
        for (name, value) in other { claims[name] = value }
        let header = ["alg": "ES256", "typ": "at+jwt", "kid": "first"]
        let parts = try [header, claims].map { part in
            Base64URL.text(try JSONSerialization.data(withJSONObject: part))
        }
        let text = parts.joined(separator: ".")
        let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
        return text + "." + Base64URL.text(signature)
    }

    private func opens(_ token: String) async throws -> Bool {
        try await authentication.session(of: token) != nil
    }

    @Test func aSessionEndsAfterTenMinutesAndAHalfWithoutARequest() async throws {
        let signedInAt = under.clock.now
        for _ in 0..<3 {
            #expect(try await opens(try token(["auth_time": signedInAt])))
            under.clock.advance(by: 629)
        }
        #expect(try await opens(try token(["auth_time": signedInAt])))
        under.clock.advance(by: 630)
        #expect(try await !opens(try token(["auth_time": signedInAt])))
        // Only another sign-in begins another session.
        under.clock.advance(by: 1)
        #expect(try await !opens(try token(["auth_time": signedInAt])))
        #expect(try await opens(try token()))
    }

    @Test func aSessionEndsTwelveHoursAfterTheSignIn() async throws {
        let signedInAt = under.clock.now
        // The first token of a sign-in may arrive late.
        under.clock.advance(by: 12 * 3600 - 1)
        #expect(try await opens(try token(["auth_time": signedInAt])))
        under.clock.advance(by: 1)
        #expect(try await !opens(try token(["auth_time": signedInAt])))
    }

    @Test func aTokenIsValidForAtMostAQuarterOfAnHour() async throws {
        let now = under.clock.now
        #expect(try await opens(try token(["exp": now + 900])))
        #expect(try await !opens(try token(["exp": now + 901])))
        let token = try token(["exp": now + 60])
        under.clock.advance(by: 59)
        #expect(try await opens(token))
        under.clock.advance(by: 1)
        #expect(try await !opens(token))
    }

    @Test func clocksMayDifferByHalfAMinute() async throws {
        let now = under.clock.now
        #expect(
            try await opens(try token(["iat": now + 30, "nbf": now + 30, "auth_time": now + 30]))
        )
        #expect(try await !opens(try token(["iat": now + 31])))
        #expect(try await !opens(try token(["nbf": now + 31])))
    }

    /// The library's type for it ends the program where the list is empty.
    @Test func theAudienceIsReadInEveryForm() async throws {
        for audience in [[], ["other"], "other", 1, [:], [1], ["triptych", 1], true] as [Any] {
            #expect(try await !opens(try token(["aud": audience])))
        }
        for audience in ["triptych", ["triptych"], ["other", "triptych"]] as [Any] {
            #expect(try await opens(try token(["aud": audience])))
        }
    }

    @Test func signInsOfDifferentClientsAtTheSameSecondAreDifferentSessions() async throws {
        let (first, second) = (try token(), try token(["client_id": "other"]))
        let session = try #require(try await authentication.session(of: first))
        try await authentication.revoke(first, clientID: "dashboard")
        #expect(try await !opens(first))
        #expect(try await opens(second))
        #expect(try await authentication.session(of: second)?.id != session.id)
    }

    @Test func withdrawnKeysVerifyNothing() async throws {
        let token = try token()
        #expect(try await opens(token))
        #expect(try await !authentication.reloadExternalKeys())
        try Self.write(["other": P256.Signing.PrivateKey()], to: path)
        #expect(try await authentication.reloadExternalKeys())
        #expect(try await !opens(token))
        // The same id with another key.
        try Self.write(["first": P256.Signing.PrivateKey()], to: path)
        #expect(try await authentication.reloadExternalKeys())
        #expect(try await !opens(token))
        try Self.write(["first": key], to: path)
        #expect(try await authentication.reloadExternalKeys())
        #expect(try await opens(token))
    }

    /// An issuer is no longer trusted where its file has no keys, or is missing for a minute.
    @Test func anEmptyOrMissingKeyFileWithdrawsTrust() async throws {
        #expect(try await opens(try token()))
        try Self.write([:], to: path)
        #expect(try await authentication.reloadExternalKeys())
        #expect(try await !opens(try token()))
        try Self.write(["first": key], to: path)
        #expect(try await authentication.reloadExternalKeys())
        #expect(try await opens(try token()))
        try FileManager.default.removeItem(atPath: path)
        for seconds in [0, 59] as [Int64] {
            under.clock.advance(by: seconds)
            await #expect(throws: IdentityFault.externalKeys(path)) {
                try await authentication.reloadExternalKeys()
            }
            #expect(try await opens(try token()))
        }
        under.clock.advance(by: 1)
        #expect(try await authentication.reloadExternalKeys())
        #expect(try await !opens(try token()))
        try Self.write(["first": key], to: path)
        #expect(try await authentication.reloadExternalKeys())
        #expect(try await opens(try token()))
    }

    /// An address that the issuer did not verify names no account.
    @Test(arguments: [
        ("", false), (#","email_verified":false"#, false), (#","email_verified":true"#, true),
        (#","email_verified":"true""#, true), (#","email_verified":"false""#, false),
        (#","email_verified":1"#, false), (#","email_verified":{}"#, false),
        (#","email_verified":null"#, false),
    ])
    func anAddressNamesAnAccountOnlyIfVerified(member: String, opens: Bool) throws {
        let claims =
            #"{"iss":"a","aud":"b","sub":"1","client_id":"a","iat":1,"exp":2,"#
            + #""auth_time":1,"email":"someone""#
        let data = Data((claims + member + "}").utf8)
        let payload = try JSONDecoder().decode(ExternalToken.self, from: data)
        #expect((payload.name(.email) == "someone") == opens)
    }

    @Test func noSignInGoesUnrecorded() async throws {
        // In place of the file that the record writes its head to there is a folder.
        let head = under.folder.path + "/access-record.head.new"
        try FileManager.default.createDirectory(atPath: head, withIntermediateDirectories: false)
        for _ in 0..<2 {
            await #expect(throws: (any Error).self) { _ = try await opens(try token()) }
        }
        try FileManager.default.removeItem(atPath: head)
        #expect(try await opens(try token()))
        let record = try String(
            contentsOfFile: under.folder.path + "/access-record",
            encoding: .utf8
        )
        #expect(record.contains("\tissuer\t"))
    }

    @Test func keysThatOtherUsersMayWriteAreRefused() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        await #expect(throws: IdentityFault.externalKeys(path)) {
            _ = try await ExternalKeys(path)
        }
    }

    @Test func eachSignInIsRecordedOnce() async throws {
        _ = try await opens(try token())
        _ = try await opens(try token(["jti": "another"]))
        let record = try String(
            contentsOfFile: under.folder.path + "/access-record",
            encoding: .utf8
        )
        #expect(record.ranges(of: "\tissuer\t").count == 1)
    }
}
