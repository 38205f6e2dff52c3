/// Follows the members of a blocked gzip file (BGZF, as `bgzip` writes it) to its end.
///
/// Each of its members says in an extra field `BC` how large it is, and the last one is empty. That
/// is the only mark by which a file that was cut between two members can be told from a whole one:
/// each member for itself is in order.
///
///     BC 3,120 bytes | BC 2,977 bytes | … | BC empty |
struct GzipBlocks {
    /// The subfield of a member's extra field.
    private static let mark: [UInt8] = Array("BC".utf8)

    /// Whether the current member is a block.
    private(set) var isBlock = false
    /// The number of the last block, where it is not followed by an empty one yet; else 0.
    private(set) var openMember = 0

    /// Begins a member.
    ///
    /// - Parameter extra: Its extra field; empty where it has none.
    /// - Returns: Whether it may stand here: only a block may follow a block.
    mutating func begin(extra: [UInt8]) -> Bool {
        isBlock = Self.hasBlockSize(extra)
        return isBlock || openMember == 0
    }

    /// Ends a member.
    ///
    /// - Parameters:
    ///   - number: Its number in the file, from 1.
    ///   - size: The size of its content.
    mutating func end(member number: Int, size: Int) {
        if isBlock { openMember = size == 0 ? 0 : number }
    }

    /// Whether an extra field has the subfield: two letters, the size of the rest, the rest.
    private static func hasBlockSize(_ extra: [UInt8]) -> Bool {
        var index = 0
        while index + 4 <= extra.count {
            let size = Int(extra[index + 2]) | Int(extra[index + 3]) << 8
            if extra[index...].starts(with: mark), size == 2 { return true }
            index += 4 + size
        }
        return false
    }
}
