import TripDomain

/// A converted value that is not text.
enum ValueOutcome: Sendable {
    /// NULL.
    case null
    /// An integer in the stored unit: cents, hundredths, days, 0 or 1.
    case integer(Int64)
    /// A double.
    case real(Double)
    /// A time stamp on its own clock.
    case time(TimeFormat.Reading)
    /// A reason to set the record aside.
    case reject(RejectReason)
}

extension FieldDefinition {
    /// Converts one cell of a field that is not text.
    ///
    /// - Complexity: O(*n*) in the cell's bytes; allocates only where a value map is declared.
    func convertValue(_ cell: UnsafeBufferPointer<UInt8>) -> ValueOutcome {
        let text = isTrimmed ? trimmed(cell) : cell
        guard !valueMap.isEmpty else { return convertMapped(text) }
        guard let mapped = valueMap[String(decoding: text, as: UTF8.self)] else {
            if isValueMapClosed, !text.isEmpty { return .reject(.unknownValue) }
            return convertMapped(text)
        }
        return Array((mapped ?? "").utf8).withUnsafeBufferPointer { convertMapped($0) }
    }

    private func convertMapped(_ text: UnsafeBufferPointer<UInt8>) -> ValueOutcome {
        guard !text.isEmpty else { return isRequired ? .reject(.missingValue) : .null }
        switch type {
        case .money: return ranged(NumberText.cents(text))
        case .miles: return ranged(NumberText.mileHundredths(text))
        case .integer: return ranged(NumberText.integer(text))
        case .boolean: return ranged(Self.truth(text))
        case .decimal:
            guard let value = NumberText.decimal(text) else { return .reject(.wrongType) }
            if let range, value < Double(range.lowerBound) || value > Double(range.upperBound) {
                return .reject(.outOfRange)
            }
            return .real(value)
        case .date:
            guard let reading = read(text, needsTime: false) else { return .reject(.wrongType) }
            return ranged(Int64(CivilTime.date(ofSeconds: reading.seconds).dayNumber))
        case .timestamp:
            guard let reading = read(text, needsTime: true) else { return .reject(.wrongType) }
            return .time(reading)
        case .text, .patientID, .npi:
            preconditionFailure("text fields are converted by TextField")
        }
    }

    private func ranged(_ value: Int64?) -> ValueOutcome {
        guard let value else { return .reject(.wrongType) }
        if let range, !range.contains(value) { return .reject(.outOfRange) }
        return .integer(value)
    }

    private func read(
        _ text: UnsafeBufferPointer<UInt8>, needsTime: Bool
    ) -> TimeFormat.Reading? {
        for format in formats {
            if let reading = format.read(text, needsTime: needsTime) { return reading }
        }
        return nil
    }

    private static func truth(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "1", "y", "yes", "t", "true": 1
        case "0", "n", "no", "f", "false": 0
        default: nil
        }
    }
}
