import Testing
import TripCrypto

@Suite struct LibcryptoTests {
    @Test func everyAlgorithmIsThere() throws {
        try Libcrypto.check()
    }

    @Test func manyThreadsMayUseTheAlgorithmsAtOnce() async {
        let key = SecretKey(Array(0..<32))
        let results = await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<32 {
                group.addTask {
                    let wrapped = AESKeyWrap.wrap(SHA256.hash([1, 2, 3]), key: key)
                    let hmac = HMACSHA256(key: key)
                    return wrapped.withUnsafeBytes { hmac.withCode(of: $0) { Array($0) } }
                }
            }
            return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(results.count == 1)
    }
}
