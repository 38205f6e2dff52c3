import TripEngine

/// How a field stands in the draft.
extension DraftText {
    /// The types that names give by themselves, so that a line need not repeat them.
    private static let namedTypes: [String: FieldType] = [
        "pickup_at": .timestamp, "cost": .money, "miles": .miles, "patient": .patientID,
        "provider_npi": .npi,
    ]

    /// The column of a field, or the map that reads it.
    static func value(of field: DraftField) -> String {
        if let constant = field.constant { return "{constant: \(YAMLWord.quoted(constant))}" }
        let columns = field.columns.isEmpty ? ["Your Column"] : field.columns
        var parts = ["from: " + YAMLWord.list(columns)]
        if field.name == "trip_id", columns.count > 1 { parts.append("join: \"-\"") }
        let isUsual = field.formats == [TimeFormat.iso8601Name]
        let implied =
            namedTypes[field.name] ?? (field.formats.isEmpty || isUsual ? .text : .timestamp)
        if field.type != implied { parts.append("type: \(field.type.rawValue)") }
        if field.name == "pickup_at", field.isComment {
            parts.append("formats: [\"M/d/yyyy H:mm\"]")
        }
        if !field.formats.isEmpty, !isUsual {
            parts.append(
                "formats: [" + field.formats.map(YAMLWord.quoted).joined(separator: ", ") + "]"
            )
        }
        if let take = field.take { parts.append("take: " + YAMLWord.quoted(take)) }
        if field.isDayAlone { parts.append("day_alone: true") }
        if field.isRounded { parts.append("round: nearest") }
        if !field.nullWords.isEmpty {
            let words = field.nullWords.map { YAMLWord.quoted($0) + ": null" }
            parts.append("values: {" + words.joined(separator: ", ") + "}")
        }
        return parts.count == 1 && columns.count == 1
            ? YAMLWord.quoted(columns[0]) : "{" + parts.joined(separator: ", ") + "}"
    }
}
