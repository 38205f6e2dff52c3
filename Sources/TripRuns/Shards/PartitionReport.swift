import TripDomain
import TripEngine

/// What was decided about the trips of one part of the shuffle: all but its rows.
struct PartitionReport: Sendable, Hashable {
    static let form = "triptych partition report 2"

    /// A record: its file in the plan, its number and the line it starts on, both from 1.
    struct Place: Sendable, Hashable {
        let file: Int
        let record: Int
        let line: Int
    }

    /// Two records of one trip.
    struct Pair: Sendable, Hashable {
        let earlier: Place
        let later: Place
    }

    /// The versions of one file in this part.
    struct Account: Sendable, Hashable {
        /// The file's index in the plan.
        let file: Int
        var accepted = LedgerAmount()
        var superseded = LedgerAmount()
        var duplicate = LedgerAmount()
        /// The distinct trip ids.
        var ids: Int64 = 0
        /// Records that replace a different one of the same file, where nothing but their places
        /// says which is later; and the first of them.
        var replacedWithin: Int64 = 0
        var firstWithin: Pair?
    }

    /// Something that two files have in common.
    struct FilePair: Sendable, Hashable {
        let earlier: Int
        let later: Int
        let count: Int64
    }

    /// An accepted trip that was decided by hand: it is in no cell, since the last accepted pick-up
    /// of all parts says whether the decision is in force.
    struct OverriddenTrip: Sendable, Hashable {
        /// The index of its override in the plan.
        let override: Int
        let ref: String
        let place: Place
        /// Its sums as a cell of one trip, by the rule that decided it; nil where it does not
        /// count.
        let cell: FinestCell?
    }

    /// A reject whose trip id some valid version has.
    struct KnownReject: Sendable, Hashable {
        let file: Int
        /// Its index among the rejects of its file.
        let index: Int
        /// Whether it comes after all valid versions of its trip.
        let isCorrection: Bool
    }

    /// The hash of the plan, and of the decision which of its files are in force.
    var plan: String
    var files: String
    /// The index of the part, and the number of all parts.
    var part = 0
    var partCount = 1
    /// The versions that were read, and those of them whose files are not in force.
    var rows: Int64 = 0
    var leftOut: Int64 = 0
    /// The account of each file that has versions here, in order of exports.
    var accounts: [Account] = []
    /// How many trip ids two files have in common.
    var sharedIDs: [FilePair] = []
    /// How many versions of one file replace different ones of another.
    var replacements: [FilePair] = []
    /// The first record whose trip id occurred before.
    var firstRepetition: Pair?
    /// The last accepted pick-up up to the last day on which a file was taken in.
    var lastPickupWithin: Int64?
    /// The accepted trips; its cells are those without trips decided by hand.
    var sums = FinestSums()
    /// The list of its cells, which stands beside the report: their number, and SHA-256 of its
    /// bytes.
    var cellCount = 0
    var cellsHash = ""
    /// The accepted trips decided by hand, in order of exports.
    var overridden: [OverriddenTrip] = []
    /// Rejects of known trips, in order of exports.
    var knownRejects: [KnownReject] = []
}
