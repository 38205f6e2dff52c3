import TripDomain
public import TripRuns

/// The text that is at fault in one reject.
public struct RevealedValueScreen {
    private let value: RevealedValue

    /// Shows one text.
    ///
    /// - Parameter value: The text and its place.
    public init(_ value: RevealedValue) {
        self.value = value
    }

    /// The text for people.
    ///
    /// - Parameter screen: What it is shown on.
    /// - Returns: The answer; the lines of the text itself are not broken.
    public func text(on screen: Screen) -> String {
        let head = screen.text([
            "Where   \(value.position.text)",
            "Why     \(value.reason.rawValue)" + (value.field.map { " in `\($0)`" } ?? "")
                + ": " + RejectExplanation.text(value.reason, field: value.field)
                + (value.isSetAsideByJoin
                    ? "; the line was set aside when the lines of its claim were joined" : ""),
        ])
        let units = value.unitsWithoutTime.map { "`\(UnseenCharacters.named(in: $0))`" }
        let tail = screen.text(
            (units.isEmpty ? [] : ["Unit    no time: " + units.joined(separator: ", ")])
                + (value.note.map { ["Changed " + $0] } ?? [])
                + ["Access  on record as \(value.accessNumber) in the list of runs"]
        )
        return ([head] + texts + [tail]).joined(separator: "\n")
    }

    private var texts: [String] {
        guard !value.texts.isEmpty else {
            return ["Text    the layout declares it as a constant"]
        }
        return value.texts.map { column, text in
            "Text    " + (column.map { $0 + ": " } ?? "") + (text.isEmpty ? "(nothing)" : text)
        }
    }
}
