import Testing

@testable import TripIdentity

@Suite struct AuthorizationCodeTests {
    @Test func aCodeIsGoodOnce() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        let verifier = RandomText.secret()
        let code = try await test.code("someone", verifier: verifier)
        let grant = try #require(try await test.redeem(code, verifier: verifier))
        #expect(try await test.isGood(grant.accessToken))
        // Whoever has it a second time: neither of the two is to be trusted.
        #expect(try await test.redeem(code, verifier: verifier) == nil)
        #expect(try await !test.isGood(grant.accessToken))
        #expect(try await test.refresh(grant.refreshToken) == nil)
    }

    @Test(arguments: ["verifier", "short verifier", "client", "redirect", "code", "time"])
    func aCodeIsGoodForWhomItWasMadeFor(wrong: String) async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        let verifier = RandomText.secret()
        let code = try await test.code("someone", verifier: verifier)
        test.clock.advance(by: wrong == "time" ? 60 : 59)
        let grant = try await test.redeem(
            wrong == "code" ? code + "A" : code,
            verifier: wrong == "verifier"
                ? RandomText.secret() : wrong == "short verifier" ? "short" : verifier,
            client: wrong == "client" ? "elsewhere" : "dashboard",
            redirectURI: AuthorityUnderTest.redirectURI + (wrong == "redirect" ? "x" : "")
        )
        #expect(grant == nil)
        // One try, and no other.
        if wrong != "code" { #expect(try await test.redeem(code, verifier: verifier) == nil) }
    }

    /// A sign-in that was under way with the old password comes to nothing.
    @Test(arguments: ["password", "disabled"])
    func noCodeIsGivenToWhoMayNotSignInAnyMore(change: String) async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        let name = try AccountName("someone")
        let outcome = try await test.authority.signIn("someone", AuthorityUnderTest.password)
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
                redirectURI: AuthorityUnderTest.redirectURI,
                challenge: RandomText.mark("x")
            )
        )
        #expect(try await test.authority.code(request, for: signedIn) == nil)
    }

    @Test(arguments: [
        "", "short", String(repeating: "A", count: 44), String(repeating: "+", count: 43),
    ])
    func whatIsNoChallengeIsRefused(challenge: String) {
        let request = AuthorizationRequest(
            clientID: "dashboard",
            redirectURI: "https://dashboard.test/",
            challenge: challenge
        )
        #expect(request == nil)
    }
}
