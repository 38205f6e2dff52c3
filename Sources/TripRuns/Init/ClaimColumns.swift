import TripDomain
import TripEngine

/// The columns of a line of a claim: which claim it is of, its number there, and what it replaces.
struct ClaimColumns: Sendable {
    /// The claim; several lines have it.
    let claim: ColumnProfile?
    /// The line's number in the claim.
    let line: ColumnProfile?
    /// What says that a claim is a replacement or a void.
    let frequency: ClaimFrequency?
    /// The claim that is replaced or voided.
    let replaced: ColumnProfile?
    /// The first modifier: origin and destination.
    let modifier: ColumnProfile?
    /// Units, which are miles on a line of mileage.
    let units: ColumnProfile?

    /// Names of the claim's number; in CCLF the control number stays, and
    /// `CUR_CLM_UNIQ_ID` is new for each correction.
    private static let claims = [
        ("clm cntl", 20), ("claim control", 20), ("claim number", 16), ("claim num", 16),
        ("claim nbr", 16), ("claim no", 16), ("clm num", 16), ("clm nbr", 16), ("clm no", 16),
        ("claim id", 14), ("clm id", 14), ("icn", 12), ("dcn", 12), ("tcn", 12), ("claim", 10),
        ("clm", 8),
    ]
    private static let otherClaims = [
        "line", "type", "date", "dt", "from", "thru", "status", "freq", "frequency", "amount",
        "amt", "charge", "paid", "cd", "code", "original", "orig", "replaced", "replaces",
        "adjusted", "prior", "previous", "parent", "f8", "reason", "file", "batch",
    ]
    private static let lines = [
        ("line number", 20), ("line num", 20), ("line nbr", 20), ("line no", 20), ("line nr", 20),
        ("line id", 20), ("lx", 20), ("line seq", 18), ("line sequence", 18), ("line", 10),
        ("seq", 6), ("sequence", 6),
    ]
    private static let otherLines = [
        "date", "dt", "from", "thru", "amount", "amt", "charge", "chrg", "paid", "pd", "allowed",
        "units", "unit", "qty", "quantity", "hcpcs", "cd", "code", "count", "modifier", "mdfr",
        "pos", "status",
    ]
    private static let originals = [
        "original", "orig", "replaced", "replaces", "adjusted claim", "prior claim",
        "previous claim", "parent claim", "ref f8", "f8",
    ]
    private static let units = [
        ("unit qty", 12), ("units", 10), ("quantity", 8), ("qty", 8), ("unit count", 8),
    ]
    /// Line numbers begin again with each claim; more are another number.
    private static let lineMax = 999

    /// Looks for the columns.
    ///
    /// - Parameter profiles: The columns that name no patient and hold no service codes.
    init(_ profiles: [ColumnProfile]) {
        let plain = profiles.filter { $0.time == nil && $0.filledCount > 0 }
        let nearlyFilled = plain.filter { $0.filledCount * 100 >= $0.recordCount * 98 }
        claim = Self.best(
            nearlyFilled.filter { $0.decimalCount == 0 && $0.distinctCount < $0.filledCount },
            Self.claims,
            besides: Self.otherClaims
        )
        line = Self.best(
            nearlyFilled.filter {
                $0.distinctCount <= Self.lineMax && $0.reads(.integer, percent: 98)
            },
            Self.lines,
            besides: Self.otherLines
        )
        frequency = plain.lazy.compactMap(ClaimFrequency.init).first
        let (named, coded) = (frequency?.profile.index, [claim, line].compactMap { $0?.index })
        // A column that is blank so far may hold a number in the next export.
        replaced = profiles.first { profile in
            profile.words.hasAny(Self.originals) && profile.time == nil
                && profile.decimalCount == 0 && profile.index != named
                && !coded.contains(profile.index)
                && !profile.words.hasAny(["amount", "amt", "charge", "date", "dt", "type"])
        }
        modifier = plain.first { $0.words.isModifier && $0.reads(.codes, percent: 100) }
        units = Self.best(
            plain.filter { $0.reads(.miles, percent: 100) && !coded.contains($0.index) },
            Self.units,
            besides: ["type", "price", "rate", "cost", "charge"]
        )
    }

