import TripDomain

/// What is missing of the parts of generations that are kept for good.
public struct HistoryLoss: Sendable, Hashable {
    /// The folder in which it is missing.
    public let path: String
    /// The generations whose history file is missing, in order.
    public let files: [ClosedRange<Int>]
    /// The generations whose history file is there and its check sums are not, ascending.
    public let sums: [Int]

    /// Whether nothing is missing.
    public var isEmpty: Bool { files.isEmpty && sums.isEmpty }
}

extension MartFolder {
    /// Finds what is missing of the history, by names alone.
    ///
    /// A number is never skipped: below the newest one, each has its history file, or a mark that
    /// no reader was meant to see it.
    ///
    /// - Returns: What is missing.
    /// - Throws: ``MartError`` of the folders.
    public func historyLoss() throws(MartError) -> HistoryLoss {
        let kept = try historyNumbers()
        let newest = try publishedNumbers().last ?? 0
        let used = try Set(kept).union(unpublishedNumbers()).filter { $0 <= newest }
        var missing: [ClosedRange<Int>] = []
        var next = 1
        for number in used.sorted() + [newest + 1] {
            if number > next { missing.append(next...number - 1) }
            next = number + 1
        }
        // An early version wrote no sums beside these files; all later generations have them.
        let summed = try numbers(in: historyPath, with: ".sqlite.sum")
        let later = try summed.union(numbers(in: generationsPath, with: ".kpi.sqlite.sum"))
        let first = later.min() ?? .max
        return HistoryLoss(
            path: historyPath,
            files: missing,
            sums: kept.filter { $0 >= first && !summed.contains($0) }
        )
    }

    private func numbers(in folder: String, with suffix: String) throws(MartError) -> Set<Int> {
        var found: Set<Int> = []
        for name in try FileSystem.names(in: folder) {
            if let number = Self.number(ofName: name), Self.stem(number) + suffix == name {
                found.insert(number)
            }
        }
        return found
    }

    /// Whether the part of a generation that is kept for good is there, and as its sums say: only
    /// then may its other files be removed.
    func keepsHistory(_ number: Int) -> Bool {
        guard FileSystem.exists(SumFile.path(for: historyPath(number))) else { return false }
        do throws(MartError) {
            _ = try PublishedCube.whole(self, generation: number)
            return true
        } catch {
            return false
        }
    }
}
