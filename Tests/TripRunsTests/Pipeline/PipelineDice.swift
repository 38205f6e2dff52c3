import TestSupport

@testable import TripEngine
@testable import TripPipeline
@testable import TripRules
@testable import TripRuns

/// Makes random pipelines that are well-formed YAML and mostly make sense, from a seed.
///
/// Most parts are sensible; now and then one is not: another type, a name that is used twice, a key
/// that does not fit. For each of them the program must find faults or classify trips.
struct PipelineDice {
    var dice: SeededDice
    /// The type of each name so far, so that a second layout mostly agrees with the first.
    private var typeOfName: [String: String] = [:]

    init(seed: UInt64) {
        dice = SeededDice(seed: seed)
    }

    /// A pipeline with reference files and an export.
    mutating func trial() -> PipelineTrial {
        typeOfName = [:]
        var files: [String: String] = [:]
        var text = "pipeline: dice\n"
        if odd(4) { text += "time_zone: \(dice.pick(["UTC", "America/New_York"]))\n" }
        if odd(30) { text += "zone_from: site.\(dice.pick(["tz", "x", "s"]))\n" }
        text += "sources:\n  trips: {files: \"*.csv*\""
        if odd(3) {
            files["a.yaml"] = layout("a")
            files["b.yaml"] = layout("b")
            text += ", layouts: [a.yaml, b.yaml]"
        }
        if odd(12) { text += ", order: {field: \(dice.pick(Self.names))}" }
        if odd(10) { text += ", limits: {record_bytes: \(dice.pick(["90", "9000", "70000000"]))}" }
        if odd(10) { text += ", encoding: \(dice.pick(["latin-1", "windows-1252", "utf-8"]))" }
        text += "}\n"
        if files.isEmpty || odd(30) { text += "fields:\n" + fields() }
        text += lookups() + derived() + rules() + kpis()
        files["pipeline.yaml"] = text
        return PipelineTrial(
            files: files,
            references: ["r.csv": reference(), "q.csv": reference()],
            export: export()
        )
    }

    /// True once in a number of times.
    private mutating func odd(_ times: Int) -> Bool { dice.below(times) == 0 }

    // MARK: Fields

    private static let names = [
        "trip_id", "pickup_at", "region", "trip_type", "cost", "miles", "patient", "status",
        "export_visn", "pickup_date", "pickup_at_utc", "paid", "cost_cents", "dropoff_at", "unit",
        "miles_hundredths", "owner", "month", "provider_npi", "dropoff_date", "x_utc", "served_on",
    ]
    private static let types = [
        "text", "integer", "decimal", "money", "miles", "date", "timestamp", "boolean",
        "patient_id", "npi",
    ]
    private static let columns = ["id", "at", "r", "t", "c", "d", "v", "s", "p"]

    private mutating func layout(_ name: String) -> String {
        "layout: \(name)\nignore: [d]\nfields:\n" + fields()
    }

    private mutating func fields() -> String {
        let usual = ["trip_id: id", "pickup_at: at", "region: r", "trip_type: t"]
        var lines: [String] = []
        for line in usual where !odd(60) {
            let name = String(line.prefix { $0 != ":" })
            lines.append(odd(20) ? field(name) : line)
        }
        for name in Self.names.dropFirst(4) where odd(12) { lines.append(field(name)) }
        return lines.map { "  \($0)\n" }.joined()
    }

    private mutating func field(_ name: String) -> String {
        var parts = [odd(6) ? "from: [id, \(dice.pick(Self.columns))]" : ""]
        if parts[0].isEmpty { parts[0] = "from: \(dice.pick(Self.columns))" }
        if odd(25) { parts[0] = "constant: '08'" }
        let type = odd(20) ? nil : typeOfName[name]
        parts.append("type: \(type ?? dice.pick(Self.types))")
        typeOfName[name] = String(parts.last?.dropFirst(6) ?? "")
        if odd(8) { parts.append("required: \(dice.pick(["true", "false"]))") }
        if odd(8) { parts.append("upper: true") }
        if odd(12) { parts.append("trim: false") }
        if odd(6) { parts.append("values: {'1': null, a: '2', x: all}") }
        if odd(20) { parts.append("closed: true") }
        if odd(12) { parts.append("pattern: '[0-9a-z]*'") }
        if odd(20) { parts.append("range: \(dice.pick(["[0, 9]", "[2020-01-01, 2027-01-01]"]))") }
        if odd(12) {
            parts.append("formats: [\(dice.pick(["iso8601", "M/d/yyyy", "d.M.yy H:mm"]))]")
        }
        if odd(30) { parts.append("split: ';'") }
        return "\(name): {\(parts.joined(separator: ", "))}"
    }

    // MARK: The rest

