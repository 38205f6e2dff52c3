import TripEngine

/// Whether a mart holds generated trips or real ones: the two never meet in one.
///
/// What the served generation says of itself decides. Where nothing is served, the first file in order
/// of exports whose trips are of one kind does.
struct TripOrigin {
    /// Whether the trips are generated; nil where no file has any.
    let isGenerated: Bool?

    /// Finds out what the mart holds.
    ///
    /// - Parameters:
    ///   - served: What the served generation says; nil where nothing is served.
    ///   - files: The files read, in order of exports.
    init(served: Bool?, files: [ExportsReading.ReadFile]) {
        isGenerated =
            served
            ?? files.lazy.map { ($0.summary.syntheticTrips, $0.summary.tripCount) }
            .first { $1 > 0 && ($0 == 0 || $0 == $1) }
            .map { generated, _ in generated > 0 }
    }

    /// Why a file's trips have no place here; nil where they have.
    func objection(to file: ExportsReading.ReadFile) -> String? {
        let (generated, all) = (file.summary.syntheticTrips, file.summary.tripCount)
        let mark = "trip ids beginning with \(ExportReader.syntheticMark)"
        if generated > 0, generated < all {
            return "it holds generated trips (\(mark)) and others"
        }
        guard all > 0, let isGenerated, isGenerated != (generated > 0) else { return nil }
        return isGenerated
            ? "its trips are not generated ones, and the mart holds generated ones (\(mark))"
            : "its trips are generated ones (\(mark)), and the mart holds real ones"
    }

    static let remedy = "Give generated data a mart of its own: --mart data/mart/demo"

    /// The error where a file that was taken in long ago is of the other kind.
    static func mixture(_ file: ExportsReading.ReadFile, _ reason: String) -> RunError {
        RunError(
            .badPipeline,
            summary: "generated and real trips in one mart",
            what: "\(file.entry.path), which was taken in before: \(reason).",
            remedies: [remedy, "Undo the change of the layout that reads other trip ids."]
        )
    }
}
