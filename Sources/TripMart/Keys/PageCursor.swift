import TripCrypto
import TripDomain

/// Where in a list of trips a page begins: in which generation, and before which trip.
public struct PageCursor: Sendable, Hashable {
    /// The generation whose list it is.
    public let generation: Int
    /// The trip before the page, by its number in that generation.
    public let before: Int64

    /// Names a position.
    public init(generation: Int, before: Int64) {
        self.generation = generation
        self.before = before
    }
}

extension MartKeys {
    /// A position in a list as text that says nothing and fits that list alone.
    ///
    /// Numbers of trips count the trips of all regions; in clear they would tell who sees one region how
    /// many there are elsewhere.
    ///
    /// - Parameters:
    ///   - cursor: The position.
    ///   - list: Which list it is in: filters, and what its reader may see.
    /// - Returns: Letters, digits, `-` and `_`; equal for equal positions in equal lists.
    public func text(of cursor: PageCursor, in list: String) -> String {
        let plain = [UInt64(cursor.generation), UInt64(bitPattern: cursor.before)].flatMap { word in
            withUnsafeBytes(of: word.bigEndian) { Array($0) }
        }
        return Base64URL.text(AESKeyWrap.wrap(plain, key: cursorKey(of: list)))
    }

    /// The position a text stands for.
    ///
    /// - Parameters:
    ///   - text: The text as handed in.
    ///   - list: The list that is asked for.
    /// - Returns: The position; nil where the text was not made with this key for this list.
    public func cursor(_ text: String, in list: String) -> PageCursor? {
        guard let bytes = Base64URL.bytes(text), bytes.count == AESKeyWrap.wrappedSize(16),
            let plain = AESKeyWrap.unwrap(bytes, key: cursorKey(of: list)), plain.count == 16
        else { return nil }
        let words = [plain[..<8], plain[8...]].map { half in
            half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        guard let generation = Int(exactly: words[0]) else { return nil }
        return PageCursor(generation: generation, before: Int64(bitPattern: words[1]))
    }

    /// The key of the cursors of one list: key wrap authenticates no text beside its own.
    ///
    /// The list goes in as its hash, since a derivation takes no text of any length.
    private func cursorKey(of list: String) -> SecretKey {
        Self.derive(from: pageCursor, info: SHA256.hash(Array(list.utf8)), size: 32)
    }
}
