import TripDomain
import TripEngine

/// What the cells of a column show: how many values each type reads.
struct ColumnProfile: Sendable {
    /// The column's place in the file.
    let index: Int
    /// The cells.
    let column: SampleColumn
    /// The words of its name.
    let words: ColumnWords
    /// The records whose cell reads as a type; a type that was not tried reads none.
    let readCounts: [FieldType: Int]
    /// The cells with a point or a dollar sign: amounts rather than whole numbers.
    let decimalCount: Int
    /// The cells of each form that no type tells.
    let formCounts: [CellForm: Int]
    /// The amounts and distances that read where further decimals are rounded.
    let roundedCounts: [FieldType: Int]
    /// The words that stand for "no value", such as `NULL`, in order of appearance.
    let nullWords: [String]
    /// The cells that are one of them.
    let nullCount: Int
    /// The days or times the cells are; nil where they are none.
    let time: TimeReading?

    /// The types that are tried; the others need a name to be meant.
    private static let triedTypes: [FieldType] = [.integer, .money, .miles, .boolean, .npi, .codes]

    init(_ column: SampleColumn, index: Int) {
        self.index = index
        self.column = column
        words = ColumnWords(column.name)
        let trials = Self.triedTypes.map {
            ($0, CellTrial(FieldDefinition(name: "trial", type: $0, columns: [])))
        }
        let roundedTrials = [FieldType.money, .miles].map { type in
            var definition = FieldDefinition(name: "trial", type: type, columns: [])
            definition.isRounded = true
            return (type, CellTrial(definition))
        }
        var reads: [FieldType: Int] = [:]
        var rounded: [FieldType: Int] = [:]
        var forms: [CellForm: Int] = [:]
        var (decimals, nulls) = (0, 0)
        var nullWords: [String] = []
        column.forEachText { text, count in
            if let word = Self.nullWord(text) {
                nullWords.append(word)
                nulls += count
                return
            }
            for (type, trial) in trials where trial.reads(text) {
                reads[type, default: 0] += count
            }
            for (type, trial) in roundedTrials where trial.reads(text) {
                rounded[type, default: 0] += count
            }
            for form in CellForm.allCases where form.fits(text) {
                forms[form, default: 0] += count
            }
            if text.contains(0x2E) || text.contains(0x24) { decimals += count }
        }
        readCounts = reads
        decimalCount = decimals
        formCounts = forms
        roundedCounts = rounded
        self.nullWords = nullWords
        nullCount = nulls
        time = TimeReading.find(in: column)
    }

    var name: String { column.name }
    /// The cells that hold a value.
    var filledCount: Int { column.filledCount - nullCount }
    /// The different values.
    var distinctCount: Int { column.distinctCount - nullWords.count }
    /// The records.
    var recordCount: Int { column.codes.count }

    /// The name as messages quote it.
    var shown: String { "`\(UnseenCharacters.named(in: name))`" }

    /// Whether its cells may name a patient; then none of them is shown.
    var isPersonal: Bool {
        words.isPersonal || has(.socialSecurity, percent: 51)
            || has(.personName, percent: 51) && !words.isOfThings
    }

    /// Whether at least some percent of the cells that are not blank have a form.
    func has(_ form: CellForm, percent: Int) -> Bool {
        filledCount > 0 && (formCounts[form] ?? 0) * 100 >= filledCount * percent
    }

    /// Whether a type reads at least some percent of the cells that are not blank.
    func reads(_ type: FieldType, percent: Int) -> Bool {
        filledCount > 0 && (readCounts[type] ?? 0) * 100 >= filledCount * percent
    }

    /// `998 of 1,000; 2 are blank`.
    func share(of count: Int) -> String {
        Self.share(
            of: count,
            others: filledCount - count,
            blank: column.blankCount + nullCount,
            records: recordCount
        )
    }

    static func share(of count: Int, others: Int, blank: Int, records: Int) -> String {
        func clause(_ count: Int, _ rest: String) -> String {
            count == 0
                ? "" : "; \(Counted.number(Int64(count))) \(count == 1 ? "is" : "are") \(rest)"
        }
        return "\(Counted.number(Int64(count))) of \(Counted.number(Int64(records)))"
            + clause(others, "written otherwise") + clause(blank, "blank")
    }

    /// The different values, the most frequent first; nil where they are many, long, or could name
    /// a patient.
    ///
    /// - Precondition: The column was chosen for a code by its name.
    var codeValues: [String]? {
        guard !isPersonal, (1...20).contains(distinctCount), filledCount >= 2 * distinctCount else {
            return nil
        }
        var values: [(text: String, count: Int)] = []
        column.forEachText { text, count in
            guard Self.nullWord(text) == nil else { return }
            values.append((String(decoding: text, as: UTF8.self), count))
        }
        let areCodes = values.allSatisfy { value in
            value.text.count <= 12 && !value.text.unicodeScalars.contains(where: \.isUnseen)
        }
        guard areCodes else { return nil }
        return values.sorted { ($1.count, $0.text) < ($0.count, $1.text) }.map(\.text)
    }

    /// The text where it stands for "no value"; nil for any other.
    static func nullWord(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        guard text.count <= 6 else { return nil }
        let word = String(decoding: text, as: UTF8.self)
        return [
            "null", "(null)", "\\n", "n/a", "na", "#n/a", "nan", "none", "nil", "-", "--", ".",
        ]
        .contains(word.lowercased()) ? word : nil
    }
}
