import Testing

@testable import TripIdentity

@Suite struct SessionTests {
    @Test func anIdleSessionEnds() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        var grant = try await test.grant("someone")
        // Requests keep the session open for two hours, each a little before the limit.
        for _ in 0..<8 {
            test.clock.advance(by: 599)
            #expect(try await test.isGood(grant.accessToken))
            test.clock.advance(by: 629)
            grant = try #require(try await test.refresh(grant.refreshToken))
        }
        test.clock.advance(by: 630)
        #expect(try await test.refresh(grant.refreshToken) == nil)
    }

    /// Requests with an access token keep a session open, also where only this process knows of
    /// them.
    @Test func everyRequestCountsAsUse() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let grant = try await test.grant("someone")
        test.clock.advance(by: 590)
        #expect(try await test.isGood(grant.accessToken))
        test.clock.advance(by: 620)
        #expect(try await test.refresh(grant.refreshToken) != nil)
    }

    /// Changes of one account do not shorten the idle time of others, nor does a restart of the
    /// server.
    @Test(arguments: [true, false])
    func theIdleTimeDoesNotDependOnOtherAccounts(isStartedAgain: Bool) async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        try await test.add("someone-else")
        let grant = try await test.grant("someone")
        // Used just before the store would have learned of it.
        test.clock.advance(by: 29)
        #expect(try await test.isGood(grant.accessToken))
        if !isStartedAgain {
            let name = try AccountName("someone-else")
            try await test.authentication.setPassword("another way to the sea", of: name)
        }
        test.clock.advance(by: isStartedAgain ? 600 : 629)
        let server = isStartedAgain ? try await test.otherProcess() : test.authentication
        guard case .granted = try await server.refresh(grant.refreshToken, clientID: "dashboard")
        else {
            Issue.record("the session is over")
            return
        }
    }

    @Test func aSessionEndsAfterTwelveHours() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        var grant = try await test.grant("someone")
        for _ in 0..<71 {
            test.clock.advance(by: 600)
            grant = try #require(try await test.refresh(grant.refreshToken))
        }
        #expect(try await test.isGood(grant.accessToken))
        test.clock.advance(by: 600)
        #expect(try await !test.isGood(grant.accessToken))
        #expect(try await test.refresh(grant.refreshToken) == nil)
    }

    @Test func signingOutInvalidatesBothTokensAtOnce() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        for isByRefreshToken in [true, false] {
            let (grant, other) = (try await test.grant("someone"), try await test.grant("someone"))
            #expect(try await test.isGood(grant.accessToken))
            let token = isByRefreshToken ? grant.refreshToken : grant.accessToken
            try await test.authentication.revoke(token, clientID: "elsewhere")
            #expect(try await test.isGood(grant.accessToken))
            try await test.authentication.revoke(token, clientID: "dashboard")
            #expect(try await !test.isGood(grant.accessToken))
            #expect(try await test.refresh(grant.refreshToken) == nil)
            #expect(try await test.isGood(other.accessToken))
        }
    }

    /// A change by another process is noticed within seconds.
    @Test func disablingAnAccountEndsItsSessions() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        try await test.add("someone-else")
        let (grant, other) = (try await test.grant("someone"), try await test.grant("someone-else"))
        let verifier = RandomText.secret()
        let code = try await test.code("someone", verifier: verifier)
        #expect(try await test.isGood(grant.accessToken))
        try await test.otherProcess().setDisabled(true, AccountName("someone"))
        test.clock.advance(by: 5)
        #expect(try await !test.isGood(grant.accessToken))
        #expect(try await test.refresh(grant.refreshToken) == nil)
        #expect(try await test.redeem(code, verifier: verifier) == nil)
        #expect(try await test.isGood(other.accessToken))
        guard
            case .refused = try await test.authentication.signIn(
                "someone",
                AuthenticationServiceUnderTest.password
            )
        else {
            Issue.record()
            return
        }
        try await test.otherProcess().setDisabled(false, AccountName("someone"))
        #expect(try await !test.isGood(grant.accessToken))
        _ = try await test.grant("someone")
    }

    @Test func anotherPasswordEndsSessions() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let grant = try await test.grant("someone")
        try await test.authentication.setPassword(
            "a short way to the sea",
            of: AccountName("someone")
        )
        #expect(try await !test.isGood(grant.accessToken))
        #expect(try await test.refresh(grant.refreshToken) == nil)
    }

    @Test func otherRolesApplyWithinSeconds() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone", .viewer)
        let token = try await test.grant("someone").accessToken
        #expect(try await test.authentication.session(of: token)?.account.access.roles == [.viewer])
        let access = Access(roles: [.analyst], regions: ["08", "a\tb"], seesNationalTotals: true)
        try await test.otherProcess().setAccess(access, of: AccountName("someone"))
        test.clock.advance(by: 5)
        #expect(try await test.authentication.session(of: token)?.account.access == access)
    }

    @Test func aSessionSurvivesARestart() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let grant = try await test.grant("someone")
        let later = try await test.otherProcess()
        #expect(try await later.session(of: grant.accessToken)?.account.name.text == "someone")
        guard case .granted = try await later.refresh(grant.refreshToken, clientID: "dashboard")
        else {
            Issue.record()
            return
        }
    }
}
