import Testing

@testable import TripIdentity

@Suite struct SessionTests {
    @Test func aSessionEndsWhereItIsIdle() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        var grant = try await test.grant("someone")
        // Kept going for two hours by what is asked, a little under the limit each time.
        for _ in 0..<8 {
            test.clock.advance(by: 599)
            #expect(try await test.isGood(grant.accessToken))
            test.clock.advance(by: 629)
            grant = try #require(try await test.refresh(grant.refreshToken))
        }
        test.clock.advance(by: 630)
        #expect(try await test.refresh(grant.refreshToken) == nil)
    }

    /// What is asked with a token keeps a session going, also where it lives in memory alone.
    @Test func everyRequestCountsAsUse() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        let grant = try await test.grant("someone")
        test.clock.advance(by: 590)
        #expect(try await test.isGood(grant.accessToken))
        test.clock.advance(by: 620)
        #expect(try await test.refresh(grant.refreshToken) != nil)
    }

    /// What is changed of one account takes nothing from the others' ten minutes; nor does another start of the server.
    @Test(arguments: [true, false])
    func tenMinutesAreTenMinutesWhateverOthersDo(isStartedAgain: Bool) async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        try await test.add("someone-else")
        let grant = try await test.grant("someone")
        // Used just before the store would have been told.
        test.clock.advance(by: 29)
        #expect(try await test.isGood(grant.accessToken))
        if !isStartedAgain {
            let name = try AccountName("someone-else")
            try await test.authority.setPassword("another way to the sea", of: name)
        }
        test.clock.advance(by: isStartedAgain ? 600 : 629)
        let server = isStartedAgain ? try await test.otherProcess() : test.authority
        guard case .granted = try await server.refresh(grant.refreshToken, clientID: "dashboard")
        else {
            Issue.record("the session is over")
            return
        }
    }

    @Test func aSessionEndsAfterTwelveHoursWhateverHappens() async throws {
        let test = try await AuthorityUnderTest()
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

    @Test func signingOutEndsBothTokensAtOnce() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        for isByRefreshToken in [true, false] {
            let (grant, other) = (try await test.grant("someone"), try await test.grant("someone"))
            #expect(try await test.isGood(grant.accessToken))
            let token = isByRefreshToken ? grant.refreshToken : grant.accessToken
            try await test.authority.revoke(token, clientID: "elsewhere")
            #expect(try await test.isGood(grant.accessToken))
            try await test.authority.revoke(token, clientID: "dashboard")
            #expect(try await !test.isGood(grant.accessToken))
            #expect(try await test.refresh(grant.refreshToken) == nil)
            #expect(try await test.isGood(other.accessToken))
        }
    }

    /// What another process does is noticed within seconds.
    @Test func disablingAnAccountEndsItsSessions() async throws {
        let test = try await AuthorityUnderTest()
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
            case .refused = try await test.authority.signIn("someone", AuthorityUnderTest.password)
        else {
            Issue.record()
            return
        }
        try await test.otherProcess().setDisabled(false, AccountName("someone"))
        #expect(try await !test.isGood(grant.accessToken))
        _ = try await test.grant("someone")
    }

    @Test func anotherPasswordEndsSessions() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        let grant = try await test.grant("someone")
        try await test.authority.setPassword("a short way to the sea", of: AccountName("someone"))
        #expect(try await !test.isGood(grant.accessToken))
        #expect(try await test.refresh(grant.refreshToken) == nil)
    }

    @Test func otherRolesHoldWithinSeconds() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone", .viewer)
        let token = try await test.grant("someone").accessToken
        #expect(try await test.authority.session(of: token)?.account.access.roles == [.viewer])
        let access = Access(roles: [.analyst], regions: ["08", "a\tb"], seesNationalTotals: true)
        try await test.otherProcess().setAccess(access, of: AccountName("someone"))
        test.clock.advance(by: 5)
        #expect(try await test.authority.session(of: token)?.account.access == access)
    }

    @Test func aSessionOutlivesTheServer() async throws {
        let test = try await AuthorityUnderTest()
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
