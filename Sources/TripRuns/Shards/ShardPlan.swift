import TripDomain

/// What the machines of a cluster have to know of a run that is divided over its files: the files
/// in order of exports, and the texts of the pipeline and of its reference files.
///
/// `triptych shard plan` writes it, `map`, `shard files`, `resolve` and `import-cube` read it. The
/// form is described in `docs/SHARDS.md`.
struct ShardPlan: Sendable, Hashable {
    /// The first member of the file: its form and version.
    static let form = "triptych shard plan 2"

    /// A file that one task reads.
    struct File: Sendable, Hashable {
        /// Its index in order of exports.
        let index: Int
        /// Its path below the input folder, as people see it.
        let path: String
        /// Its path as the list has it: what a task opens.
        let listed: String
        /// Its size as delivered, in bytes.
        let size: Int64
        /// The name of its source.
        let source: String
        /// The text by which the exports of its source are ordered.
        let orderKey: String
        /// The period it covers; empty where its source has none.
        let period: String
        /// The day a run first took it in, by which its pick-ups are judged: as its name and size
        /// tell, or what the list says of its content.
        let takenIn: CivilDate
        /// The last content of its path that the mart took in; nil where it took in none.
        let known: KnownContent?
    }

    /// A content that the mart took in.
    struct KnownContent: Sendable, Hashable {
        /// SHA-256 of the expanded content.
        let contentHash: String
        /// The day a run first took it in; nil where an older version did.
        let takenIn: CivilDate?
    }

    /// A file that is refused for its name alone.
    struct Refusal: Sendable, Hashable {
        /// Its path.
        let path: String
        /// The name of the source that claims it.
        let source: String
        /// Why, as `run` says it.
        let reason: String
        /// What the operator should do.
        let remedy: String
    }

    /// The generation that the mart serves.
    struct Served: Sendable, Hashable {
        /// Its number.
        let generation: Int
        /// SHA-256 over the bytes of its file: another mart's generation of this number is another.
        let hash: String
        /// Whether its trips are generated.
        let isSynthetic: Bool
        /// Its files in force, in order of exports.
        let files: [ServedFile]
    }

    /// A file that is in force in the served generation.
    struct ServedFile: Sendable, Hashable {
        /// The name of its source, and its path.
        let source: String
        let path: String
        /// The text by which the exports of its source are ordered, and the period it covers.
        let orderKey: String
        let period: String
        /// SHA-256 of the expanded content.
        let contentHash: String
        /// Its items that are no rejects, and their amounts.
        let valid: LedgerAmount
    }

    /// A decision made by hand, as trips with its number get it.
    struct Override: Sendable, Hashable {
        /// The class, the basis and the id of the rule that it stands for.
        let tripClass: TripClass
        let basis: String
        let rule: String
        /// The number of that rule.
        let ruleNumber: Int
        /// The last day that accepted pick-ups may reach for it to be in force.
        let expires: CivilDate
    }

    /// A column of a frame.
    struct Column: Sendable, Hashable {
        /// Its name.
        let name: String
        /// The type of its values.
        let type: FrameType
    }

    /// The version of the program that made it; tasks of another version refuse it.
    var program: String
    /// The pipeline's name.
    var pipeline: String
    /// The time of the plan, in seconds of UTC.
    var now: Int64
    /// The day of the plan on the pipeline's clock: contents that the mart does not know are taken
    /// in on it.
    var today: CivilDate
    /// The value that identifies the mart's key file.
    var keyCheck: String
    /// The generation that the mart serves; nil where it serves none.
    var served: Served?
    /// Whether versions of trips are compared, so that rows are shuffled; else every trip is
    /// accepted, and files alone are added up.
    var comparesVersions: Bool
    /// The texts of the pipeline folder, of its overrides and of its reference files.
    var inputs: [GenerationInput]
    /// The decisions made by hand, in the order of their list.
    var overrides: [Override]
    /// The columns of `versions` frames.
    var versionColumns: [Column]
    /// The columns of `trips` frames.
    var tripColumns: [Column]
    /// The files to read, in order of exports.
    var files: [File]
    /// Files that sources claim and that are refused for their names.
    var refusals: [Refusal]
    /// Entries of the list that are not read, and why.
    var unread: [UnreadEntry]
    /// Files that no source claims.
    var unclaimed: [String]
    /// Files that the operator left out, by their paths.
    var skipped: [String]
    /// Files that the operator accepts although they bring far less than they replace.
    var acceptedSmaller: [String]
    /// SHA-256 of all of it, lower-case hexadecimal: what reports are bound to.
    var hash = ""
}

/// The type of the values of a frame's column, by its name in the frame.
enum FrameType: String, Sendable, CaseIterable {
    /// 32-bit integers.
    case int32
    /// 64-bit integers.
    case int64
    /// IEEE doubles.
    case float64
    /// Texts, with offsets of 32 bits.
    case utf8
    /// Bytes, with offsets of 32 bits.
    case binary
    /// Days since 1970-01-01, 32 bits.
    case date32
    /// Seconds since 1970-01-01 on the clock that the column names, 64 bits.
    case timestamp = "timestamp_s"
    /// Truths, a bit for each.
    case bool
}
