/// Reads cells as a field of a run would, and says only whether each has a value.
public struct CellTrial: Sendable {
    private enum Field: Sendable {
        case text(TextField)
        case value(ValueField)
    }

    private let field: Field

    /// Prepares to read cells.
    ///
    /// - Parameter definition: The field.
    public init(_ definition: FieldDefinition) {
        field =
            switch definition.type {
            case .text, .patientID, .npi, .codes: .text(TextField(definition))
            default: .value(ValueField(definition))
            }
    }

    /// Whether a cell that is not blank has a value of the field.
    ///
    /// - Parameter cell: The cell's text in UTF-8.
    /// - Returns: False where a run would set its record aside.
    public func reads(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        switch field {
        case .value(let value):
            if case .reject = value.convert(cell) { return false }
            return true
        case .text(var text):
            // A copy takes the text into its pool; a trial needs none of them again.
            if case .reject = text.outcome(of: cell) { return false }
            return true
        }
    }
}
