import Crypto
import CryptoExtras

/// A password's scrypt hash with its salt and cost, as text (the format of PHC strings).
///
///     $scrypt$ln=17,r=8,p=1$<16 bytes of salt>$<32 bytes of hash>
struct PasswordHash: Sendable, Equatable {
    let cost: Cost
    let salt: [UInt8]
    let hash: [UInt8]

    /// How much work and memory a hash takes: 2^ln · r · 128 bytes.
    struct Cost: Sendable, Hashable {
        let ln: Int
        let r: Int
        let p: Int

        /// 128 MiB and some tenths of a second: OWASP's first choice for scrypt.
        static let usual = Cost(ln: 17, r: 8, p: 1)
        /// For the demo's passwords, which are published in the manual, and for tests.
        static let least = Cost(ln: 4, r: 8, p: 1)
    }

    /// Hashes a password under a new salt.
    init(_ password: String, cost: Cost) {
        let salt = RandomText.bytes(16)
        self.init(password, cost: cost, salt: salt)
    }

    private init(_ password: String, cost: Cost, salt: [UInt8]) {
        (self.cost, self.salt) = (cost, salt)
        hash = Self.derive(password, salt, cost)
    }

    /// The hash of no password: comparing a password with it takes as long as with a real hash.
    init(placeholder cost: Cost) {
        (self.cost, salt, hash) = (cost, RandomText.bytes(16), RandomText.bytes(32))
    }

    /// Reads a hash; nil where the text has another form.
    init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let salt = Base64URL.bytes(parts[3]), salt.count == 16,
            let hash = Base64URL.bytes(parts[4]), hash.count == 32
        else { return nil }
        let numbers = parts[2].split(separator: ",").map { $0.split(separator: "=") }
        guard numbers.map(\.first) == ["ln", "r", "p"] else { return nil }
        let values = numbers.compactMap { $0.count == 2 ? Int($0[1]) : nil }
        guard values.count == 3, (1...20).contains(values[0]), (1...16).contains(values[1]),
            (1...4).contains(values[2])
        else { return nil }
        cost = Cost(ln: values[0], r: values[1], p: values[2])
        (self.salt, self.hash) = (salt, hash)
    }

    /// The hash as it is stored.
    var text: String {
        "$scrypt$ln=\(cost.ln),r=\(cost.r),p=\(cost.p)$\(Base64URL.text(salt))"
            + "$\(Base64URL.text(hash))"
    }

    /// Whether it is the hash of a password; the comparison takes the same time wherever they
    /// differ.
    func matches(_ password: String) -> Bool {
        let other = Self.derive(password, salt, cost)
        return zip(hash, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0 && !other.isEmpty
    }

    /// The hash; empty, which matches nothing, where the library fails.
    static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) -> [UInt8] {
        // The library fails only for lack of memory. Then no account can sign in.
        let key = try? KDF.Scrypt.deriveKey(
            from: Array(password.utf8),
            salt: salt,
            outputByteCount: 32,
            rounds: 1 << cost.ln,
            blockSize: cost.r,
            parallelism: cost.p,
            maxMemory: (1 << cost.ln) * cost.r * 128 * 2 + 1 << 20
        )
        return key?.withUnsafeBytes { Array($0) } ?? []
    }
}
