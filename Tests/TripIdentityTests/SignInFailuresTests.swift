import Testing

@testable import TripIdentity

@Suite struct SignInFailuresTests {
    @Test func closingDoublesAfterTenAndIsForGoodAfterAHundred() {
        #expect((1..<10).map { SignInFailures.closing(after: $0) } == Array(repeating: 0, count: 9))
        #expect((10...14).map { SignInFailures.closing(after: $0) } == [1, 2, 4, 8, 16])
        #expect((20..<100).allSatisfy { SignInFailures.closing(after: $0) == 900 })
        #expect(SignInFailures.closing(after: 100) > 365 * 24 * 3600)
    }

    @Test(arguments: ["someone", "nobody.else", "no name at all"])
    func aNameClosesAfterTenFailuresWhetherSomebodyHasItOrNot(name: String) async throws {
        let test = try await AuthorityUnderTest()
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
        guard case .closed(1) = try await test.try(name) else {
            Issue.record()
            return
        }
        // The right one does not help while it is closed, and then it does.
        guard case .closed = try await test.authority.signIn(name, AuthorityUnderTest.password)
        else {
            Issue.record()
            return
        }
        test.clock.advance(by: 1)
        let outcome = try await test.authority.signIn(name, AuthorityUnderTest.password)
        if case .accepted = outcome {
            #expect(name == "someone")
        } else {
            #expect(name != "someone")
        }
    }

    /// Ten thousand guesses at one a second: a hundred are looked at.
    @Test func aHundredGuessesAreLookedAt() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        var lookedAt = 0
        for _ in 0..<200_000 where lookedAt < 100 {
            if case .refused = try await test.try("someone") {
                lookedAt += 1
            } else {
                test.clock.advance(by: 900)
            }
        }
        test.clock.advance(by: 365 * 24 * 3600)
        guard case .closed = try await test.authority.signIn("someone", AuthorityUnderTest.password)
        else {
            Issue.record()
            return
        }
        #expect(lookedAt == 100)
        // Whoever sets the password opens it again.
        try await test.authority.setPassword(
            AuthorityUnderTest.password,
            of: AccountName("someone")
        )
        guard
            case .accepted = try await test.authority.signIn("someone", AuthorityUnderTest.password)
        else {
            Issue.record()
            return
        }
    }

    @Test func attemptsAtOnceDoNotOutrunTheCount() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    // Whoever finds no seat comes again.
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

    /// Whoever finds no seat has not failed: a flood of strangers closes nobody's name.
    @Test func whoFindsNoSeatHasNotFailed() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        var seats: [HashingBench.Seat] = []
        while let seat = test.authority.bench.seat() { seats.append(seat) }
        #expect(seats.count == 8)
        for _ in 0..<20 {
            guard
                case .busy = try await test.authority.signIn("someone", AuthorityUnderTest.password)
            else {
                Issue.record()
                return
            }
        }
        seats.forEach(test.authority.bench.leave)
        _ = try await test.grant("someone")
    }

    @Test func successForgetsFailures() async throws {
        let test = try await AuthorityUnderTest()
        try await test.add("someone")
        for _ in 0..<5 {
            for _ in 0..<9 { _ = try await test.try("someone") }
            _ = try await test.grant("someone")
        }
    }
}

extension AuthorityUnderTest {
    /// Signs in with a wrong password.
    fileprivate func `try`(_ name: String) async throws -> Authority.SignIn {
        try await authority.signIn(name, Self.wrongPassword)
    }
}
