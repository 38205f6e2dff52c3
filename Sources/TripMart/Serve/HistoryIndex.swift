import Synchronization
import TripDomain

/// How far the data of each published generation went, and in which order they were in force.
///
/// It is read from the history files. Each is opened once: the files never change, and a server
/// that moves on to the next generation reads one more.
final class HistoryIndex: Sendable {
    /// One generation.
    struct Entry: Sendable {
        /// The generation.
        let number: Int
        /// The greatest pick-up date in it.
        let dataThrough: CivilDate?
        /// Whether its data is generated.
        let isSynthetic: Bool
        /// The generation whose content a rollback published again with it; nil where none did.
        let contentOf: Int?
        /// The metadata of its file: another one is read again.
        fileprivate let mark: FileMark
    }

    /// The mart.
    let folder: MartFolder
    private let entries = Mutex<[Int: Entry]>([:])

    /// - Parameter folder: The mart.
    init(_ folder: MartFolder) {
        self.folder = folder
    }

    /// A generation; nil where its history file is missing or cannot be read.
    func entry(_ number: Int) -> Entry? {
        guard let mark = FileMark(folder.historyPath(number)) else { return nil }
        if let known = entries.withLock({ $0[number] }), known.mark == mark { return known }
        // A file that cannot be read has nothing that today's numbers could be compared with.
        guard let entry = try? read(number, mark) else { return nil }
        entries.withLock { $0[number] = entry }
        return entry
    }

    private func read(_ number: Int, _ mark: FileMark) throws(MartError) -> Entry {
        let cube = try PublishedCube.open(folder, generation: number)
        guard cube.header.number == number else { throw cube.damaged }
        return Entry(
            number: number,
            dataThrough: cube.header.dataThrough,
            isSynthetic: cube.header.isSynthetic,
            contentOf: try cube.file.meta("content_of").flatMap { Int($0) },
            mark: mark
        )
    }

    /// The generations that were in force before another one, newest first.
    ///
    /// - Parameters:
    ///   - number: The generation.
    ///   - day: The search ends at the first generation whose data ended before it.
    /// - Returns: Those whose history file can be read; none that a rollback withdrew.
    /// - Complexity: O(*n*) in the generations that are passed; a file is opened once.
    func inForce(before number: Int, backTo day: CivilDate) -> [Entry] {
        // Without a list of the folder there is nothing to compare with.
        var rest = (try? folder.publishedNumbers())?[...] ?? []
        var (number, found) = (number, [Entry]())
        while true {
            let content = entry(number).map(\.contentOf) ?? folder.contentOf(number)
            let last = content.flatMap { $0 < number ? $0 : nil } ?? number - 1
            while let greatest = rest.last, greatest > last { rest.removeLast() }
            guard let next = rest.popLast() else { return found }
            number = next
            guard let entry = entry(next) else { continue }
            if let through = entry.dataThrough, through < day { return found }
            found.append(entry)
        }
    }
}