    /// The column whose name fits best; of equal ones the first.
    private static func best(
        _ profiles: [ColumnProfile],
        _ words: [(String, Int)],
        besides others: [String]
    ) -> ColumnProfile? {
        var best: (profile: ColumnProfile, score: Int)?
        for profile in profiles where !profile.words.hasAny(others) {
            let score = profile.words.score(words.map { (phrase: $0.0, score: $0.1) })
            if score > (best?.score ?? 0) { best = (profile, score) }
        }
        return best?.profile
    }
}

/// The column that says whether a claim is an original, a replacement or a void.
struct ClaimFrequency: Sendable {
    /// The column.
    let profile: ColumnProfile
    /// The values found, the most frequent first, with the records of each.
    private let values: [(text: String, count: Int)]
    /// What they are taken for.
    private let codes: Codes

    /// The texts of a code: what each says of its claim.
    struct Codes: Sendable {
        let original: [String]
        let replacement: [String]
        let void: [String]

        /// `CLM05-3` of the 837.
        static let bills = Codes(original: ["1"], replacement: ["6", "7"], void: ["8"])
        /// `CLM_ADJSMT_TYPE_CD` of CCLF.
        static let adjustments = Codes(original: ["0"], replacement: ["2"], void: ["1"])

        func has(_ text: String) -> Bool { (original + replacement + void).contains(text) }
    }

    private static let bills = ["frequency", "freq"]
    private static let adjustments = ["adjsmt", "adjustment type", "adjustment code", "adj type"]
    private static let others = ["amount", "amt", "date", "dt", "reason"]
    /// More values are no code.
    private static let valueMax = 20
    private static let sizeMax = 12

    /// Looks for such a column; nil where it is none.
    ///
    /// - Parameter profile: The column.
    init?(_ profile: ColumnProfile) {
        let isBill = profile.words.hasAny(Self.bills)
        guard isBill || profile.words.hasAny(Self.adjustments),
            !profile.words.hasAny(Self.others), profile.distinctCount <= Self.valueMax
        else { return nil }
        var values: [(text: String, count: Int)] = []
        profile.column.forEachText { text, count in
            guard ColumnProfile.nullWord(text) == nil else { return }
            values.append((String(decoding: text, as: UTF8.self), count))
        }
        guard values.allSatisfy({ $0.text.utf8.count <= Self.sizeMax }) else { return nil }
        self.profile = profile
        self.values = values.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
        func reads(_ codes: Codes) -> Int {
            values.reduce(0) { $0 + (codes.has($1.text) ? $1.count : 0) }
        }
        let (first, second): (Codes, Codes) =
            isBill ? (.bills, .adjustments) : (.adjustments, .bills)
        codes = reads(second) > reads(first) ? second : first
    }

    /// `frequency: {field: frequency, original: ["1"], …}`.
    var text: String {
        func list(_ texts: [String]) -> String {
            "[" + texts.map(YAMLWord.quoted).joined(separator: ", ") + "]"
        }
        return "frequency: {field: frequency, original: \(list(codes.original)), "
            + "replacement: \(list(codes.replacement)), void: \(list(codes.void))}"
    }

    /// What is to be answered: the values with their records, and what each is taken for.
    var question: String {
        let counts = values.map { value in
            "\(UnseenCharacters.named(in: value.text)) in "
                + Counted.text(value.count, "record")
        }
        func words(_ texts: [String], _ name: String) -> String {
            "\(texts.joined(separator: " and ")) \(name)"
        }
        let unknown = values.filter { !codes.has($0.text) }.map {
            UnseenCharacters.named(in: $0.text)
        }
        return "\(profile.shown) has \(counts.joined(separator: ", ")): look whether "
            + words(codes.original, "is the original") + ", "
            + words(codes.replacement, codes.replacement.count == 1 ? "replaces" : "replace")
            + " one and " + words(codes.void, "voids one")
            + (unknown.isEmpty
                ? ""
                : "; lines with \(unknown.joined(separator: ", ")) are rejected until a list "
                    + "has it")
    }
}
