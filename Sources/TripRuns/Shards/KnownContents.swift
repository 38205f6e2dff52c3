import TripDomain
import TripEngine
import TripMart

/// The contents that a mart took in, and the days on which it did: pick-ups of a content are judged
/// by the day on which it was first taken in.
///
/// A plan reads no file. Where the list does not say what a file holds, its path and size tell; its
/// task finds out whether that was right.
struct KnownContents {
    private let latest: [PathKey: SourceFileEntry]
    private let listed: [[UInt8]: String]
    private let today: CivilDate

    /// Takes the files of the served generation.
    ///
    /// - Parameters:
    ///   - known: The files.
    ///   - listed: What the list says of contents, by the paths of their files.
    ///   - today: The day of the plan on the pipeline's clock.
    init(_ known: [SourceFileEntry], listed: [[UInt8]: String], today: CivilDate) {
        latest = Dictionary(known.map { (PathKey($0), $0) }) { left, right in
            left.sequence < right.sequence ? right : left
        }
        (self.listed, self.today) = (listed, today)
    }

    /// The last content that the mart took in of a path; nil where it took in none.
    func latest(_ path: String, _ source: String) -> ShardPlan.KnownContent? {
        latest[PathKey(source: source, path: path)].map {
            ShardPlan.KnownContent(contentHash: $0.contentHash, takenIn: $0.takenIn)
        }
    }

    /// The day on which the mart took in a file, as far as that is known without its content.
    func day(_ file: LandingFile, _ source: String) -> CivilDate {
        guard let known = latest[PathKey(source: source, path: file.path)] else { return today }
        let isKnown =
            if let hash = listed[Array(file.location.utf8)] {
                hash == known.contentHash
            } else {
                known.archiveSize == file.state.size
                    && known.path.utf8.elementsEqual(file.path.utf8)
            }
        return isKnown ? known.takenIn ?? today : today
    }
}

extension ShardPlan.File {
    /// The day a run first took in a content of this path.
    ///
    /// - Parameters:
    ///   - contentHash: SHA-256 of the expanded content.
    ///   - today: The day of the plan.
    /// - Returns: The day by which its pick-ups are to be judged.
    func day(ofContent contentHash: String, today: CivilDate) -> CivilDate {
        guard let known, known.contentHash == contentHash else { return today }
        return known.takenIn ?? today
    }

    /// Whether the plan's day let through a pick-up that the content's day does not, or the other
    /// way round: in doubt, it did.
    ///
    /// - Parameters:
    ///   - read: The file, read by the plan's day.
    ///   - lastPickup: Its last pick-up, in local seconds; nil without trips.
    ///   - today: The day of the plan.
    /// - Returns: Whether it has to be read again.
    func isMisjudged(
        _ read: ExportsReading.ReadFile,
        lastPickup: Int64?,
        today: CivilDate
    ) -> Bool {
        let day = day(ofContent: read.summary.digest.contentHash ?? "", today: today)
        guard day != takenIn else { return false }
        guard day < takenIn else { return read.rejects.contains { $0.reason == .outOfRange } }
        // On other clocks than the pipeline's, the day ends up to a day earlier.
        return lastPickup.map { $0 >= Int64(day.dayNumber) * CivilTime.daySeconds } ?? false
    }
}
