import TripDomain

/// One of the parts that the rows of the shuffle are divided into: the trips of some references.
///
///     part = first four bytes of the reference, little-endian, modulo the number of parts
///
/// A reference is a cipher text, so that its first bytes are spread evenly. Rows of one trip in two
/// parts would count twice, so that a part refuses the rows of others.
struct ShardPart: Sendable, Hashable {
    /// Its index.
    let index: Int
    /// The number of parts.
    let count: Int

    /// Names a part.
    ///
    /// - Parameters:
    ///   - index: Its index.
    ///   - count: The number of parts.
    /// - Throws: ``RunError`` with code `usage` where there is no such part.
    init(index: Int, count: Int) throws(RunError) {
        guard (0..<max(0, min(count, Int(UInt32.max)))).contains(index) else {
            throw RunError(
                .usage,
                summary: "no such part",
                what: "--part \(index) --parts \(count): parts are numbered from 0, and the last "
                    + "one is one less than their number.",
                remedies: ["Name a part of those that the rows were divided into."]
            )
        }
        (self.index, self.count) = (index, count)
    }

    /// The part that a reference belongs to; nil where it is too short to be one.
    ///
    /// - Parameters:
    ///   - ref: The bytes of the reference.
    ///   - count: The number of parts.
    /// - Returns: The index of the part.
    static func index(of ref: ArraySlice<UInt8>, among count: Int) -> Int? {
        guard ref.count >= 4 else { return nil }
        let number = ref.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(number) % count
    }
}
