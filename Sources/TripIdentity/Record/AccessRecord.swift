import Crypto
import Dispatch
import Glibc

/// The record of who did and saw what: lines that are only ever added, each sealed with all before it.
///
///     number ⇥ time ⇥ event ⇥ account ⇥ subject ⇥ detail ⇥ reason ⇥ seal
///
/// A line's seal is HMAC-SHA256, under a key of the folder's secret, of the line and the seal before. Whoever edits,
/// takes out, adds or moves one without the secret is found; so is who cuts the end off, by the head beside it:
/// the last number and its seal, under a seal of its own. Somebody who can put an older head *and* an older record
/// back is found by a place noted elsewhere: whoever holds a record is told every entry's.
public final class AccessRecord: Sendable {
    let path: String
    var headPath: String { path + ".head" }
    private let key: SymmetricKey
    private let note: @Sendable (AccessEntry.Event, Place) -> Void
    private let lane = DispatchQueue(label: "access record")

    static let header = "triptych access record 1"
    /// Before the first entry.
    static let start = Place(number: 0, seal: "-")
    /// Bytes that a line has less than: what is longer behind the last line break, no crash of ours leaves there.
    static let lineSizeMax = 8192

    /// The record of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - secret: Its secret.
    ///   - note: Is told the place of every entry, to be kept elsewhere.
    init(
        _ folder: IdentityFolder,
        secret: [UInt8],
        note: @escaping @Sendable (AccessEntry.Event, Place) -> Void = { _, _ in }
    ) {
        path = folder.recordPath
        self.note = note
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            info: Array("access record".utf8),
            outputByteCount: 32
        )
    }

    /// Where an entry stands.
    public struct Place: Sendable, Hashable {
        /// Its number, from 1; 0 before the first.
        public let number: Int
        /// Its seal.
        public let seal: String

        /// The place as reports name it.
        public var text: String { "\(number):\(seal)" }
    }

    /// Adds an entry; it is on the disk when this returns.
    ///
    /// - Parameter entry: What happened.
    /// - Returns: Where it stands.
    /// - Throws: ``IdentityFault`` of the file; then what is recorded must not happen.
    @discardableResult
    public func add(_ entry: AccessEntry) async throws -> Place {
        try await withCheckedThrowingContinuation { continuation in
            lane.async { [self] in
                continuation.resume(with: Result { try append(entry) })
            }
        }
    }

    /// Adds an entry after those before it, and waits for nothing; one that cannot be added is lost.
    ///
    /// - Parameter entry: What happened.
    public func addLater(_ entry: AccessEntry) {
        lane.async { [self] in
            // Whoever waits for an entry hears of the fault.
            _ = try? append(entry)
        }
    }

    /// Begins a record: from now on its head is there, and a record without one was tampered with.
    func begin() throws(IdentityFault) {
        try IdentityFolder.write(Array(headText(Self.start).utf8), to: headPath)
    }

    /// Sets a record aside that is not what was written, and begins another one, whose first entry names it.
    ///
    /// - Parameter now: The time, in seconds of UTC.
    /// - Returns: The name of the file it lies in now; nil where nothing is wrong with it, and nothing was done.
    /// - Throws: ``IdentityFault`` of the files.
    func beginAnew(at now: Int64) async throws -> String? {
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
            // What is not closed keeps the others out until the new one is there.
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

    /// Opens the file while nobody else writes it; closing gives the lock back.
    private func openLocked() throws(IdentityFault) -> Int32 {
        while true {
            // What is no file, such as a pipe, is not waited for.
            let file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw .folder(path, errno: errno) }
            var (held, named) = (stat(), stat())
            guard flock(file, LOCK_EX) == 0, fstat(file, &held) == 0 else {
                let number = errno
                close(file)
                throw .folder(path, errno: number)
            }
            guard held.st_mode & S_IFMT == S_IFREG else {
                close(file)
                throw .malformed(path)
            }
            // Another one, where it was set aside while this waited for it.
            if stat(path, &named) == 0, named.st_ino == held.st_ino { return file }
            close(file)
        }
    }

    /// Adds an entry after whatever is last, while nobody else does.
    private func append(_ entry: AccessEntry) throws(IdentityFault) -> Place {
        let file = try openLocked()
        defer { close(file) }
        let (last, end) = try lastPlace(file)
        let place = next(after: try successor(of: last), entry.columns)
        let line = ([String(place.number)] + entry.columns + [place.seal]).joined(separator: "\t")
        let text = (end == 0 ? Self.header + "\n" : "") + line + "\n"
        guard ftruncate(file, end) == 0 else { throw .folder(path, errno: errno) }
        try Self.write(Array(text.utf8), to: file, path, at: end)
        do throws(IdentityFault) {
            try writeHead(place)
        } catch {
            // Whoever is told that it was not recorded must not find it there.
            ftruncate(file, end)
            fsync(file)
            throw error
        }
        note(entry.event, place)
        return place
    }

    /// The place of the last whole line, and where it ends: what a crash cut short was never said to be done,
    /// and is written over.
    private func lastPlace(_ file: Int32) throws(IdentityFault) -> (Place, off_t) {
        let size = Int(lseek(file, 0, SEEK_END))
        var tail = [UInt8](repeating: 0, count: min(size, Self.lineSizeMax))
        guard pread(file, &tail, tail.count, off_t(size - tail.count)) == tail.count else {
            throw .folder(path, errno: errno)
        }
        guard let lineEnd = tail.lastIndex(of: 0x0a) else {
            // Longer than any line: no crash of ours leaves that, and nothing is taken away from it.
            guard size < Self.lineSizeMax else { throw .malformed(path) }
            return (Self.start, 0)
        }
        let end = size - tail.count + lineEnd + 1
        let line = tail[..<lineEnd].split(separator: 0x0a).last ?? []
        let columns = String(decoding: line, as: UTF8.self).split(separator: "\t")
        guard columns.count == 8, let number = Self.number(columns[0]) else {
            return (Self.start, off_t(end))
        }
        return (Place(number: number, seal: String(columns[7])), off_t(end))
    }

    /// What the next entry is sealed with: the last one, where nothing was taken away after it.
    ///
    /// Where something was, going on from the last line would hide it. The next is sealed so that reading stops at it.
    private func successor(of last: Place) throws(IdentityFault) -> Place {
        switch try head() {
        case .place(let head) where head.number == last.number && head.seal == last.seal: last
        // A crash came between an entry and its head.
        case .place(let head) where head.number == last.number - 1: last
        case .place(let head): Place(number: max(head.number, last.number), seal: "cut off")
        case .missing, .changed: Place(number: last.number, seal: "no head")
        }
    }

    /// A number of an entry; nil where there can be no such entry.
    static func number(_ text: some StringProtocol) -> Int? {
        Int(text).flatMap { (0..<1 << 53).contains($0) ? $0 : nil }
    }

    /// The place of an entry after another one.
    func next(after last: Place, _ columns: [String]) -> Place {
        let number = last.number + 1
        let text = ([last.seal, String(number)] + columns).joined(separator: "\t")
        return Place(number: number, seal: seal(text))
    }

    /// What the head says of a place.
    func headText(_ place: Place) -> String {
        place.text + "\t" + seal("head\t" + place.text) + "\n"
    }

    private func seal(_ text: String) -> String {
        Base64URL.text(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    private func writeHead(_ place: Place) throws(IdentityFault) {
        let temporary = headPath + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .folder(headPath, errno: errno) }
        defer { close(file) }
        try Self.write(Array(headText(place).utf8), to: file, headPath, at: 0)
        guard rename(temporary, headPath) == 0 else { throw .folder(headPath, errno: errno) }
        // A head that is older after a loss of power would look like one that was put back.
        try IdentityFolder.syncFolder(of: headPath)
    }

    /// Writes bytes whole and has them on the disk, or takes back what was written of them.
    private static func write(
        _ bytes: [UInt8],
        to file: Int32,
        _ path: String,
        at offset: off_t
    ) throws(IdentityFault) {
        guard pwrite(file, bytes, bytes.count, offset) == bytes.count, fsync(file) == 0 else {
            let number = errno
            ftruncate(file, offset)
            throw .folder(path, errno: number)
        }
    }
}
