import TripDomain
import TripMart

/// What a rollback leaves out from then on.
extension Rollback {
    /// The exclusions when one generation is left for another: every export and every input of the
    /// one that the other does not have, and the earlier exclusions.
    ///
    /// - Parameters:
    ///   - served: The generation that is left; nil where nothing is known of it.
    ///   - base: The one whose content is published.
    /// - Returns: One entry per content of a file.
    /// - Throws: `MartError` of the files.
    static func exclusions(
        leaving served: (any SummaryReading)?,
        for base: some SummaryReading
    ) throws(MartError) -> [Exclusion] {
        guard let served else { return try base.exclusions() }
        let staying = try contents(of: base)
        var last: [PathKey: Int] = [:]
        for exclusion in staying.files {
            last[PathKey(exclusion)] = max(exclusion.sequence, last[PathKey(exclusion)] ?? 0)
        }
        // A content that came again after another one is not the same as its first delivery.
        let kept = Set(staying.map { ExclusionKey($0, sequence: $0.sequence) })
        // Contents excluded in the base stay excluded; all others from its end on.
        let left = try (served.exclusions() + contents(of: served)).map { exclusion in
            var exclusion = exclusion
            exclusion.after = last[PathKey(exclusion)] ?? 0
            return exclusion
        }
        var indexes: [ExclusionKey: Int] = [:]
        var exclusions: [Exclusion] = []
        for exclusion in try base.exclusions() + left
        where !kept.contains(ExclusionKey(exclusion, sequence: exclusion.sequence)) {
            let key = ExclusionKey(exclusion, sequence: 0)
            guard let index = indexes[key] else {
                indexes[key] = exclusions.count
                exclusions.append(exclusion)
                continue
            }
            // Of a content that came twice, the last delivery counts.
            exclusions[index].sequence = max(exclusions[index].sequence, exclusion.sequence)
        }
        return exclusions
    }

    /// All inputs of a generation, as exclusions.
    private static func contents(of mart: some SummaryReading) throws(MartError) -> [Exclusion] {
        let number = mart.header.number
        let files = try mart.files().map { file in
            Exclusion(
                kind: .file,
                source: file.source,
                path: file.path,
                contentHash: file.contentHash,
                archiveHash: file.archiveHash,
                sequence: file.sequence,
                generation: number
            )
        }
        return try files
            + mart.inputs().map { input in
                Exclusion(
                    kind: input.role == .reference ? .reference : .pipeline,
                    source: "",
                    path: input.path,
                    contentHash: input.hash,
                    archiveHash: input.hash,
                    generation: number
                )
            }
    }

    /// The identity of an excluded content.
    private struct ExclusionKey: Hashable {
        let kind: Exclusion.Kind
        let path: PathKey
        let contentHash: String
        let sequence: Int

        init(_ exclusion: Exclusion, sequence: Int) {
            kind = exclusion.kind
            path = PathKey(exclusion)
            contentHash = exclusion.contentHash
            self.sequence = sequence
        }
    }
}
