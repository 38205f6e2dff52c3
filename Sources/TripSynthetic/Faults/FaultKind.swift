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
