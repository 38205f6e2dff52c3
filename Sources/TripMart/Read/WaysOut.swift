import TripDomain

/// The ways out of a mart whose published generation is damaged.
///
/// Each was tried as far as it goes without building anything: what is printed works.
public struct WaysOut: Sendable {
    /// Whether its history file is as it was published: its exports and inputs are known.
    public let isHistoryWhole: Bool
    /// Whether a full run can build it again, because the archive has all of its exports as well.
    public let isRebuildable: Bool
    /// The newest generation before it to which a rollback leads; nil where there is none.
    public let older: Int?
}

extension MartFolder {
    /// Finds the ways out of a damaged generation.
    ///
    /// - Parameter number: The generation.
    /// - Returns: The ways.
    /// - Throws: ``MartError`` of the folders.
    /// - Complexity: O(*n*) in the bytes of the generations that are looked at.
    public func waysOut(of number: Int) throws(MartError) -> WaysOut {
        // Whatever is wrong with a file, it leads nowhere.
        let kept = try? PublishedCube.whole(self, generation: number)
        return WaysOut(
            isHistoryWhole: kept != nil,
            isRebuildable: kept.map(isArchived) ?? false,
            older: try generations(before: number).first(where: canServeAgain)
        )
    }

    /// Whether a rollback to a generation can work: each of its files is as it was published, and
    /// the archive has its exports.
    private func canServeAgain(_ number: Int) -> Bool {
        do throws(MartError) {
            guard isWhole(number) else { return false }
            try requireWholeKPI(number)
            let kept = try PublishedCube.whole(self, generation: number)
            // Exports that a cluster read were never in the archive.
            let isElsewhere = try kept.tripLocation() != nil
            return try kept.hasAllSums() && (isElsewhere || isArchived(kept))
        } catch {
            return false
        }
    }

    /// Whether the archive has all exports of a generation; their bytes are not read.
    private func isArchived(_ kept: PublishedCube) -> Bool {
        // A list that cannot be read leads nowhere.
        guard let files = try? kept.files() else { return false }
        let archive = Archive(self)
        return files.allSatisfy { archive.contains(hash: $0.archiveHash) }
    }
}
