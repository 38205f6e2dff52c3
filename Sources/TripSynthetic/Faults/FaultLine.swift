import TripDomain

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
