import TripPipeline

/// A file name pattern: `*` any run of characters, `?` one, neither across `/`; `**/` any folders.
///
/// All states of the match are carried along at once, so that no pattern takes more than a step per
/// sign of the pattern and byte of the path.
struct Glob: Sendable, Hashable {
    private enum Sign: Hashable {
        case byte(UInt8)
        /// `?`
        case one
        /// `*`
        case run
        /// `**/`
        case folders
    }

    let text: String
    private let signs: [Sign]

    /// Reads a pattern; every text is one.
    init(text: String) {
        self.text = text
        var signs: [Sign] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.first {
            if rest.starts(with: "**/".utf8) {
                signs.append(.folders)
                rest = rest.dropFirst(3)
                continue
            }
            switch first {
            case UInt8(ascii: "*"): signs.append(.run)
            case UInt8(ascii: "?"): signs.append(.one)
            default: signs.append(.byte(first))
            }
            rest = rest.dropFirst()
        }
        self.signs = signs
    }

    /// Whether a path below the input folder matches.
    func matches(_ path: some Collection<UInt8>) -> Bool {
        states(after: path).begun[signs.count]
    }

    /// Whether a path below the input folder matches.
    func matches(_ path: String) -> Bool { matches(Array(path.utf8)) }

    /// Whether a path below a folder can match.
    func reaches(_ folder: [UInt8]) -> Bool {
        let states = states(after: folder + [UInt8(ascii: "/")])
        return states.begun.dropLast().contains(true) || states.inside.contains(true)
    }

    /// The pattern without the `*` it ends in; nil where it does not end so, or where that `*` is
    /// not after an ending such as `.csv`.
    var withoutLastStar: Glob? {
        SourceDefinition.withoutLastStar(text).map(Glob.init)
    }

    /// The positions in the pattern that the bytes of a path lead to: before a sign, or inside a
    /// folder's name that `**/` stands for.
    private func states(after path: some Collection<UInt8>) -> (begun: [Bool], inside: [Bool]) {
        let none = [Bool](repeating: false, count: signs.count + 1)
        var (begun, inside, next, nextInside) = (none, none, none, none)
        begun[0] = true
        skip(&begun)
        for byte in path {
            for index in next.indices { (next[index], nextInside[index]) = (false, false) }
            let isSlash = byte == UInt8(ascii: "/")
            for (index, sign) in signs.enumerated() where begun[index] || inside[index] {
                switch sign {
                case .byte(let expected): if byte == expected { next[index + 1] = true }
                case .one: if !isSlash { next[index + 1] = true }
                case .run: if !isSlash { next[index] = true }
                case .folders: if isSlash { next[index] = true } else { nextInside[index] = true }
                }
            }
            skip(&next)
            swap(&begun, &next)
            swap(&inside, &nextInside)
        }
        return (begun, inside)
    }

    /// Adds the states that signs lead to which may stand for nothing.
    private func skip(_ begun: inout [Bool]) {
        for (index, sign) in signs.enumerated() where begun[index] {
            if sign == .run || sign == .folders { begun[index + 1] = true }
        }
    }
}
