import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import TripIdentity

@Suite struct PasskeyTests {
    private let under: AuthenticationServiceUnderTest
    private var authentication: AuthenticationService { under.authentication }

    init() async throws {
        under = try await AuthenticationServiceUnderTest()
        try await under.add("someone")
    }

    private func owner(_ name: String = "someone") async throws -> AuthenticationService.SignedIn {
        guard
            case .accepted(let owner) = try await authentication.signIn(
                name,
                AuthenticationServiceUnderTest.password
            )
        else { throw IdentityFault.noSuchAccount(name) }
        return owner
    }

    /// Adds an authenticator's passkey to an account.
    @discardableResult
    private func add(
        _ device: SoftwareAuthenticator,
        to name: String = "someone"
    ) async throws -> Bool {
        let owner = try await owner(name)
        let challenge = authentication.invitation(for: owner).challenge
        return try await authentication.addPasskey(try device.make(challenge), for: owner)
    }

    /// Whether a passkey signs in; where it does not, its owner signs in by password, so that the
    /// next attempt counts as the first.
    private func signsIn(
        _ device: SoftwareAuthenticator,
        challenge: String? = nil
    ) async throws -> Bool {
        let isIn = try await triesToSignIn(device, challenge: challenge)
        if !isIn {
            _ = try await authentication.signIn("someone", AuthenticationServiceUnderTest.password)
        }
        return isIn
    }

    private func triesToSignIn(
        _ device: SoftwareAuthenticator,
        challenge: String? = nil
    ) async throws -> Bool {
        let signing = try device.sign(challenge ?? authentication.passkeyChallenge())
        guard case .accepted = try await authentication.signIn(signing) else { return false }
        return true
    }

    @Test func afterThreeFailuresInARowAPasswordIsAskedFor() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        for _ in 0..<2 { #expect(try await !triesToSignIn(device, challenge: "none")) }
        #expect(try await triesToSignIn(device))
        for _ in 0..<3 { #expect(try await !triesToSignIn(device, challenge: "none")) }
        #expect(try await !triesToSignIn(device))
        _ = try await owner()
        #expect(try await triesToSignIn(device))
    }

    /// The page also counts failures that its browser reports.
    @Test func aChallengeCountsTheFailuresBeforeIt() throws {
        let first = authentication.passkeyChallenge()
        let second = try #require(authentication.passkeyChallenge(afterFailing: first))
        let third = try #require(authentication.passkeyChallenge(afterFailing: second))
        #expect(authentication.passkeyChallenge(afterFailing: third) == nil)
        // An invalid challenge has no failures.
        for text in ["", "AAAA", RandomText.secret()] {
            let next = try #require(authentication.passkeyChallenge(afterFailing: text))
            #expect(authentication.passkeyChallenge(afterFailing: next) != nil)
        }
    }

    @Test func removingAPasskeyEndsAllSessions() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        let grant = try await under.grant("someone")
        #expect(try await authentication.removePasskey(device.id, of: try await owner()))
        #expect(try await !under.isGood(grant.accessToken))
        #expect(try await under.refresh(grant.refreshToken) == nil)
    }

