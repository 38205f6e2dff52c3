import Testing

@testable import TripIdentity

@Suite struct OpenSessionTests {
    private let under: AuthenticationServiceUnderTest

    private var authentication: AuthenticationService { under.authentication }

    init() async throws {
        under = try await AuthenticationServiceUnderTest()
        try await under.add("someone")
        try await under.add("someone-else")
    }

    /// A sign-in of a moment ago.
    private func owner(_ name: String = "someone") async throws -> AuthenticationService.SignedIn {
        let signIn = try await authentication.signIn(name, AuthenticationServiceUnderTest.password)
        guard case .accepted(let signedIn) = signIn else {
            throw IdentityFault.noSuchAccount(name)
        }
        return signedIn
    }

    /// The open sessions of an account.
    private func open(_ name: String = "someone") async throws -> [OpenSession] {
        try await authentication.openSessions(of: try await owner(name).account)
    }

    /// The entries of the record about ended sessions.
    private func endings() throws -> [AccessEntry] {
        let events: Set<AccessEntry.Event> = [.signedOut, .sessionEnded, .sessionsEnded]
        return try authentication.record.read().entries.filter { events.contains($0.event) }
    }

    @Test func ownersSeeTheirOwnSessionsAloneTheLastUsedFirst() async throws {
        let began = under.clock.now
        let first = try await under.grant("someone")
        under.clock.advance(by: 60)
        _ = try await under.grant("someone", client: "sheet")
        _ = try await under.grant("someone-else", client: "elsewhere")
        #expect(try await open().map(\.clientID) == ["sheet", "dashboard"])
        #expect(try await open().map(\.startedAt) == [began + 60, began])
        // The store has not learned of the second use yet.
        for seconds: Int64 in [10, 5] {
            under.clock.advance(by: seconds)
            #expect(try await under.isGood(first.accessToken))
        }
        let later = try await open()
        #expect(later.map(\.clientID) == ["dashboard", "sheet"])
        #expect(later.map(\.lastUsedAt) == [began + 75, began + 60])
        #expect(later.allSatisfy { $0.handle != first.session.id })
    }

    /// The mark is a look-up: the token goes on, and names nothing of another account.
    @Test func theSessionOfTheBrowserThatShowsThemIsMarked() async throws {
        let grants = [try await under.grant("someone"), try await under.grant("someone")]
        let other = try await under.grant("someone-else")
        let account = grants[0].session.account
        for token in [nil, "none", "", other.refreshToken, grants[0].accessToken] {
            let found = try await authentication.openSessions(of: account, here: token)
            #expect(found.map(\.isHere) == [false, false])
        }
        var marked = Set<String>()
        for grant in grants {
            let next = try #require(try await under.refresh(grant.refreshToken)).refreshToken
            // The token before belongs to the same session.
            for token in [next, grant.refreshToken] {
                let found = try await authentication.openSessions(of: account, here: token)
                let here = found.filter(\.isHere)
                #expect(here.count == 1)
                marked.formUnion(here.map(\.handle))
            }
            #expect(try await under.refresh(next) != nil)
        }
        #expect(marked.count == 2)
    }

    @Test func sessionsThatAreOverAreNotListed() async throws {
        let grant = try await under.grant("someone")
        under.clock.advance(by: 300)
        _ = try await under.grant("someone", client: "sheet")
        under.clock.advance(by: 330)
        #expect(try await open().map(\.clientID) == ["sheet"])
        #expect(try await !under.isGood(grant.accessToken))
    }

    @Test func anEndedSessionIsInvalidAndTheOthersGoOn() async throws {
        let (grant, other) = (try await under.grant("someone"), try await under.grant("someone"))
        let handle = try #require(try await open().first?.handle)
        let elsewhere = try await under.otherProcess()
        for each in [grant, other] {
            #expect(try await under.isGood(each.accessToken))
            #expect(try await elsewhere.session(of: each.accessToken) != nil)
        }
        #expect(try await authentication.endSession(handle, of: try await owner()))
        let left = try #require(try await open().first?.handle)
        #expect(left != handle)
        let isFirstGood = try await under.isGood(grant.accessToken)
        #expect(try await under.isGood(other.accessToken) != isFirstGood)
        let (ended, kept) = isFirstGood ? (other, grant) : (grant, other)
        #expect(try await under.refresh(ended.refreshToken) == nil)
        #expect(try await under.refresh(kept.refreshToken) != nil)
        under.clock.advance(by: authentication.limits.cacheTime)
        #expect(try await elsewhere.session(of: ended.accessToken) == nil)
        #expect(try await elsewhere.session(of: kept.accessToken) != nil)
        // An ended session is no longer one of the owner's.
        #expect(try await !authentication.endSession(handle, of: try await owner()))
        #expect(try endings().map(\.event) == [.sessionEnded])
        #expect(try endings().map(\.account) == [kept.session.account.id])
    }

