import Testing

@testable import TripIdentity

@Suite struct RefreshTokenTests {
    @Test func eachTokenIsFollowedByAnother() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        var grant = try await test.grant("someone")
        var seen: Set<String> = []
        for _ in 0..<10 {
            #expect(seen.insert(grant.refreshToken).inserted)
            #expect(seen.insert(grant.accessToken).inserted)
            test.clock.advance(by: 30)
            grant = try #require(try await test.refresh(grant.refreshToken))
        }
        #expect(try await test.refresh(grant.refreshToken + "A") == nil)
        #expect(try await test.refresh(grant.refreshToken, client: "elsewhere") == nil)
        #expect(try await test.refresh(grant.refreshToken) != nil)
    }

    /// Several requests at once are not a theft.
    @Test func eightRefreshesAtOnceLockNoClientOut() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        var grant = try await test.grant("someone")
        for _ in 0..<40 {
            let token = grant.refreshToken
            let grants = try await withThrowingTaskGroup(of: AuthenticationService.Grant?.self) {
                group in
                for _ in 0..<8 { group.addTask { try await test.refresh(token) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(grants.allSatisfy { $0 != nil })
            #expect(Set(grants.compactMap { $0?.refreshToken }).count == 1)
            grant = try #require(grants.first ?? nil)
            #expect(try await test.isGood(grant.accessToken))
            test.clock.advance(by: 100)
        }
    }

    /// A client with several requests at once gets a token that is still valid.
    @Test func aTokenUsedAgainWithinTheGracePeriodLeadsToTheLastOne() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let first = try await test.grant("someone")
        var last = first
        for _ in 0..<3 { last = try #require(try await test.refresh(last.refreshToken)) }
        test.clock.advance(by: 20)
        let late = try #require(try await test.refresh(first.refreshToken))
        #expect(late.refreshToken == last.refreshToken)
        test.clock.advance(by: 60)
        #expect(try await test.refresh(late.refreshToken) != nil)
    }

    @Test func aTokenUsedAgainLaterEndsTheSession() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let first = try await test.grant("someone")
        let second = try #require(try await test.refresh(first.refreshToken))
        test.clock.advance(by: 20)
        #expect(try await test.refresh(first.refreshToken)?.refreshToken == second.refreshToken)
        test.clock.advance(by: 1)
        guard
            case .reused(let session) = try await test.authentication.refresh(
                first.refreshToken,
                clientID: "dashboard"
            )
        else {
            Issue.record()
            return
        }
        #expect(session.account.name.text == "someone")
        #expect(try await test.refresh(second.refreshToken) == nil)
        #expect(try await !test.isGood(second.accessToken))
    }
}
