import TripDomain
import TripEngine

/// One field of a pipeline that is being drafted.
struct DraftField: Sendable {
    /// Its word in the pipeline.
    let name: String
    /// The columns it is read from; none for a constant.
    var columns: [String] = []
    /// The text every trip has, where no column was found.
    var constant: String?
    /// What its cells are read as.
    var type = FieldType.text
    /// The formats of days and times.
    var formats: [String] = []
    /// Whether days without a time of the day are meant.
    var isDayAlone = false
    /// The pattern that takes what is read out of a cell; nil takes all of it.
    var take: String?
    /// Whether further decimals are rounded.
    var isRounded = false
    /// Words that stand for "no value".
    var nullWords: [String] = []
    /// What the choice rests on, as a clause.
    var evidence: String
    /// The values found, where they may be shown.
    var values: [String] = []
    /// Of an owner, the values that are the organisation itself; empty where there are no others.
    var ownValues: [String] = []
    /// What was not decided, as a clause; nil where it was.
    var question: String?
    /// Whether it is written as a comment, so that it is not read.
    var isComment = false

    /// `Pickup Date + Pickup Time`, as messages quote it.
    var source: String {
        guard !columns.isEmpty else { return "-" }
        return columns.map { "`\(UnseenCharacters.named(in: $0))`" }.joined(separator: " + ")
    }
}
