import TripDomain
import TripEngine

/// Whether a mart holds synthetic trips or real ones; a mart never holds both.
///
/// The served generation decides. Where nothing is served, the files decide, as long as they agree:
/// no order of files can tell which kind a new mart is meant for.
struct TripOrigin {
    /// Whether the trips are synthetic; nil where no file has any, or where the files do not agree.
    let isGenerated: Bool?
    /// Why the run cannot go on: nothing is served, and the files are of both kinds.
    let conflict: RunError?

    private static let mark = "trip ids beginning with \(IDOrigins.mark)"

    /// Determines which kind the mart holds.
    ///
    /// - Parameters:
    ///   - served: The kind of the served generation; nil where nothing is served.
    ///   - files: The files read, in order of exports.
    init(served: Bool?, files: [ExportsReading.ReadFile]) {
        let withTrips = files.filter { !$0.summary.tripOrigins.isEmpty }
        let generated = withTrips.first { Self.kind(of: $0) == true }
        let real = withTrips.first { Self.kind(of: $0) == false }
        guard served == nil, let generated, let real else {
            isGenerated = served ?? (generated == nil ? real.map { _ in false } : true)
            conflict = nil
            return
        }
        isGenerated = nil
        conflict = RunError(
            .noUsableInput,
            summary: "generated and real exports in one folder",
            what: "\(generated.entry.path) holds generated trips (\(Self.mark)), "
                + "\(real.entry.path) real ones, and no served generation determines which of "
                + "them this mart is for.",
            remedies: [
                "Take the files of one kind out of the input folder.", Self.generatedRemedy,
                "Run the command again.",
            ]
        )
    }

    /// Why a file's trips do not belong in this mart; nil where they do.
    func objection(to file: ExportsReading.ReadFile) -> String? {
        let trips = file.summary.tripOrigins
        if trips.generated > 0, trips.real > 0 {
            return "it holds generated trips (\(Self.mark)) and others"
        }
        // A known file is judged by its valid trips alone; without any, its rejects show nothing.
        guard file.entry.isNew || !trips.isEmpty else { return nil }
        guard let kind = Self.kind(of: file), let isGenerated, isGenerated != kind else {
            return nil
        }
        return isGenerated
            ? "its trips are not generated ones, and the mart holds generated ones (\(Self.mark))"
            : "its trips are generated ones (\(Self.mark)), and the mart holds real ones"
    }

    private static let generatedRemedy =
        "Give generated data a mart of its own: --mart data/mart/demo"

    /// What to do about a file that does not belong in this mart: a mart of generated data is one
    /// to try things with, and real data begins a mart of its own.
    var remedy: String {
        isGenerated == true
            ? "This mart holds generated data. Give the real data a mart of its own: "
                + "--mart data/mart/real" : Self.generatedRemedy
    }

    /// The error where a known file is of the other kind.
    static func mixture(_ file: ExportsReading.ReadFile, _ reason: String) -> RunError {
        RunError(
            .badPipeline,
            summary: "generated and real trips in one mart",
            what: "\(file.entry.path), which was taken in before: \(reason).",
            remedies: [generatedRemedy, "Undo the change of the layout that reads other trip ids."]
        )
    }

    /// Whether a file's trips are all synthetic (true) or all real (false).
    ///
    /// For a file without a valid trip, its rejects decide: an export of real trips that fits no
    /// field is an export of real trips. Beside valid trips, rejects show nothing, as a footer's
    /// first cell may be read as an id.
    private static func kind(of file: ExportsReading.ReadFile) -> Bool? {
        let trips = file.summary.tripOrigins
        let origins = trips.isEmpty ? file.summary.rejectOrigins : trips
        guard origins.generated == 0 || origins.real == 0 else { return nil }
        return origins.generated > 0 ? true : origins.real > 0 ? false : nil
    }
}
