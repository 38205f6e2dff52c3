import Testing

@testable import TripIdentity

@Suite struct AuthorizationCodeTests {
    @Test func aCodeIsValidOnce() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let verifier = RandomText.secret()
        let code = try await test.code("someone", verifier: verifier)
        let grant = try #require(try await test.redeem(code, verifier: verifier))
        #expect(try await test.isGood(grant.accessToken))
        // After a second use neither of the two clients can be trusted.
        #expect(try await test.redeem(code, verifier: verifier) == nil)
        #expect(try await !test.isGood(grant.accessToken))
        #expect(try await test.refresh(grant.refreshToken) == nil)
    }

    @Test(arguments: ["verifier", "short verifier", "client", "redirect", "code", "time"])
    func aCodeIsValidForItsClientAlone(wrong: String) async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let verifier = RandomText.secret()
        let code = try await test.code("someone", verifier: verifier)
        test.clock.advance(by: wrong == "time" ? 60 : 59)
        let grant = try await test.redeem(
            wrong == "code" ? code + "A" : code,
            verifier: wrong == "verifier"
                ? RandomText.secret() : wrong == "short verifier" ? "short" : verifier,
            client: wrong == "client" ? "elsewhere" : "dashboard",
            redirectURI: AuthenticationServiceUnderTest.redirectURI
                + (wrong == "redirect" ? "x" : "")
        )
        #expect(grant == nil)
        // One attempt uses the code up.
        if wrong != "code" { #expect(try await test.redeem(code, verifier: verifier) == nil) }
    }

    /// A sign-in that was under way with the old password fails.
    @Test(arguments: ["password", "disabled"])
    func noCodeIsIssuedAfterTheSignInBecameInvalid(change: String) async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let name = try AccountName("someone")
        let outcome = try await test.authentication.signIn(
            "someone",
            AuthenticationServiceUnderTest.password
        )
        guard case .accepted(let signedIn) = outcome else {
            Issue.record()
            return
        }
        if change == "password" {
            try await test.otherProcess().setPassword("a short way to the sea", of: name)
        } else {
            try await test.otherProcess().setDisabled(true, name)
        }
        let request = try #require(
            AuthorizationRequest(
                clientID: "dashboard",
                redirectURI: AuthenticationServiceUnderTest.redirectURI,
                challenge: RandomText.mark("x")
            )
        )
        #expect(try await test.authentication.code(request, for: signedIn) == nil)
    }

    @Test(arguments: [
        "", "short", String(repeating: "A", count: 44), String(repeating: "+", count: 43),
    ])
    func anInvalidChallengeIsRefused(challenge: String) {
        let request = AuthorizationRequest(
            clientID: "dashboard",
            redirectURI: "https://dashboard.test/",
            challenge: challenge
        )
        #expect(request == nil)
    }
}