    private mutating func lookups() -> String {
        guard odd(3) else { return "" }
        var text = "lookups:\n"
        for name in ["site", "fleet"] where !odd(3) {
            var parts = ["file: \(dice.pick(["r.csv", "q.csv"]))"]
            let key = odd(20) ? dice.pick(Self.names) : dice.pick(["region", "trip_id"])
            parts.append("match: {\(key): \(dice.pick(["s", "s", "x", "from"]))}")
            if odd(2) {
                parts.append("valid_on: \(odd(12) ? dice.pick(Self.names) : "pickup_date")")
            }
            if odd(8) { parts.append("from: \(dice.pick(Self.referenceColumns))") }
            if odd(8) { parts.append("to: \(dice.pick(Self.referenceColumns))") }
            if odd(4) { parts.append("cardinality: \(dice.pick(["one", "any"]))") }
            if odd(4) {
                let type = dice.pick(["text", "integer", "decimal", "money", "boolean", "date"])
                parts.append("types: {\(dice.pick(Self.referenceColumns)): \(type)}")
            }
            text += "  \(name): {\(parts.joined(separator: ", "))}\n"
        }
        return text == "lookups:\n" ? "" : text
    }

    private mutating func derived() -> String {
        guard odd(3) else { return "" }
        let names = ["region", "export_visn", "level", "pickup_date", "site", "miles", "far"]
        var text = "derived:\n"
        for name in names where odd(16) || name == "far" {
            text += "  \(name): \"\(expression())\"\n"
        }
        return text
    }

    private mutating func expression() -> String {
        odd(10)
            ? dice.pick([
                "site.x", "'all'", "NULL", "fleet.matched", "far", "\(dice.pick(Self.names))",
            ])
            : dice.pick([
                "coalesce(region, 'x')", "length(trip_id)", "1.5", "pickup_at_utc > pickup_at",
                "substr(pickup_date, 1, 4)", "date(pickup_at, '+1 day')",
            ])
    }

    private mutating func rules() -> String {
        var text = "rules:\n"
        for index in 0...dice.below(3) {
            let when =
                odd(12)
                ? dice.pick([
                    "site.matched = 1", "fleet.match_count > 0", "cost_cents > 100",
                    "site.x = '1'", "far = 1", "export_visn <> region", "status IS NULL",
                ])
                : dice.pick([
                    "region = '08'", "trip_type IN ('BLS', 'x')", "pickup_date > '2026-01-01'",
                    "trip_id LIKE '%1%'", "pickup_at < pickup_at_utc",
                ])
            let dates = odd(5) ? ", from: 2025-01-01, to: 2026-12-31" : ""
            text +=
                "  - {id: rule-\(index), class: in_house, because: x, when: \"\(when)\"\(dates)}\n"
        }
        return text
    }

    private mutating func kpis() -> String {
        var text = ""
        if odd(20) { text += "kpis: {cost: \(dice.pick(["cost", "paid", "owner", "null"]))}\n" }
        if odd(20) { text += "checks: [{id: a, warn_if: \"orphan_pct_site > 1\"}]\n" }
        if odd(6) { text += "dimensions: {region: {file: r.csv, value: s, label: x}}\n" }
        return text
    }

    private static let referenceColumns = ["s", "from", "to", "x", "tz"]

    private mutating func reference() -> String {
        var names = Self.referenceColumns
        if odd(12) { names.append(dice.pick(["S", "x", "reference_row", "matched", "", "rowid"])) }
        if odd(12) { names.remove(at: dice.below(names.count)) }
        var text = names.joined(separator: ",") + "\n"
        for key in ["08", "1", "a"].prefix(1 + dice.below(3)) {
            let cells = names.map { name -> String in
                switch name {
                case "s": key
                case "from", "to": odd(30) ? "soon" : ""
                case "tz": "UTC"
                default: dice.pick(["1", "2", ""])
                }
            }
            text += cells.joined(separator: ",") + "\n"
        }
        return text
    }

    private mutating func export() -> String {
        var text = Self.columns.joined(separator: ",") + "\n"
        for number in 0..<dice.below(12) {
            let cells = Self.columns.map { column -> String in
                if odd(15) {
                    return dice.pick(["", "1", "a", "all", "x;y; x", "9999-12-31", "1e9"])
                }
                switch column {
                case "id": return "\(number / 2)"
                case "at": return "2026-0\(1 + dice.below(9))-03T10:00" + dice.pick(["", "Z"])
                case "c": return "10.0\(dice.below(9))"
                case "d": return "2026-05-03"
                case "s": return dice.pick(["a;A;b", "a", ";"])
                default: return dice.pick(["08", "1", "a", ""])
                }
            }
            text += cells.joined(separator: ",") + "\n"
        }
        return text
    }
}
