import Glibc

extension AccessRecord {
    /// A fault of a record.
    public enum Finding: Sendable, Hashable, CustomStringConvertible {
        /// The file does not begin with the header of a record.
        case noRecord
        /// A line is not the one that was written, or not at its position; later lines cannot be
        /// judged.
        case changed(line: Int)
        /// Lines are missing at the end; the number of entries there were.
        case cutOff(number: Int)
        /// The head is missing or was changed.
        case headChanged
        /// The position that was noted elsewhere is not in the record.
        case otherRecord

        /// One sentence.
        public var description: String {
            switch self {
            case .noRecord: "the file is not an access record."
            case .changed(let line): "line \(line) was edited, taken out, added or moved."
            case .cutOff(let number): "its end is missing: there were \(number) entries."
            case .headChanged: "its head is missing or was changed."
            case .otherRecord: "it is not the record that the noted position belongs to."
            }
        }
    }

    /// The content of a record, as far as it is intact.
    public struct Reading: Sendable {
        /// The entries before the first fault, in order.
        public let entries: [AccessEntry]
        /// The position of the last of them; number 0 where there is none.
        public let last: Position
        /// The first fault; nil where the record is intact.
        public let finding: Finding?
        /// The entries after the first fault that are sealed with the line before them.
        ///
        /// A process with the secret wrote them in this order. Whether an entry is missing before
        /// them cannot be determined.
        public let later: [AccessEntry]
        /// The size of an unfinished entry at the end: a crash may leave one, and the next entry
        /// replaces it.
        public let unfinishedByteCount: Int
    }

    /// Reads the record and compares every seal.
    ///
    /// - Parameter noted: A position noted earlier, as `NUMBER:SEAL`, that must be in it; nil for
    ///   none.
    /// - Returns: The entries before the first fault, and the fault.
    /// - Throws: ``IdentityFault`` of the file.
    /// - Complexity: O(*n*) in the entries, all of which are kept in memory.
    public func read(noted: String? = nil) throws(IdentityFault) -> Reading {
        try read(noted: noted, isLocked: false)
    }

    /// The same, with or without taking the lock.
    func read(noted: String? = nil, isLocked: Bool) throws(IdentityFault) -> Reading {
        let (bytes, head) = try isLocked ? unlockedContents() : contents()
        var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        let tail = lines.popLast() ?? []
        if let header = lines.first, !header.elementsEqual(Self.header.utf8) {
            return Reading(
                entries: [],
                last: Self.start,
                finding: .noRecord,
                later: [],
                unfinishedByteCount: 0
            )
        }
        var (entries, later, last) = ([AccessEntry](), [AccessEntry](), Self.start)
        var (previous, finding) = (Self.start, Finding?.none)
        var hasNoted = noted == nil
        for (index, bytes) in lines.dropFirst().enumerated() {
            let line = Line(bytes)
            if let line, let entry = line.entry,
                line.position == next(after: previous, line.columns)
            {
                if finding == nil {
                    entries.append(entry)
                    last = line.position
                } else {
                    later.append(entry)
                }
                if line.position.text == noted { hasNoted = true }
            } else if finding == nil {
                finding = .changed(line: index + 2)
            }
            // A fault of one line does not make the lines after it faulty.
            previous = line?.position ?? previous
        }
        if finding == nil, !Self.mayBeUnfinished(tail, after: last) {
            finding = .changed(line: lines.count + 1)
        }
        if finding == nil { finding = headFinding(head, last) }
        if finding == nil, !hasNoted { finding = .otherRecord }
        return Reading(
            entries: entries,
            last: last,
            finding: finding,
            later: later,
            unfinishedByteCount: tail.count
        )
    }

    /// A line as read, whether this program wrote it or not.
    private struct Line {
        let position: Position
        let columns: [String]

        /// Reads a line; nil where it does not have the form of one.
        init?(_ bytes: ArraySlice<UInt8>) {
            // Only ASCII is ever written; other texts that Unicode calls equal would pass for each
            // other.
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            let all = bytes.split(separator: 0x09, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard all.count == 8, let number = AccessRecord.number(all[0]),
                String(number) == all[0]
            else { return nil }
            position = Position(number: number, seal: all[7])
            columns = Array(all[1..<7])
        }

        var entry: AccessEntry? { AccessEntry(columns: columns.map { $0[...] }) }
    }

    /// Whether the bytes after the last line end may be an entry that a crash cut short: the
    /// beginning of the next entry, and zeros that the disk had not written yet.
    private static func mayBeUnfinished(_ tail: ArraySlice<UInt8>, after last: Position) -> Bool {
        guard tail.count < lineSizeMax else { return false }
        let written = tail.prefix { $0 != 0 }
        let number = Array("\(last.number + 1)\t".utf8)
        return written.allSatisfy { $0 == 0x09 || (0x20...0x7e).contains($0) }
            && zip(written, number).allSatisfy { $0 == $1 }
            && tail.dropFirst(written.count).allSatisfy { $0 == 0 }
    }

    /// The record and its head, read while no process writes to them.
    private func contents() throws(IdentityFault) -> ([UInt8], Head) {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if file < 0, errno == ENOENT { return ([], try head()) }
        guard file >= 0 else { throw .folder(path, errno: errno) }
        // Closing the file releases the lock.
        defer { close(file) }
        guard flock(file, LOCK_SH) == 0 else { throw .folder(path, errno: errno) }
        return try unlockedContents()
    }

    private func unlockedContents() throws(IdentityFault) -> ([UInt8], Head) {
        (try IdentityFolder.read(path), try head())
    }

    /// Checks that the record ends where its head says; after a crash it may have one entry more.
    private func headFinding(_ head: Head, _ last: Position) -> Finding? {
        switch head {
        case .position(let head) where head.number > last.number: .cutOff(number: head.number)
        case .position(let head) where head.number < last.number - 1: .headChanged
        case .position(let head) where head.number == last.number && head.seal != last.seal:
            .headChanged
        case .position: nil
        case .missing, .changed: .headChanged
        }
    }

    /// The head beside the record.
    enum Head {
        case missing
        /// The head was changed.
        case changed
        case position(Position)
    }

    /// Whether the record has a head, which is written when it begins.
    var hasHead: Bool { access(headPath, F_OK) == 0 }

    /// Reads the head.
    func head() throws(IdentityFault) -> Head {
        guard hasHead else { return .missing }
        let bytes = try IdentityFolder.read(headPath)
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = (text.split(separator: "\t").first ?? "").split(separator: ":")
        guard parts.count == 2, let number = Self.number(parts[0]) else { return .changed }
        let position = Position(number: number, seal: String(parts[1]))
        return bytes.elementsEqual(headText(position).utf8) ? .position(position) : .changed
    }
}