    @Test func theHandleOfAnotherAccountsSessionEndsNothing() async throws {
        let grant = try await under.grant("someone")
        let handle = try #require(try await open().first?.handle)
        for handle in [handle, grant.session.id, ""] {
            #expect(
                try await !authentication.endSession(handle, of: try await owner("someone-else"))
            )
        }
        #expect(try await under.isGood(grant.accessToken))
        #expect(try endings() == [])
    }

    @Test func aSignInWithAReplacedPasswordEndsNothing() async throws {
        let late = try await owner()
        try await authentication.setPassword(
            AuthenticationServiceUnderTest.password,
            of: late.account.name
        )
        let grant = try await under.grant("someone")
        let handle = try #require(try await open().first?.handle)
        #expect(try await !authentication.endSession(handle, of: late))
        #expect(try await !authentication.endSessions(of: late))
        #expect(try await under.isGood(grant.accessToken))
        #expect(try endings() == [])
    }

    /// The caller who ends all sessions; the last one ends those of all accounts.
    enum Asker: CaseIterable {
        case owner
        case operatorOfOne
        case operatorOfAll
    }

    @Test(arguments: Asker.allCases)
    func allSessionsOfOneAccountOrOfAllEnd(asker: Asker) async throws {
        let grants = [try await under.grant("someone"), try await under.grant("someone")]
        let other = try await under.grant("someone-else")
        let verifier = RandomText.secret()
        let code = try await under.code("someone", verifier: verifier)
        for each in grants + [other] { #expect(try await under.isGood(each.accessToken)) }
        switch asker {
        case .owner: #expect(try await authentication.endSessions(of: try await owner()))
        case .operatorOfOne: try await authentication.endSessions(of: try AccountName("someone"))
        case .operatorOfAll: try await authentication.endAllSessions()
        }
        for each in grants {
            #expect(try await !under.isGood(each.accessToken))
            #expect(try await under.refresh(each.refreshToken) == nil)
        }
        // A code that was issued before must not begin a session.
        #expect(try await under.redeem(code, verifier: verifier) == nil)
        #expect(try await under.isGood(other.accessToken) == (asker != .operatorOfAll))
        let expected: AccessEntry =
            switch asker {
            case .owner:
                AccessEntry(
                    .sessionsEnded,
                    at: under.clock.now,
                    account: grants[0].session.account.id,
                    detail: "owner"
                )
            case .operatorOfOne:
                AccessEntry(.sessionsEnded, at: under.clock.now, subject: "someone")
            case .operatorOfAll:
                AccessEntry(.sessionsEnded, at: under.clock.now, detail: "everybody")
            }
        #expect(try endings() == [expected])
        _ = try await under.grant("someone")
    }

    /// An open page of `/account` could otherwise add a passkey or set a password.
    @Test(arguments: Asker.allCases)
    func ticketsOfOtherPagesBecomeInvalid(asker: Asker) async throws {
        let (owner, elsewhere) = (try await owner(), try await owner())
        let tickets = [owner, elsewhere].map { authentication.ticket(for: $0) }
        let others = authentication.ticket(for: try await self.owner("someone-else"))
        // A ticket that was checked just before.
        let held = try #require(try await authentication.holder(of: tickets[1]))
        switch asker {
        case .owner: #expect(try await authentication.endSessions(of: owner))
        case .operatorOfOne: try await authentication.endSessions(of: try AccountName("someone"))
        case .operatorOfAll: try await authentication.endAllSessions()
        }
        for ticket in tickets { #expect(try await authentication.holder(of: ticket) == nil) }
        for late in [elsewhere, held] {
            #expect(try await !authentication.mayManageAccount(late))
            #expect(try await !authentication.endSessions(of: late))
        }
        #expect(
            try await (authentication.holder(of: others) == nil) == (asker == .operatorOfAll)
        )
        // After another sign-in the owner can manage the account.
        let again = authentication.ticket(for: try await self.owner())
        #expect(try await authentication.holder(of: again) != nil)
    }

    /// The page on which an owner ends all sessions goes on, unless someone else ends them as well.
    @Test func thePageThatEndedTheSessionsGoesOn() async throws {
        var owner = try await owner()
        for _ in 0..<2 {
            #expect(
                try await authentication.holder(of: authentication.ticket(for: owner.afterSignOut))
                    == nil
            )
            #expect(try await authentication.endSessions(of: owner))
            let ticket = authentication.ticket(for: owner.afterSignOut)
            owner = try #require(try await authentication.holder(of: ticket))
        }
        #expect(try await authentication.endSessions(of: owner))
        try await authentication.endSessions(of: try AccountName("someone"))
        let ticket = authentication.ticket(for: owner.afterSignOut)
        #expect(try await authentication.holder(of: ticket) == nil)
    }

    /// Repeated sign-outs must not keep a page open.
    @Test func theNextTicketExpiresNoLaterThanTheOneBefore() async throws {
        let owner = try await owner()
        let first = authentication.ticket(for: owner)
        under.clock.advance(by: 599)
        #expect(try await authentication.endSessions(of: owner))
        let next = authentication.ticket(for: owner.afterSignOut, inPlaceOf: first)
        #expect(try await authentication.holder(of: next) != nil)
        under.clock.advance(by: 1)
        #expect(try await authentication.holder(of: next) == nil)
        let none = authentication.ticket(for: owner.afterSignOut, inPlaceOf: "none")
        #expect(try await authentication.holder(of: none) == nil)
    }

    @Test func endingTheSessionsOfAnUnknownNameIsAFault() async throws {
        await #expect(throws: IdentityFault.noSuchAccount("nobody")) {
            try await authentication.endSessions(of: try AccountName("nobody"))
        }
        #expect(try endings() == [])
    }

    @Test func aSignOutIsRecordedOnceAndARefreshIsNot() async throws {
        var grant = try await under.grant("someone")
        grant = try #require(try await under.refresh(grant.refreshToken))
        #expect(try endings() == [])
        for token in [grant.refreshToken, grant.accessToken, "none"] {
            try await authentication.revoke(token, clientID: "dashboard")
        }
        #expect(try endings().map(\.event) == [.signedOut])
        #expect(try endings().map(\.account) == [grant.session.account.id])
    }
}
