public import TripDomain
import TripEngine

/// Reads `measures` and `dimensions` of `kpis`.
enum DeclaredReader {
    /// How many measures, and how many dimensions, a pipeline may declare.
    private static let (measureMax, dimensionMax) = (20, 8)

    private static let measureExample = "`transport_minutes: {median: minutes, unit: min}`"

    static func measures(_ value: YAMLValue) throws(PipelineFault) -> [MeasureDefinition] {
        let entries = try YAMLMap(value, "`measures`").entries
        try require(entries.count, atMost: measureMax, "measures", at: value)
        var measures: [MeasureDefinition] = []
        for (key, entry) in entries {
            value.faults.noting { () throws(PipelineFault) in
                try FieldReader.checkName(key.text, at: entry, what: "measure")
                let measure = try measure(key.text, entry)
                try requireFree(measure.measure, beside: measures.map(\.measure), at: entry)
                measures.append(measure)
            }
        }
        return measures
    }

    private static func measure(
        _ name: String,
        _ value: YAMLValue
    ) throws(PipelineFault) -> MeasureDefinition {
        var map = try YAMLMap(value, "the measure `\(name)`")
        let words = DeclaredMeasure.Kind.allCases
        let found = words.compactMap { kind in map.optional(kind.rawValue).map { (kind, $0) } }
        let label = try map.text("label")
        let unit = try map.text("unit")
        value.faults.noting(map.finish)
        guard let (kind, of) = found.first, found.count == 1 else {
            throw value.fault(
                "the measure `\(name)` has \(found.count) of "
                    + "\(words.map(\.rawValue).joined(separator: ", ")); expected one",
                suggestion: "Write, for example, \(measureExample)."
            )
        }
        let text = try of.located("`\(kind.rawValue)`")
        return MeasureDefinition(
            measure: DeclaredMeasure(
                name: name,
                kind: kind,
                column: kind == .count ? name : text.text,
                label: label ?? Self.label(of: kind, name),
                unit: unit ?? ""
            ),
            text: text
        )
    }

    static func dimensions(
        _ value: YAMLValue,
        beside measures: [MeasureDefinition]
    ) throws(PipelineFault) -> [DimensionDefinition] {
        let entries = try YAMLMap(value, "`dimensions`").entries
        try require(entries.count, atMost: dimensionMax, "dimensions", at: value)
        var dimensions: [DimensionDefinition] = []
        for (key, entry) in entries {
            value.faults.noting { () throws(PipelineFault) in
                try FieldReader.checkName(key.text, at: entry, what: "dimension")
                guard !takenNames.contains(key.text) else {
                    throw entry.fault(
                        "the dimension `\(key.text)` has a name that `kpi` gives a column of its "
                            + "own",
                        suggestion: "Choose another word, such as `trip_\(key.text)`."
                    )
                }
                guard !measures.contains(where: { $0.measure.name == key.text }) else {
                    throw entry.fault(
                        "the dimension `\(key.text)` has the name of a measure",
                        suggestion: "Choose another word, such as `by_\(key.text)`."
                    )
                }
                let text = try entry.located("`\(key.text)`")
                dimensions.append(
                    DimensionDefinition(
                        dimension: DeclaredDimension(
                            name: key.text,
                            column: text.text,
                            label: plain(key.text)
                        ),
                        text: text
                    )
                )
            }
        }
        return dimensions
    }

    /// Reads `fiscal_year`, the name of a month: its number, from 1.
    static func fiscalYearStart(_ value: YAMLValue) throws(PipelineFault) -> Int {
        let text = try value.text("`fiscal_year`")
        guard let index = months.firstIndex(of: text) else {
            throw value.fault(
                "`fiscal_year` is '\(text)'; expected the month it begins with, such as `october`",
                suggestion: Suggestion.text(for: text, among: months)
            )
        }
        return index + 1
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]

    private static func require(
        _ count: Int,
        atMost most: Int,
        _ what: String,
        at value: YAMLValue
    ) throws(PipelineFault) {
        guard count > most else { return }
        throw value.fault("`\(what)` has \(count) entries; at most \(most) are published")
    }

    /// Refuses a measure whose columns of an answer are taken.
    private static func requireFree(
        _ measure: DeclaredMeasure,
        beside others: [DeclaredMeasure],
        at value: YAMLValue
    ) throws(PipelineFault) {
        // Whether its values are amounts is known only once the column is.
        let amounts = [DeclaredMeasure.Amount.whole, .cents, .hundredthsOfMile]
        func names(_ measure: DeclaredMeasure) -> [String] {
            amounts.map { measure.of("", $0).columnName } + [measure.knownName].compactMap(\.self)
        }
        let taken = takenNames.union(others.flatMap(names))
        guard let name = names(measure).first(where: taken.contains) else { return }
        throw value.fault(
            "the measure `\(measure.name)` gives the column `\(name)`, which answers have already",
            suggestion: "Choose another word, such as `all_\(measure.name)`."
        )
    }

    /// The names of the columns that every answer may have.
    private static let takenNames = Set(
        KPI.table.map(\.name) + [
            "month", "trip_type", "region", "class", "basis", "fiscal_year", "year", "all",
            "generation", "data_through", "month_open", "regions_as_of", "suppressed",
        ]
    )

    /// Where no label is declared: a mean or median says what it is.
    private static func label(of kind: DeclaredMeasure.Kind, _ name: String) -> String {
        switch kind {
        case .count, .sum: plain(name)
        case .mean, .median: "\(kind.rawValue) \(plain(name))"
        }
    }

    private static func plain(_ name: String) -> String {
        String(name.map { $0 == "_" ? " " : $0 })
    }
}

/// One measure of `kpis`, as written.
public struct MeasureDefinition: Sendable {
    /// The measure; of a count, the column has its own name, and holds the condition.
    public let measure: DeclaredMeasure
    /// The condition of a count; else the name of the field.
    public let text: LocatedText
}

/// One dimension of `kpis`, as written.
public struct DimensionDefinition: Sendable {
    /// The dimension.
    public let dimension: DeclaredDimension
    /// The name of the field.
    public let text: LocatedText
}
