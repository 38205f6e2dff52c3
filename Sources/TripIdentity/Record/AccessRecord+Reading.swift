import Glibc

extension AccessRecord {
    /// What is wrong with a record.
    public enum Finding: Sendable, Hashable, CustomStringConvertible {
        /// The file does not begin as one.
        case noRecord
        /// A line is not the one that was written, or not where it was; those after it cannot be told.
        case changed(line: Int)
        /// Lines are missing at the end: there were so many.
        case cutOff(number: Int)
        /// The head is missing or was changed.
        case headChanged
        /// The place that was noted elsewhere is not in the record.
        case otherRecord

        /// One sentence.
        public var description: String {
            switch self {
            case .noRecord: "the file is not an access record."
            case .changed(let line): "line \(line) was edited, taken out, added or moved."
            case .cutOff(let number): "its end is missing: there were \(number) entries."
            case .headChanged: "its head is missing or was changed."
            case .otherRecord: "it is not the record that the place was noted from."
            }
        }
    }

    /// What a record holds, as far as it is what was written.
    public struct Reading: Sendable {
        /// The entries before the first fault, in order.
        public let entries: [AccessEntry]
        /// The last of them; number 0 where there is none.
        public let last: Place
        /// What is wrong first; nil where all of it is what was written.
        public let finding: Finding?
        /// What stands after the first fault and is sealed with the line before it, so that it was written in this order
        /// by whoever has the secret; whether something is missing before it cannot be told.
        public let later: [AccessEntry]
        /// Bytes of an entry at the end that was never finished: a crash leaves some, and the next entry replaces them.
        public let unfinishedByteCount: Int
    }

    /// Reads the record and compares every seal.
    ///
    /// - Parameter noted: A place noted earlier, as `NUMBER:SEAL`, that must be in it; nil for none.
    /// - Returns: The entries before the first fault, and the fault.
    /// - Throws: ``IdentityFault`` of the file.
    /// - Complexity: O(*n*) in the entries, all of which are held.
    public func read(noted: String? = nil) throws(IdentityFault) -> Reading {
        try read(noted: noted, isLocked: false)
    }

    /// The same where the caller holds the lock already, and where not.
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
            if let line, let entry = line.entry, line.place == next(after: previous, line.columns) {
                if finding == nil {
                    entries.append(entry)
                    last = line.place
                } else {
                    later.append(entry)
                }
                if line.place.text == noted { hasNoted = true }
            } else if finding == nil {
                finding = .changed(line: index + 2)
            }
            // A fault of one line is none of those after it.
            previous = line?.place ?? previous
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

    /// A line as it stands there, whoever wrote it.
    private struct Line {
        let place: Place
        let columns: [String]

        /// Nil for what has not the form of one.
        init?(_ bytes: ArraySlice<UInt8>) {
            // Nothing else is ever written; texts that Unicode calls equal would pass for each other.
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            let all = bytes.split(separator: 0x09, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard all.count == 8, let number = AccessRecord.number(all[0]),
                String(number) == all[0]
            else { return nil }
            place = Place(number: number, seal: all[7])
            columns = Array(all[1..<7])
        }

        var entry: AccessEntry? { AccessEntry(columns: columns.map { $0[...] }) }
    }

    /// Whether what stands behind the last line break may be an entry that a crash cut short: the beginning of the next
    /// one, and zeros where a disk had not come further.
    private static func mayBeUnfinished(_ tail: ArraySlice<UInt8>, after last: Place) -> Bool {
        guard tail.count < lineSizeMax else { return false }
        let written = tail.prefix { $0 != 0 }
        let number = Array("\(last.number + 1)\t".utf8)
        return written.allSatisfy { $0 == 0x09 || (0x20...0x7e).contains($0) }
            && zip(written, number).allSatisfy { $0 == $1 }
            && tail.dropFirst(written.count).allSatisfy { $0 == 0 }
    }

    /// The record and its head, as they are while nobody adds to them.
    private func contents() throws(IdentityFault) -> ([UInt8], Head) {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if file < 0, errno == ENOENT { return ([], try head()) }
        guard file >= 0 else { throw .folder(path, errno: errno) }
        // Closing gives the lock back.
        defer { close(file) }
        guard flock(file, LOCK_SH) == 0 else { throw .folder(path, errno: errno) }
        return try unlockedContents()
    }

    private func unlockedContents() throws(IdentityFault) -> ([UInt8], Head) {
        (try IdentityFolder.read(path), try head())
    }

    /// Whether the record reaches to where its head says; a crash may leave one entry more.
    private func headFinding(_ head: Head, _ last: Place) -> Finding? {
        switch head {
        case .place(let head) where head.number > last.number: .cutOff(number: head.number)
        case .place(let head) where head.number < last.number - 1: .headChanged
        case .place(let head) where head.number == last.number && head.seal != last.seal:
            .headChanged
        case .place: nil
        case .missing, .changed: .headChanged
        }
    }

    /// What the head beside the record says.
    enum Head {
        case missing
        /// It is not what was written.
        case changed
        case place(Place)
    }

    /// Whether it was begun.
    var hasHead: Bool { access(headPath, F_OK) == 0 }

    /// Reads the head.
    func head() throws(IdentityFault) -> Head {
        guard hasHead else { return .missing }
        let bytes = try IdentityFolder.read(headPath)
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = (text.split(separator: "\t").first ?? "").split(separator: ":")
        guard parts.count == 2, let number = Self.number(parts[0]) else { return .changed }
        let place = Place(number: number, seal: String(parts[1]))
        return bytes.elementsEqual(headText(place).utf8) ? .place(place) : .changed
    }
}
