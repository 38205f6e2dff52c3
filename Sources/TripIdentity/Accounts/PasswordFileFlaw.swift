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
