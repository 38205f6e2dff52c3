import Crypto
import HTTPTypes
import Hummingbird

/// A strong entity tag (RFC 9110 §8.8.3): equal tags, equal bytes.
///
/// It is made of everything an answer depends on: the generation, the question, what its reader may see,
/// and whether the generation is stale by now.
struct EntityTag: Equatable {
    /// With the quotes around it.
    let text: String

    init(generation: Int, parts: [String]) {
        var hash = SHA256()
        for part in parts {
            // The length first, so that no two lists of parts look the same.
            hash.update(data: Array("\(part.utf8.count):\(part)".utf8))
        }
        text = "\"\(generation)-\(Self.digits(hash.finalize()))\""
    }

    /// Enough of a hash to tell any two answers apart.
    private static func digits(_ hash: SHA256Digest) -> String {
        hash.prefix(12).map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }

    /// The tag of bytes that never change while the program runs.
    init(content: [UInt8]) {
        text = "\"\(Self.digits(SHA256.hash(data: content)))\""
    }

    /// Whether a request already has what the tag stands for.
    func isKnown(to request: Request) -> Bool {
        let lists = request.headers[values: .ifNoneMatch]
        return lists.contains { list in
            list.split(separator: ",").contains { entry in
                let tag = entry.drop { $0 == " " || $0 == "\t" }
                let end = tag.lastIndex { $0 != " " && $0 != "\t" }
                let bare = end.map { tag[...$0] } ?? tag
                // Weak comparison, as the header asks for: W/ before a tag does not matter.
                return bare == "*" || bare == text[...] || bare == "W/" + text
            }
        }
    }
}
