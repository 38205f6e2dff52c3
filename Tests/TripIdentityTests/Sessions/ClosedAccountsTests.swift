import Testing

@testable import TripIdentity

@Suite struct ClosedAccountsTests {
    /// Counts failures of a name, as guesses would.
    private func fail(
        _ name: String,
        _ count: Int,
        _ test: AuthenticationServiceUnderTest
    ) async throws {
        let mark = test.authentication.mark(try AccountName(name))
        var now = test.clock.now
        for _ in 0..<count {
            let moment = now
            try await test.authentication.store.changing { db in
                _ = try SignInFailures.begin(mark, moment, db)
            }
            now += 901
        }
    }

    @Test func anAccountIsClosedAfterAHundredFailuresUntilItsPasswordIsSet() async throws {
        let test = try await AuthenticationServiceUnderTest()
        for name in ["guessed", "mistyped", "other"] { try await test.add(name) }
        try await fail("guessed", 100, test)
        try await fail("mistyped", 99, test)
        try await fail("nobody", 100, test)
        let accounts = try await test.authentication.accounts()
        let closed = try await test.authentication.closedAccounts()
        #expect(accounts.filter { closed.contains($0.id) }.map(\.name.text) == ["guessed"])
        #expect(closed.count == 1)
        let name = try AccountName("guessed")
        try await test.authentication.setPassword(AuthenticationServiceUnderTest.password, of: name)
        #expect(try await test.authentication.closedAccounts().isEmpty)
    }
}
