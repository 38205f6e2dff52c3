import Testing

@testable import TripIdentity

@Suite struct SigningKeysTests {
    @Test func aNewKeySignsAndTheOldVerifiesForAnHour() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let old = try await test.grant("someone")
        let oldKeys = try await test.authentication.publicKeys()
        let id = try await test.otherProcess().rotateKeys()
        test.clock.advance(by: 5)
        let new = try await test.grant("someone")
        #expect(try await test.authentication.publicKeys().map(\.id) == [id] + oldKeys.map(\.id))
        #expect(TokenHeader.keyID(of: new.accessToken) == id)
        #expect(TokenHeader.keyID(of: old.accessToken) == oldKeys.first?.id)
        #expect(try await test.isGood(old.accessToken))
        #expect(try await test.isGood(new.accessToken))
        test.clock.advance(by: 3601)
        #expect(try await test.authentication.publicKeys().map(\.id) == [id])
    }

    @Test func aWithdrawnKeyVerifiesNothing() async throws {
        let test = try await AuthenticationServiceUnderTest()
        try await test.add("someone")
        let grant = try await test.grant("someone")
        #expect(try await test.isGood(grant.accessToken))
        let id = try await test.otherProcess().rotateKeys(withdrawing: true)
        test.clock.advance(by: 5)
        #expect(try await !test.isGood(grant.accessToken))
        #expect(try await test.authentication.publicKeys().map(\.id) == [id])
        let next = try #require(try await test.refresh(grant.refreshToken))
        #expect(try await test.isGood(next.accessToken))
    }

    @Test func aLaterRotationRemovesExpiredKeys() async throws {
        let test = try await AuthenticationServiceUnderTest()
        for _ in 0..<4 {
            test.clock.advance(by: 4000)
            try await test.authentication.rotateKeys()
        }
        #expect(try SigningKeys.names(test.folder).count == 2)
        for _ in 0..<4 { try await test.authentication.rotateKeys() }
        test.clock.advance(by: 5)
        #expect(try await test.authentication.publicKeys().count == 6)
    }
}
