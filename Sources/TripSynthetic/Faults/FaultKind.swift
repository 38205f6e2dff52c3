import TripDomain

/// The kinds of lines that can be planted in generated exports: bad records, unusual good ones, and
/// further versions of trips.
enum FaultKind: String, Sendable, CaseIterable {
    // Records the scanner sets aside.
    case extraField = "extra_field"
    case cutRecord = "cut_record"
    case footer
    case quoteInsideField = "quote_inside_field"
    case textAfterQuote = "text_after_quote"
    case quoteNeverClosed = "quote_never_closed"
    case endlessRecord = "endless_record"
    case nulByte = "nul_byte"
    case foreignEncoding = "foreign_encoding"
    case headerAgain = "header_again"
    // Records with one bad field.
    case blankTripID = "blank_trip_id"
    case blankPickup = "blank_pickup"
    case blankStatus = "blank_status"
    case impossiblePickup = "impossible_pickup"
    case unreadablePaid = "unreadable_paid"
    case unreadableMiles = "unreadable_miles"
    case wrongCheckDigit = "wrong_check_digit"
    case shortStation = "short_station"
    case shortCode = "short_code"
    case wrongPatient = "wrong_patient"
    case tooManyMiles = "too_many_miles"
    case unknownStatus = "unknown_status"
    case rejectedCorrection = "rejected_correction"
    // Unusual records that are good.
    case lateTrip = "late_trip"
    case lineBreakInQuotes = "line_break_in_quotes"
    case refund
    case blankLine = "blank_line"
    // Further versions of trips.
    case repeatInFile = "repeat_in_file"
    case repeatInLaterFile = "repeat_in_later_file"
    case repeatWrittenOtherwise = "repeat_written_otherwise"
    case correctedAmount = "corrected_amount"
    case correctedStation = "corrected_station"
    case correctedMonth = "corrected_month"
    case correctedAndBack = "corrected_and_back"
    case correctedAndRepeated = "corrected_and_repeated"

    /// The expected outcome of a planted line.
    enum Outcome: Sendable, Hashable {
        /// It is set aside; the field is nil where the scanner could not read the record.
        case rejected(RejectReason, field: String?)
        /// It is a trip of its own.
        case accepted
        /// It is a further version of a trip.
        case version
        /// It is a blank line, which is ignored.
        case blank
    }

    /// The expected outcome of the planted line under `pipelines/ambulance`.
    var outcome: Outcome {
        switch self {
        case .extraField: .rejected(.tooManyFields, field: nil)
        case .cutRecord, .footer: .rejected(.tooFewFields, field: nil)
        case .quoteInsideField, .textAfterQuote: .rejected(.strayQuote, field: nil)
        case .quoteNeverClosed: .rejected(.unclosedQuote, field: nil)
        case .endlessRecord: .rejected(.recordTooLong, field: nil)
        case .nulByte: .rejected(.nulByte, field: nil)
        case .foreignEncoding: .rejected(.invalidEncoding, field: nil)
        case .headerAgain: .rejected(.repeatedHeader, field: nil)
        case .blankTripID: .rejected(.missingValue, field: "trip_id")
        case .blankPickup: .rejected(.missingValue, field: "pickup_at")
        case .blankStatus: .rejected(.missingValue, field: "status")
        case .impossiblePickup: .rejected(.wrongType, field: "pickup_at")
        case .unreadablePaid: .rejected(.wrongType, field: "paid")
        case .unreadableMiles: .rejected(.wrongType, field: "miles")
        case .wrongCheckDigit: .rejected(.wrongPattern, field: "provider_npi")
        case .shortStation, .rejectedCorrection: .rejected(.wrongPattern, field: "station")
        case .shortCode: .rejected(.wrongPattern, field: "hcpcs")
        case .wrongPatient: .rejected(.wrongPattern, field: "patient")
        case .tooManyMiles: .rejected(.outOfRange, field: "miles")
        case .unknownStatus: .rejected(.unknownValue, field: "status")
        case .lateTrip, .lineBreakInQuotes, .refund: .accepted
        case .blankLine: .blank
        case .repeatInFile, .repeatInLaterFile, .repeatWrittenOtherwise, .correctedAmount,
            .correctedStation, .correctedMonth, .correctedAndBack, .correctedAndRepeated:
            .version
        }
    }

    /// Whether the line must be the last of its file.
    var isAtEnd: Bool { self == .quoteNeverClosed || self == .footer }
}

/// One planted line and its position.
struct Insertion: Sendable {
    /// The index of the trip of the file that follows it, from 0.
    let ordinal: Int
    /// Its order among lines planted before the same trip.
    var sequence = 0
    let kind: FaultKind
    let trip: SyntheticTrip
}

/// One version of a trip that has several, and its position.
struct PlantedVersion: Sendable {
    let fileIndex: Int
    let ordinal: Int
    /// Whether it is a planted line, which comes before the trip with its ordinal.
    let isPlanted: Bool
    /// Versions with the same label are equal in every value.
    let label: Int
    let trip: SyntheticTrip

