import Crypto

/// A list of stolen passwords, which is searched on the disk.
///
/// It is the list "ordered by hash" that Have I Been Pwned publishes: a line for every password,
/// sorted.
///
///     40 digits    SHA-1 of the password's UTF-8, in hexadecimal, large or small letters
///     :12          how often it was stolen; may be left out
///     LF or CRLF   the last line may have none
///
/// The file may have 40 GB. Nothing of it is kept in memory, and it is opened for every password,
/// so that a file that replaces it is used at once.
public struct BreachedPasswords: Sendable {
    private let path: String

    /// A line, as it was read.
    private struct Line {
        let hash: [UInt8]
        /// The offset of its first byte.
        let start: Int
        /// The offset of the line after it.
        let next: Int
    }

    /// 40 digits, a colon, a count of up to 20 digits and a line end have 63 bytes.
    private static let lineSizeMax = 64
    /// The number of lines, from first to last, whose order is checked: a search in an unsorted
    /// list would miss nearly every password.
    private static let checkedLineCount = 64

    /// Checks that a list can be searched.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``IdentityFault`` where it is not a file, cannot be read, or some of the lines
    ///   that are checked are not in ascending order.
    public init(path: String) throws(IdentityFault) {
        self.path = path
        _ = try Self.ends(try PasswordFile(path))
    }

    /// The fault where the list was not read in time.
    var late: IdentityFault { .passwordFile(path, .late) }

    /// Whether a password is in the list.
    ///
    /// - Parameter password: The password.
    /// - Returns: Whether it is.
    /// - Throws: ``IdentityFault`` where the list cannot be read now, or a line that was read is
    ///   malformed or out of order.
    /// - Complexity: O(log *n*) reads of 128 bytes; 96 of them for a billion passwords, of which
    ///   two thirds are the same each time.
    func contains(_ password: String) throws(IdentityFault) -> Bool {
        let file = try PasswordFile(path)
        // SHA-1 is the format of the list, and protects nothing: what is stored of a password is
        // another hash.
        let wanted = Array(Insecure.SHA1.hash(data: Array(password.utf8)))
        var (below, above) = try Self.ends(file)
        if wanted == below.hash || wanted == above.hash { return true }
        guard below.hash.lexicographicallyPrecedes(wanted),
            wanted.lexicographicallyPrecedes(above.hash)
        else { return false }
        // The hash would be after the one line and before the other; each step halves what is
        // between.
        while below.next < above.start {
            let line = try Self.line(file, around: below.next + (above.start - below.next) / 2)
            guard !line.hash.lexicographicallyPrecedes(below.hash),
                !above.hash.lexicographicallyPrecedes(line.hash)
            else { throw file.flawed(.outOfOrder(byte: line.start)) }
            if line.hash == wanted { return true }
            if line.hash.lexicographicallyPrecedes(wanted) { below = line } else { above = line }
        }
        return false
    }

    /// The first and the last line of a list; checks that the lines between them ascend.
    private static func ends(
        _ file: PasswordFile
    ) throws(IdentityFault) -> (first: Line, last: Line) {
        guard file.size > 0 else { throw file.flawed(.empty) }
        let first = try line(file, around: 0)
        let last = try line(file, around: file.size - 1)
        var below = first
        // In a short list the steps are so wide that no line is read twice.
        let step = max(lineSizeMax, file.size / checkedLineCount)
        for offset in stride(from: step, to: file.size, by: step) {
            let next = try line(file, around: offset)
            guard !next.hash.lexicographicallyPrecedes(below.hash) else {
                throw file.flawed(.outOfOrder(byte: next.start))
            }
            below = next
        }
        guard !last.hash.lexicographicallyPrecedes(below.hash) else {
            throw file.flawed(.outOfOrder(byte: last.start))
        }
        return (first, last)
    }

    /// The line that a byte belongs to; its line end belongs to it as well.
    private static func line(
        _ file: PasswordFile,
        around offset: Int
    ) throws(IdentityFault) -> Line {
        let from = max(0, offset - lineSizeMax)
        let count = min(file.size, offset + lineSizeMax) - from
        let bytes = try file.bytes(from: from, count: count)
        let newline = UInt8(ascii: "\n")
        let before = bytes[..<(offset - from)].lastIndex(of: newline)
        let after = bytes[(offset - from)...].firstIndex(of: newline)
        let start = before.map { $0 + 1 } ?? 0
        // Where no line end is seen, it is the end of the file, or the line is longer than any line
        // of a list.
        guard before != nil || from == 0, after != nil || from + count == file.size,
            let hash = Self.hash(bytes[start..<(after ?? count)])
        else { throw file.flawed(.noHash(byte: from + start)) }
        return Line(
            hash: hash,
            start: from + start,
            next: from + (after.map { $0 + 1 } ?? count)
        )
    }

    /// The hash of a line without its LF; nil where the line is malformed.
    private static func hash(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        let count = line.dropFirst(40)
        let digits = line.prefix(40).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 40, count.isEmpty || isCount(count) else { return nil }
        return stride(from: 0, to: 40, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func isCount(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return text.first == UInt8(ascii: ":") && text.count > 1
            && text.dropFirst().allSatisfy { digits.contains($0) }
    }
}