    @Test func aPasswordResetRemovesAllPasskeys() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        try await authentication.setEmail("someone@b.test", of: try AccountName("someone"))
        let link = try #require(try await authentication.passwordResetEmail(for: "someone"))
        guard case .done = try await authentication.reset(link.token, to: "a new way to the river")
        else {
            Issue.record("the link is good")
            return
        }
        #expect(try await !triesToSignIn(device))
    }

    @Test func aRefusedChangeIsNotRecorded() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        #expect(try await !add(device))
        #expect(try await !authentication.removePasskey("AAAA", of: try await owner()))
        #expect(try await !triesToSignIn(device, challenge: "none"))
        let record = try String(
            contentsOfFile: under.folder.path + "/access-record",
            encoding: .utf8
        )
        #expect(record.ranges(of: "\tpasskey_added\t").count == 1)
        #expect(record.ranges(of: "\tpasskey_removed\t").count == 0)
        #expect(record.ranges(of: "\tsign_in_refused\t").count == 1)
        #expect(record.contains(String(RandomText.mark(device.id).prefix(12))))
    }

    @Test func aPasskeySignsItsOwnerIn() async throws {
        let device = SoftwareAuthenticator()
        #expect(try await add(device))
        let handle = authentication.invitation(for: try await owner()).userHandle
        let signing = try device.sign(authentication.passkeyChallenge(), userHandle: handle)
        guard case .accepted(let signedIn) = try await authentication.signIn(signing) else {
            Issue.record("refused")
            return
        }
        #expect(signedIn.account.name.text == "someone")
        let request = AuthorizationRequest(
            clientID: "dashboard",
            redirectURI: AuthenticationServiceUnderTest.redirectURI,
            challenge: RandomText.mark("verifier")
        )
        #expect(try await authentication.code(try #require(request), for: signedIn) != nil)
        let passkeys = try await authentication.passkeys(of: signedIn.account)
        #expect(passkeys.map(\.id) == [device.id])
        #expect(passkeys.first?.lastUsedAt == under.clock.now)
    }

    @Test func anRSAPasskeySignsIn() async throws {
        let device = SoftwareAuthenticator(.rs256(try _RSA.Signing.PrivateKey(keySize: .bits2048)))
        #expect(try await add(device))
        #expect(try await signsIn(device))
        let other = SoftwareAuthenticator(.rs256(try _RSA.Signing.PrivateKey(keySize: .bits2048)))
        let challenge = authentication.passkeyChallenge()
        let (data, client) = (device.data(), device.clientData("webauthn.get", challenge))
        let forged = PasskeyAssertion(
            id: device.id,
            clientData: Base64URL.text(client),
            data: Base64URL.text(data),
            signature: Base64URL.text(try other.signature(data, client)),
            userHandle: nil
        )
        guard case .refused = try await authentication.signIn(try #require(forged)) else {
            Issue.record("another key's signature was taken")
            return
        }
    }

    @Test func aChallengeIsValidOnceAndForTenMinutes() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        let challenge = authentication.passkeyChallenge()
        #expect(try await signsIn(device, challenge: challenge))
        #expect(try await !signsIn(device, challenge: challenge))
        let other = try await under.otherProcess()
        guard case .refused = try await other.signIn(try device.sign(challenge)) else {
            Issue.record("another process took it again")
            return
        }
        let old = authentication.passkeyChallenge()
        under.clock.advance(by: PasskeyChallenge.lifetime - 1)
        let young = authentication.passkeyChallenge()
        under.clock.advance(by: 1)
        #expect(try await !signsIn(device, challenge: old))
        #expect(try await signsIn(device, challenge: young))
    }

    @Test func aChallengeHasSixteenRandomBytesBetweenItsTimeAndItsSeal() throws {
        let challenges = try (0..<2).map { _ in
            try #require(Base64URL.bytes(authentication.passkeyChallenge()))
        }
        #expect(challenges.allSatisfy { $0.count == 9 + 16 + 32 })
        #expect(challenges[0][..<9] == challenges[1][..<9])
        #expect(challenges[0][9..<25] != challenges[1][9..<25])
    }

    @Test func challengesOfOtherServersAndPurposesAreRefused() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        let making = authentication.invitation(for: try await owner()).challenge
        for challenge in ["", "AAAA", RandomText.secret(), making] {
            #expect(try await !signsIn(device, challenge: challenge))
        }
        let bytes = try #require(Base64URL.bytes(authentication.passkeyChallenge()))
        for offset in bytes.indices {
            var changed = bytes
            changed[offset] ^= 1
            #expect(try await !signsIn(device, challenge: Base64URL.text(changed)))
        }
    }

    @Test(
        arguments: [
            ("elsewhere.test", nil), ("test", nil), (nil, "https://elsewhere.test"),
            (nil, "http://triptych.test"), (nil, "https://triptych.test:8443"),
            (nil, "https://a.triptych.test"),
        ] as [(String?, String?)]
    )
    func anAnswerForAnotherSiteIsRefused(party: String?, origin: String?) async throws {
        var device = SoftwareAuthenticator()
        try await add(device)
        var making = SoftwareAuthenticator()
        if let party { (device.relyingParty, making.relyingParty) = (party, party) }
        if let origin { (device.origin, making.origin) = (origin, origin) }
        #expect(try await !signsIn(device))
        #expect(try await !add(making))
    }

    @Test(arguments: [0b000, 0b001, 0b100, 0b1_0101] as [UInt8])
    func anAnswerWithoutUserVerificationIsRefused(flags: UInt8) async throws {
        var device = SoftwareAuthenticator()
        try await add(device)
        device.flags = flags
        #expect(try await !signsIn(device))
        var making = SoftwareAuthenticator()
        making.flags = flags
        #expect(try await !add(making))
    }

    @Test func aCrossOriginPageIsRefused() async throws {
        var device = SoftwareAuthenticator()
        try await add(device)
        device.isCrossOrigin = true
        #expect(try await !signsIn(device))
    }

    @Test func creatingAPasskeyIsNotSigningIn() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        let signing = try device.sign(authentication.passkeyChallenge(), type: "webauthn.create")
        guard case .refused = try await authentication.signIn(signing) else {
            Issue.record("what was made was taken for what was signed")
            return
        }
        let owner = try await owner()
        let other = SoftwareAuthenticator()
        let challenge = authentication.invitation(for: owner).challenge
        let making = try other.make(challenge, type: "webauthn.get")
        #expect(try await !authentication.addPasskey(making, for: owner))
    }

    @Test func everyByteOfASignedMessageIsChecked() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        let challenge = authentication.passkeyChallenge()
        let (data, client) = (device.data(), device.clientData("webauthn.get", challenge))
        let parts = [client, data, try device.signature(data, client)]
        for part in parts.indices {
            for offset in parts[part].indices {
                var changed = parts
                changed[part][offset] ^= 1
                let texts = changed.map { Base64URL.text($0) }
                let signing = PasskeyAssertion(
                    id: device.id,
                    clientData: texts[0],
                    data: texts[1],
                    signature: texts[2],
                    userHandle: nil
                )
                guard case .refused = try await authentication.signIn(try #require(signing)) else {
                    Issue.record("part \(part), byte \(offset)")
                    continue
                }
                _ = try await owner()
            }
        }
        #expect(try await signsIn(device, challenge: challenge))
    }

    @Test func aCounterThatGoesBackIsRefused() async throws {
        var device = SoftwareAuthenticator()
        device.signCount = 5
        try await add(device)
        #expect(try await !signsIn(device))
        device.signCount = 6
        #expect(try await signsIn(device))
        device.signCount = 0
        #expect(try await !signsIn(device))
    }

    @Test func aDisabledAccountOrARemovedPasskeyIsRefused() async throws {
        let device = SoftwareAuthenticator()
        try await add(device)
        let name = try AccountName("someone")
        try await authentication.setDisabled(true, name)
        #expect(try await !signsIn(device))
        try await authentication.setDisabled(false, name)
        #expect(try await signsIn(device))
        try await authentication.removePasskey(device.id, of: name)
        #expect(try await !signsIn(device))
        await #expect(throws: IdentityFault.noSuchPasskey(device.id)) {
            try await authentication.removePasskey(device.id, of: name)
        }
    }

    @Test func noPasskeyIsAddedToAnotherAccount() async throws {
        try await under.add("other")
        let (owner, other) = (try await owner(), try await owner("other"))
        let device = SoftwareAuthenticator()
        let challenge = authentication.invitation(for: owner).challenge
        #expect(try await !authentication.addPasskey(try device.make(challenge), for: other))
        #expect(try await authentication.addPasskey(try device.make(challenge), for: owner))
        // The same passkey is refused a second time, for this account and for another.
        #expect(try await !add(device))
        #expect(try await !add(device, to: "other"))
        #expect(try await !authentication.removePasskey(device.id, of: other))
        #expect(try await authentication.removePasskey(device.id, of: owner))
    }

    @Test func anotherUserHandleIsRefused() async throws {
        try await under.add("other")
        let device = SoftwareAuthenticator()
        try await add(device)
        let handle = authentication.invitation(for: try await owner("other")).userHandle
        let signing = try device.sign(authentication.passkeyChallenge(), userHandle: handle)
        guard case .refused = try await authentication.signIn(signing) else {
            Issue.record("another's handle was taken")
            return
        }
    }

    @Test func anAccountHasAtMostTwentyPasskeys() async throws {
        for _ in 0..<20 { #expect(try await add(SoftwareAuthenticator())) }
        #expect(try await !add(SoftwareAuthenticator()))
    }

    @Test func malformedAnswersAreRefused() async throws {
        let owner = try await owner()
        let device = SoftwareAuthenticator()
        let client = device.clientData(
            "webauthn.create",
            authentication.invitation(for: owner).challenge
        )
        let whole = device.attestation
        for count in whole.indices {
            let making = PasskeyRegistration(
                clientData: Base64URL.text(client),
                attestation: Base64URL.text(whole[..<count])
            )
            #expect(try await !authentication.addPasskey(try #require(making), for: owner))
        }
        let longer = PasskeyRegistration(
            clientData: Base64URL.text(client),
            attestation: Base64URL.text(whole + [0])
        )
        #expect(try await !authentication.addPasskey(try #require(longer), for: owner))
        #expect(PasskeyRegistration(clientData: "?", attestation: "") == nil)
        #expect(
            try await authentication.addPasskey(
                try device.make(authentication.invitation(for: owner).challenge),
                for: owner
            )
        )
    }
}
