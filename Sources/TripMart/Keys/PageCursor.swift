import Crypto
import CryptoExtras
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
    private static let nonceBytes = [UInt8](repeating: 0, count: 12)
    private static let tagSize = 16

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
        do {
            let box = try AES.GCM._SIV.seal(
                plain,
                using: pageCursor,
                nonce: AES.GCM._SIV.Nonce(data: Self.nonceBytes),
                authenticating: Array(list.utf8)
            )
            return Base64URL.text(Array(box.ciphertext) + Array(box.tag))
        } catch {
            preconditionFailure("sealing under a valid key and nonce cannot fail")
        }
    }

    /// The cursor of a text.
    ///
    /// - Parameters:
    ///   - text: The text as the client sent it.
    ///   - list: The requested list.
    /// - Returns: The cursor; nil where the text was not made with this key for this list.
    public func cursor(_ text: String, in list: String) -> PageCursor? {
        guard let bytes = Base64URL.bytes(text), bytes.count == Self.tagSize + 16 else {
            return nil
        }
        // Any error means that the text is not a cursor of this mart.
        guard let plain = try? open(bytes, in: list) else { return nil }
        let words = [plain[..<8], plain[8...]].map { half in
            half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        guard let generation = Int(exactly: words[0]) else { return nil }
        return PageCursor(generation: generation, before: Int64(bitPattern: words[1]))
    }

    private func open(_ bytes: [UInt8], in list: String) throws -> [UInt8] {
        let box = try AES.GCM._SIV.SealedBox(
            nonce: AES.GCM._SIV.Nonce(data: Self.nonceBytes),
            ciphertext: bytes.dropLast(Self.tagSize),
            tag: bytes.suffix(Self.tagSize)
        )
        return Array(
            try AES.GCM._SIV.open(box, using: pageCursor, authenticating: Array(list.utf8))
        )
    }
}