    /// Whether it is earlier in the order of exports; versions in one file have distinct positions.
    func isBefore(_ other: PlantedVersion) -> Bool {
        (fileIndex, ordinal, isPlanted ? 0 : 1)
            < (other.fileIndex, other.ordinal, other.isPlanted ? 0 : 1)
    }
}

/// Turns the record of a good trip into the planted line.
struct FaultLine: Sendable {
    /// Longer than the limit of 256 KiB for one record.
    static let endlessSize = 270_000

    /// A text of counting numbers: one repeated letter would compress so well that a small file
    /// would look like a decompression bomb.
    private static let endlessName: [UInt8] = {
        var text: [UInt8] = []
        var number = 0
        while text.count < endlessSize {
            text += String(number).utf8
            text.append(0x20)
            number += 1
        }
        return text
    }()

    let writer: RowWriter

    /// The fields that can be changed.
    private enum Field {
        case tripID, pickup, station, identifier, name, code, miles, patient, paid, status
    }

    private func index(_ field: Field) -> Int {
        switch field {
        case .tripID: 0
        case .pickup: 1
        case .station: writer.isLegacy ? 3 : 2
        case .identifier: writer.isLegacy ? 7 : 4
        case .name: writer.isLegacy ? 8 : 5
        case .code: writer.isLegacy ? 9 : 8
        case .miles: writer.isLegacy ? 12 : 10
        case .patient: writer.isLegacy ? 13 : 11
        case .paid: writer.isLegacy ? 15 : 13
        case .status: writer.isLegacy ? 16 : 14
        }
    }

    /// Adds the planted line without its line end.
    func write(_ insertion: Insertion, to buffer: inout OutputBuffer) {
        let start = buffer.totalCount
        writer.write(insertion.trip, to: &buffer)
        guard let changed = changed(buffer.bytes(from: start), insertion.kind) else { return }
        buffer.removeLast(from: start)
        buffer.add(changed)
    }

    /// The record's bytes as planted; nil where they do not change.
    private func changed(_ record: [UInt8], _ kind: FaultKind) -> [UInt8]? {
        var fields = record.split(separator: 0x2C, omittingEmptySubsequences: false).map(Array.init)
        switch kind {
        case .blankLine: return []
        case .headerAgain: return writer.header.withUTF8Buffer { Array($0) }
        case .footer: return Array("TOTAL,".utf8) + fields[index(.paid)]
        case .extraField: fields.append(Array("x".utf8))
        case .cutRecord: fields.removeLast(4)
        case .quoteInsideField: set(&fields, .name, "Vendor 04\"12 Ambulance")
        case .textAfterQuote: set(&fields, .name, "\"Vendor 0412\" Ambulance")
        case .quoteNeverClosed: set(&fields, .name, "\"Vendor 0412 Ambulance")
        case .endlessRecord:
            fields[index(.name)] = Self.endlessName
        case .nulByte: set(&fields, .name, "Vendor\u{0}0412")
        case .foreignEncoding: fields[index(.name)] += [0x42, 0x61, 0x79, 0x61, 0x6D, 0xF3, 0x6E]
        default:
            guard changeField(&fields, kind) else { return nil }
        }
        return Array(fields.joined(separator: [0x2C]))
    }

    private func changeField(_ fields: inout [[UInt8]], _ kind: FaultKind) -> Bool {
        switch kind {
        case .blankTripID: set(&fields, .tripID, "")
        case .blankPickup:
            set(&fields, .pickup, "")
            if writer.isLegacy { fields[index(.pickup) + 1] = [] }
        case .impossiblePickup:
            set(
                &fields,
                .pickup,
                writer.isLegacy ? "2/30/2026" : "2026-02-30T10:00:00-05:00"
            )
        case .blankStatus: set(&fields, .status, "")
        case .unknownStatus: set(&fields, .status, writer.isLegacy ? "Q" : "finished")
        case .unreadablePaid: set(&fields, .paid, "12.3.4")
        case .unreadableMiles: set(&fields, .miles, "twelve")
        case .tooManyMiles: set(&fields, .miles, "99999.0")
        case .wrongCheckDigit:
            let digits = fields[index(.identifier)]
            guard let last = digits.last else { return false }
            fields[index(.identifier)] = digits.dropLast() + [last == 0x39 ? 0x30 : last + 1]
        case .shortStation, .rejectedCorrection: set(&fields, .station, "52")
        case .shortCode: set(&fields, .code, "A042")
        case .wrongPatient: set(&fields, .patient, "12345")
        case .lineBreakInQuotes: set(&fields, .name, "\"Vendor 0412\nAmbulance\"")
        default: return false
        }
        return true
    }

    private func set(_ fields: inout [[UInt8]], _ field: Field, _ text: String) {
        fields[index(field)] = Array(text.utf8)
    }
}
