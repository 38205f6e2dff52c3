import Testing

@testable import TripIdentity

@Suite struct SignInFailuresTests {
    @Test func theClosedTimeDoublesAfterTenAndIsPermanentAfterAHundred() {
        #expect((1..<10).map { SignInFailures.closing(after: $0) } == Array(repeating: 0, count: 9))
        #expect((10...14).map { SignInFailures.closing(after: $0) } == [1, 2, 4, 8, 16])
        #expect((20..<100).allSatisfy { SignInFailures.closing(after: $0) == 900 })
        #expect(SignInFailures.closing(after: 100) > 365 * 24 * 3600)
    }

    @Test(arguments: ["someone", "nobody.else", "no name at all"])
    func knownAndUnknownNamesCloseAfterTenFailures(name: String) async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        for _ in 0..<9 {
            guard case .refused = try await test.try(name) else {
                Issue.record()
                return
            }
        }
        guard case .refused = try await test.try(name) else {
            Issue.record()
            return
        }
        // Closed for a whole second, whatever is left of the one that runs.
        guard case .closed(2) = try await test.try(name) else {
            Issue.record()
            return
        }
        // While the name is closed, the right password does not help; after that it does.
        guard
            case .closed = try await test.authentication.signIn(
                name,
                AuthenticationServiceUnderTest.password
            )
        else {
            Issue.record()
            return
        }
        test.clock.advance(by: 2)
        let outcome = try await test.authentication.signIn(
            name,
            AuthenticationServiceUnderTest.password
        )
        if case .accepted = outcome {
            #expect(name == "someone")
        } else {
            #expect(name != "someone")
        }
    }

    /// Of ten thousand guesses, one per second, a hundred are checked.
    @Test func aHundredGuessesAreChecked() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        var lookedAt = 0
        for _ in 0..<200_000 where lookedAt < 100 {
            if case .refused = try await test.try("someone") {
                lookedAt += 1
            } else {
                test.clock.advance(by: 901)
            }
        }
        test.clock.advance(by: 365 * 24 * 3600)
        guard
            case .closed = try await test.authentication.signIn(
                "someone",
                AuthenticationServiceUnderTest.password
            )
        else {
            Issue.record()
            return
        }
        #expect(lookedAt == 100)
        // Setting the password opens the name again.
        try await test.authentication.setPassword(
            AuthenticationServiceUnderTest.password,
            of: AccountName("someone")
        )
        guard
            case .accepted = try await test.authentication.signIn(
                "someone",
                AuthenticationServiceUnderTest.password
            )
        else {
            Issue.record()
            return
        }
    }

    @Test func attemptsAtOnceDoNotOutrunTheCount() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    // A sign-in without a place in the queue is tried again.
                    while true {
                        switch try await test.try("someone") {
                        case .busy: await Task.yield()
                        case .refused: return true
                        default: return false
                        }
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(refused == 10)
    }

    /// A caller who finds no space in the queue has not failed: a flood of tries closes no name.
    @Test func aTryThatFindsNoSpaceHasNotFailed() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        var taken: [BoundedQueue.Reservation] = []
        while let space = test.authentication.hashing.reserve() { taken.append(space) }
        #expect(taken.count == 8)
        for _ in 0..<20 {
            guard
                case .busy = try await test.authentication.signIn(
                    "someone",
                    AuthenticationServiceUnderTest.password
                )
            else {
                Issue.record()
                return
            }
        }
        taken.forEach(test.authentication.hashing.release)
        _ = try await test.grant("someone")
    }

    @Test func aSuccessfulSignInResetsTheFailures() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        for _ in 0..<5 {
            for _ in 0..<9 { _ = try await test.try("someone") }
            _ = try await test.grant("someone")
        }
    }
}

extension AuthenticationServiceUnderTest {
    /// Signs in with a wrong password.
    fileprivate func `try`(_ name: String) async throws -> AuthenticationService.SignIn {
        try await authentication.signIn(name, Self.wrongPassword)
    }
}
