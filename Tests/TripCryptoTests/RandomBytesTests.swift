import Testing
import TripCrypto

@Suite struct RandomBytesTests {
    @Test func bytesAreManyAndDiffer() throws {
        #expect(try RandomBytes.make(0).isEmpty)
        let nonces = try (0..<100).map { _ in try RandomBytes.make(12) }
        #expect(nonces.allSatisfy { $0.count == 12 })
        #expect(Set(nonces).count == 100)
        // More than the generator gives in one request of its own.
        let many = try RandomBytes.make(1 << 18)
        #expect(many.count == 1 << 18)
        let counts = many.reduce(into: [Int](repeating: 0, count: 256)) { $0[Int($1)] += 1 }
        #expect(counts.allSatisfy { (700...1400).contains($0) })
    }
}
