import TripDomain
import TripEngine
import TripMart
import TripRules

/// The decision made by hand about the explained trip.
struct ExplainedOverride {
    let override: ManualOverride
    /// The file of the list it is in.
    let file: String
    /// The last day of the data, which decides whether it has expired.
    let dataThrough: CivilDate?

    /// Finds the override of a trip, in force or expired; nil where there is none.
    init?(_ tripID: String, _ classifier: TripClassifier, dataThrough: CivilDate?) {
        let list = classifier.overrides
        let index = Array(tripID.utf8).withUnsafeBufferPointer { list?.place(of: $0) }
        guard let list, let index else { return nil }
        override = list.overrides[index]
        file = list.table.file
        self.dataThrough = dataThrough
    }

    var isInForce: Bool { override.isInForce(dataThrough) }

    /// Author, reason and end of the decision, with its position in the file.
    var lines: [String] {
        let classAndBasis = NumberFormat.classAndBasis(override.tripClass, override.basis)
        let days =
            isInForce
            ? "holds until \(override.expires.text)"
            : "expired on \(override.expires.text), "
                + "the data goes through \(dataThrough?.text ?? "")"
        return [
            "Override: \(classAndBasis), \(days)   \(file):\(override.lineNumber)",
            "  \(visible(override.author)): \"\(visible(override.reason))\"",
        ]
    }

    /// The same as JSON.
    var json: JSONValue {
        .object([
            ("class", .text(override.tripClass.word)), ("basis", .text(override.basis)),
            ("author", .text(override.author)), ("reason", .text(override.reason)),
            ("expires", .text(override.expires.text)), ("in_force", .truth(isInForce)),
            ("file", .text(file)), ("line", .integer(Int64(override.lineNumber))),
        ])
    }

    /// Escapes control characters, so that a terminal does not obey them.
    private func visible(_ text: String) -> String {
        VisibleText.of(Array(text.utf8), encoding: .utf8)
    }
}
