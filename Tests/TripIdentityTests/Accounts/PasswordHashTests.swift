import Testing

@testable import TripIdentity

@Suite struct PasswordHashTests {
    /// RFC 7914 §12; of the 64 bytes there the first 32, which do not depend on the length.
    @Test(arguments: [
        ("", "", 4, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
        (
            "password", "NaCl", 10, 8, 16,
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        ),
    ])
    func theVectorsOfTheStandardHold(
        password: String,
        salt: String,
        ln: Int,
        r: Int,
        p: Int,
        expected: String
    ) {
        let hash = PasswordHash.derive(
            password,
            Array(salt.utf8),
            PasswordHash.Cost(ln: ln, r: r, p: p)
        )
        let digits = Array("0123456789abcdef")
        #expect(String(hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) == expected)
    }

    @Test func usualCostTakes128MiB() {
        let cost = PasswordHash.Cost.usual
        #expect((1 << cost.ln) * cost.r * 128 == 128 << 20)
        #expect(
            PasswordHash("a long way to the river", cost: cost).matches("a long way to the river")
        )
    }

    @Test func onlyThePasswordItselfMatches() {
        let hash = PasswordHash("a long way to the river", cost: .least)
        #expect(hash.matches("a long way to the river"))
        for other in [
            "", "a long way to the rivers", "A long way to the river", "a long way to the rive",
        ] {
            #expect(!hash.matches(other))
        }
    }

    @Test func onePasswordHasManyHashes() {
        let hashes = (0..<8).map { _ in PasswordHash("a long way", cost: .least).text }
        #expect(Set(hashes).count == 8)
    }

    @Test func aHashIsReadBackFromItsText() throws {
        let hash = PasswordHash("a long way to the river", cost: .least)
        let read = try #require(PasswordHash(text: hash.text))
        #expect(read == hash)
        #expect(read.matches("a long way to the river"))
    }

    @Test(arguments: [
        "", "scrypt", "$scrypt$$$", "$argon2id$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AA",
        "$scrypt$ln=40,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=8$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$",
        "$scrypt$r=8,ln=4,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func aTextThatIsNoHashIsRefused(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }
}
