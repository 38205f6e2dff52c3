/// What is wrong with a file that new passwords are held against, and where.
///
/// None of them holds anything of the file or of a password.
public enum PasswordFileFlaw: Sendable, Equatable, CustomStringConvertible {
    /// The system's error number.
    case unreadable(errno: Int32)
    /// It was not read in the time that somebody waits for an answer.
    case late
    /// It is a folder, a pipe or another thing that is no file.
    case notAFile
    /// It has nothing in it.
    case empty
    /// The line that begins at this byte is not forty hexadecimal digits, alone or before a colon and a count.
    case noHash(byte: Int)
    /// The line that begins at this byte stands behind one that it belongs before.
    case outOfOrder(byte: Int)
    /// The file of words is larger than words are.
    case tooLarge(max: Int)
    /// The words are not in UTF-8.
    case notText
    /// The word of this line is shorter or longer than words are.
    case noWord(line: Int)
    /// There are more words than an agency has.
    case tooManyWords(max: Int)

    /// What is wrong, as what follows the file's name, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let number):
            "cannot be read (error \(number) of the system). See that it is there, and that the account that serves may read it."
        case .late:
            "was not read in time. See whether the disk it lies on is slow or hangs."
        case .notAFile:
            "is no file. Name the file itself."
        case .empty:
            "is empty. Fetch the list again."
        case .noHash(let byte):
            "has no hash in the line that begins at byte \(byte): a hash is 40 hexadecimal digits (SHA-1), alone or with ':' and a count. Fetch the list again, the one ordered by hash."
        case .outOfOrder(let byte):
            "is not sorted: the line that begins at byte \(byte) belongs further up. Fetch the list that is ordered by hash, or sort it: LC_ALL=C sort."
        case .tooLarge(let max):
            "has more than \(max) bytes. Keep to words of your own: names of the agency, its places, its programs."
        case .notText:
            "is no text in UTF-8. Save it as that."
        case .noWord(let line):
            "has no word in line \(line): a word has 3 to 64 characters. Mend the line, or begin it with '#'."
        case .tooManyWords(let max):
            "has more than \(max) words. Keep to words of your own: names of the agency, its places, its programs."
        }
    }
}
