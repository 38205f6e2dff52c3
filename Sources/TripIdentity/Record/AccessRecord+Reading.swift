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
        /// The entries, in order.
        public let entries: [AccessEntry]
        /// The last of them; number 0 where there is none.
        public let last: Place
        /// What is wrong; nil where all of it is what was written.
        public let finding: Finding?
    }

    /// Reads the record and compares every seal.
    ///
    /// - Parameter noted: A place noted earlier, as `NUMBER:SEAL`, that must be in it; nil for none.
    /// - Returns: The entries before the first fault, and the fault.
    /// - Throws: ``IdentityFault`` of the file.
    /// - Complexity: O(*n*) in the entries, all of which are held.
    public func read(noted: String? = nil) throws(IdentityFault) -> Reading {
        let (text, head) = try texts()
        // What is behind the last line break was cut short by a crash, and never said to be done.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        var (entries, last) = ([AccessEntry](), Self.start)
        var hasNoted = noted == nil
        var finding: Finding?
        if let header = lines.first, header != Self.header[...] {
            return Reading(entries: [], last: last, finding: .noRecord)
        }
        for (index, line) in lines.dropFirst().enumerated() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            let place =
                columns.count == 8 ? next(after: last, columns[1..<7].map(String.init)) : nil
            guard let place, columns[0] == String(place.number), columns[7] == place.seal,
                let entry = AccessEntry(columns: Array(columns[1..<7]))
            else {
                finding = .changed(line: index + 2)
                break
            }
            entries.append(entry)
            last = place
            if place.text == noted { hasNoted = true }
        }
        if finding == nil { finding = headFinding(head, last) }
        if finding == nil, !hasNoted { finding = .otherRecord }
        return Reading(entries: entries, last: last, finding: finding)
    }

    /// The record and its head, as they are while nobody adds to them.
    private func texts() throws(IdentityFault) -> (String, Head) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0, errno == ENOENT { return ("", try head()) }
        guard file >= 0 else { throw .folder(path, errno: errno) }
        // Closing gives the lock back.
        defer { close(file) }
        guard flock(file, LOCK_SH) == 0 else { throw .folder(path, errno: errno) }
        return (String(decoding: try IdentityFolder.read(path), as: UTF8.self), try head())
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

    /// Reads the head.
    func head() throws(IdentityFault) -> Head {
        guard access(headPath, F_OK) == 0 else { return .missing }
        let text = String(decoding: try IdentityFolder.read(headPath), as: UTF8.self)
        let parts = (text.split(separator: "\t").first ?? "").split(separator: ":")
        guard parts.count == 2, let number = Self.number(parts[0]) else { return .changed }
        let place = Place(number: number, seal: String(parts[1]))
        return text == headText(place) ? .place(place) : .changed
    }
}
