public import TripDomain

/// Makes trip ids of source positions, for exports without ids: the file's path and the number of
/// the record in it, and the unit where a record lists several.
///
///     calls/2026-05:17        the 17th record of calls/2026-05.csv
///     calls/2026-05:17:M6     its unit M6
///
/// Different positions give different ids: a colon or backslash within the path or the unit has a
/// backslash before it, and the number has neither, so that an id is divided in one way.
///
/// The number of a record is known only when the slices before it are scanned. Until then the trip
/// id column holds the units alone, or NULL; no rule may read it.
public struct SourcePositionIDs: Sendable, Hashable {
    private static let mark = UInt8(ascii: ":")
    private static let escape = UInt8(ascii: "\\")

    /// The beginning of all ids of the file.
    private let beginning: [UInt8]
    /// Whether records list units, so that an id needs one.
    private let hasUnits: Bool

    /// Prepares for the records of one file.
    ///
    /// - Parameters:
    ///   - path: The path that identifies the export.
    ///   - hasUnits: Whether its records list units.
    init(path: String, hasUnits: Bool) {
        beginning = Self.escaped(path.utf8) + [Self.mark]
        self.hasUnits = hasUnits
    }

    /// Whether the ids carry the mark of generated data.
    var areGenerated: Bool { beginning.starts(with: IDOrigins.mark.utf8) }

    /// The id of a trip.
    ///
    /// - Parameters:
    ///   - record: The number of its record, from 1.
    ///   - unit: Its unit; empty where it has none.
    /// - Returns: The id, in UTF-8.
    public func id(record: Int, unit: some Sequence<UInt8>) -> [UInt8] {
        let unit = Self.escaped(unit)
        return beginning + "\(record)".utf8 + (unit.isEmpty ? [] : [Self.mark] + unit)
    }

    /// The id of a record that was set aside; nil where it lists several units, so that it is no
    /// one trip's.
    ///
    /// - Parameters:
    ///   - record: The number of the record, from 1.
    ///   - unit: Its only unit; nil where it has none or several.
    /// - Returns: The id.
    func id(rejectedRecord record: Int, unit: String?) -> String? {
        guard unit != nil || !hasUnits else { return nil }
        return String(decoding: id(record: record, unit: (unit ?? "").utf8), as: UTF8.self)
    }

    /// The ids of a batch whose record numbers count from the file's beginning.
    ///
    /// - Parameters:
    ///   - batch: The trips.
    ///   - index: The column of the trip id, which holds the units.
    /// - Returns: The same trips with their ids.
    /// - Complexity: O(*n*) in the bytes of the ids.
    public func identified(_ batch: PackedBatch, tripIDs index: Int) -> PackedBatch {
        let units = batch.columns[index].texts
        var column = TextColumn(codes: [], pool: TextPool())
        column.codes.reserveCapacity(batch.count)
        for row in 0..<batch.count {
            let id = units.withEntry(Int(units.codes[row])) { unit in
                self.id(record: Int(batch.recordNumbers[row]), unit: unit)
            }
            column.codes.append(column.pool.append(id[...]))
        }
        return batch.replacing(index, with: .text(PackedTexts(column)))
    }

    private static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.flatMap { $0 == mark || $0 == escape ? [escape, $0] : [$0] }
    }
}
