import TripDomain
import TripEngine
import TripMart
import TripPipeline

/// Files that rollbacks excluded.
extension FileIntake {
    /// Removes excluded files from a delivery.
    ///
    /// - Parameters:
    ///   - delivered: The files of the input folder.
    ///   - exclusions: The exclusions of rollbacks.
    /// - Returns: The other files.
    /// - Complexity: Reads only files whose path has an excluded content.
    mutating func withoutExcluded(
        _ delivered: [MatchedFiles.Arrival],
        _ exclusions: [Exclusion]
    ) -> [MatchedFiles.Arrival] {
        let excluded = ExcludedContents(exclusions)
        var others: [MatchedFiles.Arrival] = []
        for arrival in delivered {
            let source = pipeline.sources[arrival.sourceIndex]
            let location = landing.location(of: arrival.file.path)
            if excluded.has(arrival.file.path),
                let exclusion = excluded.exclusion(
                    of: arrival.file.path,
                    archiveHash: bytesHash(location, arrival.file.path),
                    contentHash: expandedHash(location, source: source)
                )
            {
                excludedAgain.append(exclusion)
            } else {
                others.append(arrival)
            }
        }
        return others
    }

    /// Takes in files that rollbacks excluded; those that are not in the input folder come from the
    /// archive.
    ///
    /// - Parameter exclusions: The files, in the order in which they first came.
    mutating func include(_ exclusions: [Exclusion]) {
        prepend(exclusions.filter { !hasArrival(of: $0) }.compactMap { archived($0) })
    }

    /// Whether the input folder has this content again.
    private func hasArrival(of exclusion: Exclusion) -> Bool {
        arrivals.contains { arrival in
            let source = pipeline.sources[arrival.sourceIndex]
            let isSamePath =
                PathKey(source: "", path: arrival.path) == PathKey(source: "", path: exclusion.path)
            guard isSamePath else { return false }
            return exclusion.isContent(
                archiveHash: bytesHash(arrival.location, arrival.path),
                contentHash: expandedHash(arrival.location, source: source)
            )
        }
    }

    /// An excluded file from the archive; refused where it is not there.
    private mutating func archived(_ exclusion: Exclusion) -> Arrival? {
        let index = pipeline.sources.firstIndex { $0.name == exclusion.source }
        guard let index,
            let orderKey = FileRegister.orderKey(
                path: exclusion.path,
                source: pipeline.sources[index]
            ),
            let period = FileRegister.period(path: exclusion.path, source: pipeline.sources[index]),
            // A file whose bytes have changed counts as lost.
            let location = try? archive.verifiedPath(hash: exclusion.archiveHash)
        else {
            refuse(
                exclusion.path,
                index ?? 0,
                "a rollback left it out, and now the archive has lost it or no source of the "
                    + "pipeline matches it",
                "Deliver it again."
            )
            return nil
        }
        return Arrival(
            sourceIndex: index,
            path: exclusion.path,
            archiveHash: exclusion.archiveHash,
            contentHash: exclusion.contentHash,
            location: location,
            orderKey: orderKey,
            period: period
        )
    }

    /// The hash of a file's bytes; empty where it cannot be read.
    private func bytesHash(_ location: String, _ name: String) -> String {
        // A file that cannot be read is refused, with its reason, when its records are read.
        (try? ContentHash.ofFile(path: location, name: name)) ?? ""
    }
}
