import TripEngine

/// Whether a mart holds generated trips or real ones: the two never meet in one.
///
/// What the served generation says of itself decides. Where nothing is served, the files do, as long as
/// they agree: which of two kinds a new mart is meant for, no order of files can say.
struct TripOrigin {
    /// Whether the trips are generated; nil where no file has any, or where the files do not agree.
    let isGenerated: Bool?
    /// Why the night cannot go on: nothing is served, and the files are of both kinds.
    let conflict: RunError?

    private static let mark = "trip ids beginning with \(IDOrigins.mark)"

    /// Finds out what the mart holds.
    ///
    /// - Parameters:
    ///   - served: What the served generation says; nil where nothing is served.
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
                + "\(real.entry.path) real ones, and nothing is served yet that would say which "
                + "of them this mart is for.",
            remedies: [
                "Take the files of one kind out of the input folder.", Self.remedy,
                "Run the command again.",
            ]
        )
    }

    /// Why a file's trips have no place here; nil where they have.
    func objection(to file: ExportsReading.ReadFile) -> String? {
        let trips = file.summary.tripOrigins
        if trips.generated > 0, trips.real > 0 {
            return "it holds generated trips (\(Self.mark)) and others"
        }
        // What was taken in with a valid trip, or with none, is not judged by its rejects later.
        guard file.entry.isNew || !trips.isEmpty else { return nil }
        guard let kind = Self.kind(of: file), let isGenerated, isGenerated != kind else {
            return nil
        }
        return isGenerated
            ? "its trips are not generated ones, and the mart holds generated ones (\(Self.mark))"
            : "its trips are generated ones (\(Self.mark)), and the mart holds real ones"
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

    /// Whether a file's trips are all generated (true) or all real (false).
    ///
    /// Of a file without a valid trip its rejects say it: an export of real trips that fits no field is
    /// an export of real trips. Beside valid trips they say nothing, as a footer's first cell may be
    /// read as an id.
    private static func kind(of file: ExportsReading.ReadFile) -> Bool? {
        let trips = file.summary.tripOrigins
        let origins = trips.isEmpty ? file.summary.rejectOrigins : trips
        guard origins.generated == 0 || origins.real == 0 else { return nil }
        return origins.generated > 0 ? true : origins.real > 0 ? false : nil
    }
}
