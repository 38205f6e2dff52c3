import TripDomain
import TripEngine

/// What one task found in one file: all but its rows and its rejects.
struct FileReport: Sendable, Hashable {
    static let form = "triptych file report 2"

    /// Why the file as a whole is not taken in.
    struct Refusal: Sendable, Hashable {
        /// A word for programs, such as `gzipTruncated` or `layout`.
        let code: String
        /// Why, as `run` says it.
        let reason: String
        /// What the operator should do.
        let remedy: String
        /// Whether the file was written to while it was read: it waits for the next plan.
        let isChanged: Bool
    }

    /// How often a look-up was asked for, and found nothing.
    struct Lookup: Sendable, Hashable {
        /// Its name.
        let name: String
        /// The trips that have its keys.
        let keyed: Int64
        /// Those of them for which no row was found.
        let unmatched: Int64
    }

    /// A unit that a record lists again.
    struct Repetition: Sendable, Hashable {
        /// The reference of its trip.
        let ref: String
        /// The record and the line it starts on, from 1.
        let record: Int
        let line: Int
        /// How often it is listed beyond the first time.
        let count: Int
    }

    /// Ids with the mark of generated data, and without it.
    struct Origins: Sendable, Hashable {
        var generated: Int
        var real: Int
        /// Whether no id was read.
        var isEmpty: Bool { generated == 0 && real == 0 }
    }

    /// The hash of the plan.
    var plan: String
    /// The file's index in the plan.
    var file: Int
    /// Why it is not taken in; nil where it was read.
    ///
    /// All that follows is zero where it is not.
    var refusal: Refusal?
    /// Whether pick-ups were judged by another day than that of the content, so that the file has
    /// to be mapped again.
    var isMisjudged = false
    /// SHA-256 of the bytes as delivered, and of the content.
    var archiveHash = ""
    var contentHash = ""
    /// The sizes of both, in bytes.
    var archiveSize: Int64 = 0
    var expandedSize: Int64 = 0
    /// Whether the last byte of the content ends a line.
    var endsInLineBreak = false
    /// The layout that its header chose.
    var layout = ""
    /// Records that were accepted, and records set aside.
    var records: Int64 = 0
    var rejects: Int64 = 0
    /// The rejects of its list, those of fields included.
    var listedRejects: Int64 = 0
    /// Lines, and those of them without a byte.
    var lines: Int64 = 0
    var blankLines: Int64 = 0
    /// The left side of its account.
    var read = LedgerAmount()
    /// The items set aside, and the units listed again.
    var rejected = LedgerAmount()
    var repeated: Int64 = 0
    /// All valid trips and their costs, whichever versions of them are accepted.
    var valid = LedgerAmount()
    /// The items set aside because their records list no unit, as declared.
    var unitless: Int64 = 0
    /// Valid trips that count.
    var countedTrips: Int64 = 0
    /// The trips, and the rejects whose ids could be read, by the mark of generated data.
    var tripOrigins = Origins(generated: 0, real: 0)
    var rejectOrigins = Origins(generated: 0, real: 0)
    /// The counts of each look-up, in the pipeline's order.
    var lookups: [Lookup] = []
    /// Trips with a region of the export's own, and those where it differs.
    var regionsKnown: Int64 = 0
    var regionsDifferent: Int64 = 0
    /// Integer results of expressions that left 64 bits.
    var overflows: Int64 = 0
    /// The units that records list again.
    var repetitions: [Repetition] = []
    /// The sums of its trips; nil where versions are compared.
    var sums: FinestSums?
    /// Of these trips, the last pick-up up to the end of each day on which a file was taken in.
    var lastPickups: [LastPickup] = []
}

/// The last pick-up not after a day.
struct LastPickup: Sendable, Hashable {
    /// The day.
    let day: CivilDate
    /// The local time of the pick-up, in seconds; nil without one.
    let seconds: Int64?
}

/// A reject of one file, as a line of `file-NNNNN.rejects.jsonl`.
struct ShardReject: Sendable, Hashable {
    /// The reject; its `tripID` is nil, and it is no correction.
    let reject: Reject
    /// Its index among the rejects of its file.
    let index: Int
    /// The reference of what was read as its trip id; nil where nothing could be.
    let ref: String?
    /// Its raw record, sealed.
    let sealed: [UInt8]
}
