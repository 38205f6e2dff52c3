import TripDomain
import TripEngine
import TripMart

/// What somebody decided about the trip that is explained, by hand.
struct ExplainedOverride {
    let override: ManualOverride
    /// The list it stands in.
    let file: String
    /// The last day of the data, by which it holds or has expired.
    let dataThrough: CivilDate?

    /// Finds the override of a trip; nil where there is none, in force or expired.
    init?(_ tripID: String, _ classifier: TripClassifier, dataThrough: CivilDate?) {
        let list = classifier.overrides
        let place = Array(tripID.utf8).withUnsafeBufferPointer { list?.place(of: $0) }
        guard let list, let place else { return nil }
        override = list.overrides[place]
        file = list.table.file
        self.dataThrough = dataThrough
    }

    var isInForce: Bool { override.isInForce(dataThrough) }

    /// Who decided, why and until when, with the place it is written at.
    var lines: [String] {
        let ground = Shown.ground(override.tripClass, override.basis)
        let days =
            isInForce
            ? "holds until \(override.expires.text)"
            : "expired on \(override.expires.text), the data goes through \(dataThrough?.text ?? "")"
        return [
            "Override: \(ground), \(days)   \(file):\(override.lineNumber)",
            "  \(visible(override.author)): \"\(visible(override.reason))\"",
        ]
    }

    /// The same for programs.
    var json: JSONValue {
        .object([
            ("class", .text(override.tripClass.word)), ("basis", .text(override.basis)),
            ("author", .text(override.author)), ("reason", .text(override.reason)),
            ("expires", .text(override.expires.text)), ("in_force", .truth(isInForce)),
            ("file", .text(file)), ("line", .integer(Int64(override.lineNumber))),
        ])
    }

    /// Nothing that somebody wrote is obeyed by a terminal.
    private func visible(_ text: String) -> String {
        VisibleText.of(Array(text.utf8), encoding: .utf8)
    }
}
