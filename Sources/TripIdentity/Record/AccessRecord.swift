import Crypto
import Dispatch
import Glibc

/// The access record: lines that are only ever added, each sealed together with all before it.
///
///     number ⇥ time ⇥ event ⇥ account ⇥ subject ⇥ detail ⇥ reason ⇥ seal
///
/// A line's seal is the HMAC-SHA256 of the line and the seal before, under a key derived from the
/// folder's secret. So a line that is edited, removed, added or moved without the secret is
/// detected. A removed end is detected by the head beside the record: the last number and its seal,
/// under a seal of its own. An older head *and* an older record put back together are detected by a
/// position noted elsewhere: the owner of a record receives the position of every entry.
public final class AccessRecord: Sendable {
    let path: String
    var headPath: String { path + ".head" }
    private let key: SymmetricKey
    private let note: @Sendable (AccessEntry.Event, Position) -> Void
    private let lane = DispatchQueue(label: "access record")

    static let header = "triptych access record 1"
    /// The position before the first entry.
    static let start = Position(number: 0, seal: "-")
    /// Every line has fewer bytes than this: a longer rest after the last line end does not come
    /// from a crash of this program.
    static let lineSizeMax = 8192

    /// The record of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - secret: Its secret.
    ///   - note: Receives the position of every entry, to be kept elsewhere.
    init(
        _ folder: IdentityFolder,
        secret: [UInt8],
        note: @escaping @Sendable (AccessEntry.Event, Position) -> Void = { _, _ in }
    ) {
        path = folder.recordPath
        self.note = note
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            info: Array("access record".utf8),
            outputByteCount: 32
        )
    }

    /// The position of an entry.
    public struct Position: Sendable, Hashable {
        /// Its number, from 1; 0 before the first.
        public let number: Int
        /// Its seal.
        public let seal: String

        /// The position as reports print it.
        public var text: String { "\(number):\(seal)" }
    }

    /// Adds an entry; it is on the disk when this returns.
    ///
    /// - Parameter entry: What happened.
    /// - Returns: The entry's position.
    /// - Throws: ``IdentityFault`` of the file; then the recorded event must not happen.
    @discardableResult
    public func add(_ entry: AccessEntry) async throws -> Position {
        try await withCheckedThrowingContinuation { continuation in
            lane.async { [self] in
                continuation.resume(with: Result { try append(entry) })
            }
        }
    }

    /// Adds an entry after those before it, without waiting; an entry that cannot be added is lost.
    ///
    /// - Parameter entry: What happened.
    public func addLater(_ entry: AccessEntry) {
        lane.async { [self] in
            // A caller that waits for its entry gets the fault.
            _ = try? append(entry)
        }
    }

    /// Begins a record by writing its head: from now on a missing head means tampering.
    func begin() throws(IdentityFault) {
        try IdentityFolder.write(Array(headText(Self.start).utf8), to: headPath)
    }

    /// Sets a damaged record aside and begins another one, whose first entry names it.
    ///
    /// - Parameter now: The time, in seconds of UTC.
    /// - Returns: The name of the file it was moved to; nil where nothing is wrong with it and
    ///   nothing was done.
    /// - Throws: ``IdentityFault`` of the files.
    func replaceDamaged(at now: Int64) async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            lane.async { [self] in
                continuation.resume(with: Result { try setAside(at: now) })
            }
        }
    }

    private func setAside(at now: Int64) throws(IdentityFault) -> String? {
        let file = try openLocked()
        let reading: Reading
        do throws(IdentityFault) {
            // The file stays open, so that its lock keeps other processes out until the new record
            // exists.
            reading = try read(isLocked: true)
        } catch {
            close(file)
            throw error
        }
        defer { close(file) }
        guard reading.finding != nil else { return nil }
        let mark = ".set-aside-" + UTCText.text(now).filter(\.isNumber)
        for part in [path, headPath] where access(part, F_OK) == 0 {
            let aside = part + mark
            guard access(aside, F_OK) != 0 else { throw .folder(aside, errno: EEXIST) }
            guard rename(part, aside) == 0 else { throw .folder(aside, errno: errno) }
        }
        try begin()
        let name = (path + mark).split(separator: "/").last.map(String.init) ?? mark
        let entry = AccessEntry(
            .recordBegun,
            at: now,
            subject: name,
            detail: reading.last.text
        )
        _ = try append(entry)
        return name
    }

    /// Opens the file with a lock against other writers; closing the file releases the lock.
    private func openLocked() throws(IdentityFault) -> Int32 {
        while true {
            // Opening a pipe or the like must not wait.
            let file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw .folder(path, errno: errno) }
            var (opened, named) = (stat(), stat())
            guard flock(file, LOCK_EX) == 0, fstat(file, &opened) == 0 else {
                let number = errno
                close(file)
                throw .folder(path, errno: number)
            }
            guard opened.st_mode & S_IFMT == S_IFREG else {
                close(file)
                throw .malformed(path)
            }
            // The path leads to another file where the record was set aside while this call waited
            // for the lock.
            if stat(path, &named) == 0, named.st_ino == opened.st_ino { return file }
            close(file)
        }
    }

    /// Adds an entry after the last one, under the lock.
    private func append(_ entry: AccessEntry) throws(IdentityFault) -> Position {
        let file = try openLocked()
        defer { close(file) }
        let (last, end) = try lastPosition(file)
        let position = next(after: try successor(of: last), entry.columns)
        let columns = [String(position.number)] + entry.columns + [position.seal]
        let line = columns.joined(separator: "\t")
        let text = (end == 0 ? Self.header + "\n" : "") + line + "\n"
        guard ftruncate(file, end) == 0 else { throw .folder(path, errno: errno) }
        try Self.write(Array(text.utf8), to: file, path, at: end)
        do throws(IdentityFault) {
            try writeHead(position)
        } catch {
            // The caller is told that the entry was not recorded, so it must not be in the record.
            ftruncate(file, end)
            fsync(file)
            throw error
        }
        note(entry.event, position)
        return position
    }

    /// The position of the last complete line, and the offset of its end; an entry that a crash cut
    /// short was never reported as added, and is overwritten.
    private func lastPosition(_ file: Int32) throws(IdentityFault) -> (Position, off_t) {
        let size = Int(lseek(file, 0, SEEK_END))
        var tail = [UInt8](repeating: 0, count: min(size, Self.lineSizeMax))
        let count = pread(file, &tail, tail.count, off_t(size - tail.count))
        guard count == tail.count else {
            throw .folder(path, errno: count < 0 ? errno : EIO)
        }
        guard let lineEnd = tail.lastIndex(of: 0x0a) else {
            // It is longer than any line, so no crash of this program left it; nothing of it is
            // overwritten.
            guard size < Self.lineSizeMax else { throw .malformed(path) }
            return (Self.start, 0)
        }
        let end = size - tail.count + lineEnd + 1
        let line = tail[..<lineEnd].split(separator: 0x0a).last ?? []
        let columns = String(decoding: line, as: UTF8.self).split(separator: "\t")
        guard columns.count == 8, let number = Self.number(columns[0]) else {
            return (Self.start, off_t(end))
        }
        return (Position(number: number, seal: String(columns[7])), off_t(end))
    }

    /// The position that the next entry is sealed with: the last one, where no line after it was
    /// removed.
    ///
    /// Where lines were removed, continuing from the last line would hide that. The next entry is
    /// then sealed so that reading stops at it.
    private func successor(of last: Position) throws(IdentityFault) -> Position {
        switch try head() {
        case .position(let head) where head.number == last.number && head.seal == last.seal: last
        // A crash happened between an entry and its head.
        case .position(let head) where head.number == last.number - 1: last
        case .position(let head): Position(number: max(head.number, last.number), seal: "cut off")
        case .missing, .changed: Position(number: last.number, seal: "no head")
        }
    }

    /// Reads an entry's number; nil where no entry can have it.
    static func number(_ text: some StringProtocol) -> Int? {
        Int(text).flatMap { (0..<1 << 53).contains($0) ? $0 : nil }
    }

    /// The position of an entry after another one.
    func next(after last: Position, _ columns: [String]) -> Position {
        let number = last.number + 1
        let text = ([last.seal, String(number)] + columns).joined(separator: "\t")
        return Position(number: number, seal: seal(text))
    }

    /// The text of the head for a position.
    func headText(_ position: Position) -> String {
        position.text + "\t" + seal("head\t" + position.text) + "\n"
    }

    private func seal(_ text: String) -> String {
        Base64URL.text(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    private func writeHead(_ position: Position) throws(IdentityFault) {
        let temporary = headPath + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .folder(headPath, errno: errno) }
        defer { close(file) }
        try Self.write(Array(headText(position).utf8), to: file, headPath, at: 0)
        guard rename(temporary, headPath) == 0 else { throw .folder(headPath, errno: errno) }
        // A head that is older after a power failure would look like one that was put back.
        try IdentityFolder.syncFolder(of: headPath)
    }

    /// Writes bytes completely and makes them durable on the disk, or removes what was written of
    /// them.
    private static func write(
        _ bytes: [UInt8],
        to file: Int32,
        _ path: String,
        at offset: off_t
    ) throws(IdentityFault) {
        let count = pwrite(file, bytes, bytes.count, offset)
        guard count == bytes.count, fsync(file) == 0 else {
            let number = IdentityFolder.number(ofWritten: count, of: bytes.count)
            ftruncate(file, offset)
            throw .folder(path, errno: number)
        }
    }
}
