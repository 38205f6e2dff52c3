/// A file name pattern: `*` any run of characters, `?` one, neither across `/`; `**/` any folders.
struct Glob: Sendable, Hashable {
    let text: String

    /// Whether a path below the input folder matches.
    func matches(_ path: String) -> Bool {
        Self.match(Array(text.utf8)[...], Array(path.utf8)[...])
    }

    private static func match(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if pattern.starts(with: "**/".utf8) {
            let rest = pattern.dropFirst(3)
            if match(rest, path) { return true }
            guard let slash = path.firstIndex(of: 0x2F) else { return false }
            return match(pattern, path[(slash + 1)...])
        }
        switch first {
        case 0x2A:
            let rest = pattern.dropFirst()
            var remainder = path
            while true {
                if match(rest, remainder) { return true }
                guard let next = remainder.first, next != 0x2F else { return false }
                remainder = remainder.dropFirst()
            }
        case 0x3F:
            guard let next = path.first, next != 0x2F else { return false }
            return match(pattern.dropFirst(), path.dropFirst())
        default:
            return path.first == first && match(pattern.dropFirst(), path.dropFirst())
        }
    }
}
