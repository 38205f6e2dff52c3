import Testing

@testable import TripIdentity

@Suite struct RandomTextTests {
    /// The number of samples: with a correct generator, six standard deviations are 95.
    private static let count = 1_000

    @Test(arguments: [16, 32])
    func everyBitIsSetInAboutHalf(size: Int) throws {
        let drawn = (0..<Self.count).map { _ in RandomText.bytes(size) }
        #expect(drawn.allSatisfy { $0.count == size } && Set(drawn).count == Self.count)
        for index in 0..<size {
            for bit in 0..<8 {
                let setCount = drawn.count { $0[index] >> bit & 1 == 1 }
                #expect((390...610).contains(setCount), "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func secretsHave256BitsAndIdentifiers128() throws {
        #expect(try #require(Base64URL.bytes(RandomText.secret())).count == 32)
        #expect(try #require(Base64URL.bytes(RandomText.identifier())).count == 16)
    }
}
