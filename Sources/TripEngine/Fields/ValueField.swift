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

/// The last time that a pick-up may have: the end of the day its file was taken in.
public struct LatestTime: Sendable, Hashable {
    /// The last second on the clock of the facility.
    public let local: Int64
    /// The same moment in UTC.
    public let instant: Int64

    /// Any time.
    static let unbounded = LatestTime(local: .max, instant: .max)

    /// Describes a last time.
    ///
    /// - Parameters:
    ///   - local: The last second on the clock of the facility.
    ///   - instant: The same moment in UTC.
    public init(local: Int64, instant: Int64) {
        self.local = local
        self.instant = instant
    }

    /// Whether a time as written is not after this one.
    @inline(__always)
    func allows(_ reading: TimeFormat.Reading) -> Bool {
        switch reading.clock {
        case .local: reading.seconds <= local
        case .instant: reading.seconds <= instant
        case .offset(let offset): reading.seconds - Int64(offset) <= instant
        }
    }
}

/// Converts the cells of one field that is not text.
///
/// A class, so that using it for every cell copies a reference and not a definition.
final class ValueField: Sendable {
    private let type: FieldType
    private let isTrimmed: Bool
    private let isRequired: Bool
    private let range: ClosedRange<Int64>?
    private let formats: [TimeFormat]
    /// The value map by bytes; a linear search is faster than a hash table for the few entries.
    private let mappings: [(text: [UInt8], value: [UInt8])]
    private let isValueMapClosed: Bool
    /// nil leaves cells as they are.
    private let cut: CellCut?
    private let readsDaysAlone: Bool
    private let isRounded: Bool
    private let latest: LatestTime

    /// The years 1900 to 2199.
    ///
    /// Exports write 9999 for "no end" and 0000 or 0001 for "none". One such date as a pick-up date
    /// would make every real month count as settled.
    static let plausibleSeconds: Range<Int64> = -2_208_988_800..<7_258_118_400

    init(_ definition: FieldDefinition, latest: LatestTime? = nil) {
        self.latest = latest ?? .unbounded
        type = definition.type
        isTrimmed = definition.isTrimmed
        isRequired = definition.isRequired
        range = definition.range
        formats = definition.formats
        mappings = definition.valueMap.map { (Array($0.utf8), Array(($1 ?? "").utf8)) }
        isValueMapClosed = definition.isValueMapClosed
        cut = definition.cut.isEmpty ? nil : definition.cut
        readsDaysAlone = definition.readsDaysAlone
        isRounded = definition.isRounded
    }

    /// Converts one cell.
    ///
    /// - Complexity: O(*n*) in the cell's bytes, times the entries of a value map; allocates
    ///   nothing but for decimals.
    func convert(_ cell: UnsafeBufferPointer<UInt8>) -> ValueOutcome {
        convert(cell, range: range)
    }

    /// Converts one cell without checking its range, for amounts that are summed even if refused.
    func convertUnbounded(_ cell: UnsafeBufferPointer<UInt8>) -> ValueOutcome {
        convert(cell, range: nil)
    }

    private func convert(
        _ cell: UnsafeBufferPointer<UInt8>,
        range: ClosedRange<Int64>?
    ) -> ValueOutcome {
        let text = isTrimmed ? trimmed(cell) : cell
        guard let cut else { return convertCut(text, range) }
        guard let rest = cut.applied(to: text) else { return .reject(.wrongPattern) }
        return rest.withUnsafeBufferPointer { convertCut($0, range) }
    }

    private func convertCut(
        _ text: UnsafeBufferPointer<UInt8>,
        _ range: ClosedRange<Int64>?
    ) -> ValueOutcome {
        guard !mappings.isEmpty else { return convertMapped(text, range) }
        for mapping in mappings where mapping.text.count == text.count {
            guard mapping.text.elementsEqual(text) else { continue }
            return mapping.value.withUnsafeBufferPointer { convertMapped($0, range) }
        }
        if isValueMapClosed, !text.isEmpty { return .reject(.unknownValue) }
        return convertMapped(text, range)
    }

    private func convertMapped(
        _ text: UnsafeBufferPointer<UInt8>,
        _ range: ClosedRange<Int64>?
    ) -> ValueOutcome {
        func ranged(_ value: Int64?) -> ValueOutcome {
            guard let value else { return .reject(.wrongType) }
            if let range, !range.contains(value) { return .reject(.outOfRange) }
            return .integer(value)
        }
        guard !text.isEmpty else { return isRequired ? .reject(.missingValue) : .null }
        switch type {
        case .money: return ranged(NumberText.cents(text, isRounded: isRounded))
        case .miles: return ranged(NumberText.mileHundredths(text, isRounded: isRounded))
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
            guard let reading = read(text, needsTime: !readsDaysAlone) else {
                return .reject(.wrongType)
            }
            return allows(reading, range) ? .time(reading) : .reject(.outOfRange)
        case .text, .patientID, .npi, .codes:
            preconditionFailure("text fields are converted by TextField")
        }
    }

    /// Whether a time lies within the bounds of the field.
    func allows(_ reading: TimeFormat.Reading) -> Bool { allows(reading, range) }

    @inline(__always)
    private func allows(_ reading: TimeFormat.Reading, _ range: ClosedRange<Int64>?) -> Bool {
        Self.plausibleSeconds.contains(reading.seconds)
            && range?.contains(reading.seconds) ?? true && latest.allows(reading)
    }

    private func read(
        _ text: UnsafeBufferPointer<UInt8>,
        needsTime: Bool
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
