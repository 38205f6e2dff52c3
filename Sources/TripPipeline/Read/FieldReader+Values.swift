import TripDomain
import TripEngine

/// What the values of a field may be: words, patterns, formats and ranges.
extension FieldReader {
    static func readValues(
        _ map: inout YAMLMap,
        into field: inout FieldDefinition
    ) throws(PipelineFault) {
        if let values = map.optional("values") {
            for (key, value) in try YAMLMap(values, "`values`").entries {
                field.valueMap[key.text] = .some(try value.textOrNull("a value"))
            }
        }
        field.isValueMapClosed = try map.truth("closed") ?? false
    }

    /// Reads a pattern.
    static func pattern(_ value: YAMLValue) throws(PipelineFault) -> Pattern {
        let text = try value.text("a pattern")
        do throws(PatternFault) {
            return try Pattern(text)
        } catch {
            throw value.fault(
                "the pattern cannot be read: character \(error.characterNumber) is "
                    + error.message
            )
        }
    }

    static func format(
        _ text: String,
        at value: YAMLValue
    ) throws(PipelineFault) -> TimeFormat {
        do throws(PatternFault) {
            return try TimeFormat(text)
        } catch {
            throw value.fault(
                "the format '\(text)' has \(error.message)",
                suggestion: error.suggestion.isEmpty
                    ? "Use `iso8601` or letters such as `M/d/yyyy H:mm`." : error.suggestion
            )
        }
    }

    /// `[least, greatest]` in the unit as written: dollars, miles, days as YYYY-MM-DD.
    ///
    /// For time stamps these are the first and the last day.
    static func range(
        _ value: YAMLValue,
        type: FieldType
    ) throws(PipelineFault) -> ClosedRange<Int64> {
        let texts = try value.texts("`range`")
        let example: String
        switch type {
        case .money, .miles, .integer, .decimal, .boolean: example = "[0, 5000]"
        case .date, .timestamp: example = "[2019-01-01, 2030-12-31]"
        case .text, .patientID, .npi, .codes:
            throw value.fault(
                "`range` bounds numbers, dates and time stamps; this field is \(type.rawValue)",
                suggestion: "Give the field a `type`, or limit its text with `pattern`."
            )
        }
        guard texts.count == 2, let low = bound(texts[0], type), let high = bound(texts[1], type),
            low <= high
        else {
            let unit =
                switch type {
                case .timestamp: "days"
                case .decimal: "whole numbers"
                default: "values of type \(type.rawValue)"
                }
            throw value.fault(
                "`range` must be two \(unit), the lesser first",
                suggestion: "For example `range: \(example)`."
            )
        }
        return type == .timestamp ? low...(high + CivilTime.daySeconds - 1) : low...high
    }

    private static func bound(_ text: String, _ type: FieldType) -> Int64? {
        switch type {
        case .money, .miles: FieldValues.hundredths(text)
        case .integer, .boolean: Int64(text)
        case .decimal: Int64(text)
        case .date: CivilDate(text: text).map { Int64($0.dayNumber) }
        case .timestamp:
            CivilDate(text: text).map { Int64($0.dayNumber) * CivilTime.daySeconds }
        case .text, .patientID, .npi, .codes: nil
        }
    }
}
