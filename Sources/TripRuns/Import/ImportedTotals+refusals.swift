import TripMart
import TripPipeline

extension ImportedTotals {
    /// The files that are not taken in, as a run refuses them.
    var refusals: [ClassifiedExports.Refusal] {
        let plan = results.plan
        let gone = results.decision.gone.filter { !$0.isAccepted }
        let gaps = Set(gone.map { PathKey(source: $0.source, path: $0.path) })
        var refusedPaths: Set<PathKey> = []
        func refusal(
            _ path: String,
            of source: String,
            _ reason: String,
            _ remedy: String
        ) -> ClassifiedExports.Refusal {
            let key = PathKey(source: source, path: path)
            refusedPaths.insert(key)
            let mayLack = sources.first { $0.name == source }?.onRefusedFile != .withhold
            return ClassifiedExports.Refusal(
                path: path,
                reason: reason,
                remedy: remedy,
                // No archive has the content that would stay in force without it.
                isWithholding: !mayLack || gaps.contains(key),
                maySkip: !gaps.contains(key)
            )
        }
        let named = plan.refusals.map {
            refusal($0.path, of: $0.source, $0.reason, $0.remedy)
        }
        let read = results.decision.refusals.filter { $0.kind != .changed }.map { found in
            let file = plan.files[found.file]
            var refused = refusal(file.path, of: file.source, found.reason, found.remedy)
            switch found.kind {
            case .otherKind: refused.objection = .otherKind
            case .smaller: refused.objection = .smaller
            case .unreadable, .changed: break
            }
            return refused
        }
        let lost = gone.filter {
            !refusedPaths.contains(PathKey(source: $0.source, path: $0.path))
        }.map { file in
            ClassifiedExports.Refusal(
                path: file.path,
                reason: file.clause,
                remedy: "Put the file back into the input folder, whole and under its name.",
                isWithholding: true,
                objection: .gone,
                maySkip: false
            )
        }
        return named + read + lost
    }
}
