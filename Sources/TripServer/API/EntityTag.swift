import Crypto
import HTTPTypes
import Hummingbird
import TripDomain
import TripMart

/// A strong entity tag (RFC 9110 §8.8.3): equal tags, equal bytes.
///
/// It is made of everything an answer depends on: the generation and the bytes of its file, the
/// question, what its reader may see, whether the generation is stale by now, and the contract the
/// answer follows.
struct EntityTag: Hashable {
    private let name: String

    /// Another contract, other answers.
    private static let contractDigits = digits(
        SHA256.hash(data: Array(EmbeddedFiles.text("API/health-dashboard.yaml").utf8))
    )

    /// With the quotes around it.
    var text: String { "\"\(name)\"" }
    /// The tag of the same bytes compressed: other bytes, another tag.
    var gzipText: String { "\"\(name)-gz\"" }

    /// The tag of an answer from a generation.
    init(_ generation: ServedGeneration, parts: [String]) {
        self.init(
            number: generation.header.number,
            parts: [generation.mark, Self.contractDigits] + parts
        )
    }

    init(number: Int, parts: [String]) {
        name = "\(number)-\(Self.digits(SHA256.hash(data: Self.bytes(of: parts))))"
    }

    /// Some parts as one text: each with its length in front, so that no two lists of parts have
    /// one text.
    static func text(of parts: [String]) -> String {
        String(decoding: bytes(of: parts), as: UTF8.self)
    }

    private static func bytes(of parts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        // With up to three digits and the colon.
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.utf8.count + 4 })
        for part in parts {
            bytes += String(part.utf8.count).utf8
            bytes.append(UInt8(ascii: ":"))
            bytes += part.utf8
        }
        return bytes
    }

    /// Enough of a hash to tell any two answers apart.
    private static func digits(_ hash: SHA256Digest) -> String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: 24) { buffer in
            for (index, byte) in hash.prefix(12).enumerated() {
                buffer.initializeElement(at: 2 * index, to: digits.utf8Start[Int(byte >> 4)])
                buffer.initializeElement(at: 2 * index + 1, to: digits.utf8Start[Int(byte & 15)])
            }
            return 24
        }
    }

    /// The tag of bytes that never change while the program runs.
    init(content: [UInt8]) {
        name = Self.digits(SHA256.hash(data: content))
    }

    /// The tag under which a request already has what this one stands for; nil where it has not.
    func known(to request: Request) -> String? {
        for list in request.headers[values: .ifNoneMatch] {
            for entry in list.split(separator: ",") {
                let start = entry.drop { $0 == " " || $0 == "\t" }
                let end = start.lastIndex { $0 != " " && $0 != "\t" }
                let tag = end.map { start[...$0] } ?? start
                if tag == "*" { return text }
                // Weak comparison, as the header asks for: W/ before a tag does not matter.
                let bare = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
                if bare == text[...] { return text }
                if bare == gzipText[...] { return gzipText }
            }
        }
        return nil
    }
}
