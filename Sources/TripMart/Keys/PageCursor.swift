import TripCrypto
import TripDomain

/// The start of a page in a list of trips: the generation, and the trip before the page.
public struct PageCursor: Sendable, Hashable {
    /// The generation whose list it is.
    public let generation: Int
    /// The trip before the page, by its number in that generation.
    public let before: Int64

    /// Creates a cursor.
    public init(generation: Int, before: Int64) {
        self.generation = generation
        self.before = before
    }
}

extension MartKeys {
    /// A cursor as opaque text that is valid for that list alone.
    ///
    /// Numbers of trips count the trips of all regions; in clear they would tell an account that
    /// may see one region how many trips other regions have.
    ///
    /// - Parameters:
    ///   - cursor: The cursor.
    ///   - list: The list: its filters, and the regions that its reader may see.
    /// - Returns: Letters, digits, `-` and `_`; equal for equal cursors in equal lists.
    public func text(of cursor: PageCursor, in list: String) -> String {
        let plain = [UInt64(cursor.generation), UInt64(bitPattern: cursor.before)].flatMap { word in
            withUnsafeBytes(of: word.bigEndian) { Array($0) }
        }
        return Base64URL.text(AESKeyWrap.wrap(plain, key: cursorKey(of: list)))
    }

    /// The cursor of a text.
    ///
    /// - Parameters:
    ///   - text: The text as the client sent it.
    ///   - list: The requested list.
    /// - Returns: The cursor; nil where the text was not made with this key for this list.
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
