import Glibc

/// A file that new passwords are compared with, while it is open.
final class PasswordFile {
    let path: String
    /// Its size in bytes when it was opened.
    let size: Int
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``IdentityFault/passwordFile(_:_:)`` where it is not a file, or cannot be read.
    init(_ path: String) throws(IdentityFault) {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw IdentityFault.passwordFile(path, .unreadable(errno: errno))
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw IdentityFault.passwordFile(path, .notAFile)
        }
        self.path = path
        self.descriptor = descriptor
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Some of its bytes.
    ///
    /// - Parameters:
    ///   - start: The offset of the first.
    ///   - count: How many.
    /// - Returns: Exactly that many bytes.
    /// - Throws: ``IdentityFault/passwordFile(_:_:)`` where they cannot be read, or the file was
    ///   truncated meanwhile.
    func bytes(from start: Int, count: Int) throws(IdentityFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, off_t(start))
        guard read == count else {
            throw flawed(.unreadable(errno: read < 0 ? errno : EIO))
        }
        return bytes
    }

    /// The fault for a problem with this file.
    func flawed(_ flaw: PasswordFileFlaw) -> IdentityFault { .passwordFile(path, flaw) }
}

/// The problem with a file that new passwords are compared with, and its position.
///
/// No case holds any content of the file or of a password.
public enum PasswordFileFlaw: Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be read; the system's error number.
    case unreadable(errno: Int32)
    /// The file was not read within the time that a request waits.
    case late
    /// The path is that of a folder, a pipe or another thing that is not a file.
    case notAFile
    /// The file is empty.
    case empty
    /// The line that begins at this byte is not forty hexadecimal digits, alone or followed by a
    /// colon and a count.
    case noHash(byte: Int)
    /// The line that begins at this byte comes after one that should follow it.
    case outOfOrder(byte: Int)
    /// The file of words is larger than allowed.
    case tooLarge(max: Int)
    /// The words are not in UTF-8.
    case notText
    /// The word in this line is too short or too long.
    case noWord(line: Int)
    /// There are more words than allowed.
    case tooManyWords(max: Int)

    /// The problem, to follow the file's name, and what the operator should do.
    public var description: String {
        switch self {
        case .unreadable(let number):
            "cannot be read (system error \(number)). Check that it exists, and that the user who "
                + "runs the server may read it."
        case .late:
            "was not read in time. Check whether its disk is slow or hangs."
        case .notAFile:
            "is not a file. Name the file itself."
        case .empty:
            "is empty. Fetch the list again."
        case .noHash(let byte):
            "has no hash in the line that begins at byte \(byte): a hash is 40 hexadecimal digits "
                + "(SHA-1), alone or with ':' and a count. Fetch the list again, the one ordered "
                + "by hash."
        case .outOfOrder(let byte):
            "is not sorted: the line that begins at byte \(byte) belongs further up. Fetch the "
                + "list that is ordered by hash, or sort it: LC_ALL=C sort."
        case .tooLarge(let max):
            "has more than \(max) bytes. Keep only words of your own: names of the agency, its "
                + "places, its programs."
        case .notText:
            "is not text in UTF-8. Save it as UTF-8."
        case .noWord(let line):
            "has no word in line \(line): a word has 3 to 64 characters. Correct the line, or "
                + "begin it with '#'."
        case .tooManyWords(let max):
            "has more than \(max) words. Keep only words of your own: names of the agency, its "
                + "places, its programs."
        }
    }
}

/// An agency's own words, which passwords must not be made of: its names, places and programs.
public enum PasswordWords {
    /// 64 KiB: a thousand words of 64 ASCII characters.
    private static let sizeMax = 64 * 1024
    /// A new password is searched for each word; a thousand take some milliseconds.
    private static let countMax = 1000

    /// Reads the words from a file in UTF-8, one per line; blank lines and lines that begin with
    /// `#` are skipped.
    ///
    /// - Parameter path: The file.
    /// - Returns: The words.
    /// - Throws: ``IdentityFault`` that names the file, and the line where the fault is in one
    ///   line.
    public static func read(_ path: String) throws(IdentityFault) -> [String] {
        let file = try PasswordFile(path)
        guard file.size <= sizeMax else { throw file.flawed(.tooLarge(max: sizeMax)) }
        let bytes = try file.bytes(from: 0, count: file.size)
        // Some editors begin UTF-8 with U+FEFF, which is not part of the first word.
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        guard let text = String(validating: bytes.dropFirst(hasMark ? 3 : 0), as: UTF8.self) else {
            throw file.flawed(.notText)
        }
        var words: [String] = []
        // To Swift a line end of two bytes is one character.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let word = trimmed(line)
            if word.isEmpty || word.hasPrefix("#") { continue }
            // One or two letters occur in every password, and removing them would split other
            // words.
            guard (3...64).contains(word.count) else {
                throw file.flawed(.noWord(line: index + 1))
            }
            words.append(String(word))
        }
        guard words.count <= countMax else { throw file.flawed(.tooManyWords(max: countMax)) }
        return words
    }

    private static func trimmed(_ line: Substring) -> Substring {
        let start = line.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...end]
    }
}
