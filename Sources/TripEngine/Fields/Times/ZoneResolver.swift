public import TripDomain
public import TripRules

/// Resolves the time zone of time stamps that have no offset of their own.
///
/// A time stamp with a non-zero offset is on the facility's own clock and is not changed. An
/// instant (`Z`) is moved to the local time of its zone; a local time stays as written and gets its
/// instant. The zone is that of the facility, where a lookup names one, else that of the pipeline.
public struct ZoneResolver: Sendable {
    /// The lookup of facilities' zones, the columns of its keys in trips, and its zone column.
    struct FacilityZone: Sendable {
        let index: LookupIndex
        /// The fields its keys are read from.
        let fields: [String]
        let keyColumns: [Int]
        let zoneColumn: Int
        /// For each row of the table, the index of its zone in `known`.
        let zoneOfRow: [Int]
    }

    /// All zones, that of the pipeline first.
    private let known: [TimeZoneRules]
    private let facility: FacilityZone?
    private var fallback: TimeZoneRules { known[0] }

    /// Prepares the zones.
    ///
    /// - Parameters:
    ///   - fallback: The pipeline's zone.
    ///   - zones: Every zone the lookup names, by name.
    ///   - lookup: The lookup of facilities' zones, and its zone column; nil where there is none.
    ///   - shapeColumns: The stored columns.
    public init(
        fallback: TimeZoneRules,
        zones: [String: TimeZoneRules],
        lookup: (index: LookupIndex, column: String)?,
        shapeColumns: [ShapeColumn]
    ) {
        let names = zones.keys.sorted()
        known = [fallback] + names.compactMap { zones[$0] }
        facility = lookup.flatMap { index, column in
            let keys = index.definition.keys.compactMap { key in
                shapeColumns.firstIndex { $0.name == key.field }
            }
            guard keys.count == index.definition.keys.count,
                let zoneColumn = index.table.columnNames.firstIndex(of: column)
            else { return nil }
            let written = index.table.columns[zoneColumn].texts
            let zoneOfCode = (0..<UInt32(written.pool.count)).map { code in
                written.pool.string(code).flatMap { names.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            }
            return FacilityZone(
                index: index,
                fields: index.definition.keys.map(\.field),
                keyColumns: keys,
                zoneColumn: zoneColumn,
                zoneOfRow: written.codes.map { zoneOfCode[Int($0)] }
            )
        }
    }

    /// The columns of a trip that tell whose clock it is on; empty where all are on one.
    public var columnsRead: [Int] { facility?.keyColumns ?? [] }

    /// The batch with every time stamp on its local clock and every instant known.
    ///
    /// - Complexity: O(*n*) in the time stamps without an offset of their own.
    public func resolve(_ unzoned: UnzonedBatch) -> TripBatch {
        var batch = unzoned.batch
        for (columnIndex, openTimes) in unzoned.openTimes {
            guard !openTimes.isEmpty, case .integer(var local) = batch.columns[columnIndex],
                case .integer(var instants) = batch.columns[columnIndex + 1]
            else { continue }
            let zones = zones(of: openTimes, written: local, in: batch)
            var clocks = known.map { SteadyClock($0) }
            for (time, zone) in zip(openTimes, zones) {
                let written = local.values[time.row]
                if time.isInstant {
                    local.values[time.row] = written + clocks[zone].offset(atUTC: written)
                } else {
                    instants.values[time.row] = clocks[zone].utc(ofLocal: written)
                }
            }
            batch.columns[columnIndex] = .integer(local)
            batch.columns[columnIndex + 1] = .integer(instants)
        }
        return batch
    }

    /// The index in `known` of the zone of each open time.
    ///
    /// It is the facility's zone on the day of the time; the pipeline's clock gives the day.
    private func zones(
        of times: [TripBuilder.OpenTime],
        written: IntegerColumn,
        in batch: TripBatch
    ) -> [Int] {
        guard let facility else { return [Int](repeating: 0, count: times.count) }
        let keys = facility.keyColumns.map { index in
            let column = batch.columns[index].texts
            return TextColumn(codes: times.map { column.codes[$0.row] }, pool: column.pool)
        }
        var clock = SteadyClock(fallback)
        let days = times.map { time in
            let seconds = written.values[time.row]
            let local = time.isInstant ? seconds + clock.offset(atUTC: seconds) : seconds
            return Int64(CivilTime.date(ofSeconds: local).dayNumber)
        }
        let matches = facility.index.match(keys: keys, days: IntegerColumn(values: days))
        return matches.rows.map { facility.zoneOfRow[Int($0)] }
    }

    /// The facilities whose clocks differ from those of another resolver on some day.
    ///
    /// Rows with the same zone and adjoining days count as one row. A facility that the lookup does
    /// not name has the pipeline's clock.
    ///
    /// - Parameter other: The zones to compare with, of the same pipeline.
    /// - Returns: The field that names facilities, and the facilities whose clocks differ; no field
    ///   where the lookup has several keys or another definition. Nil where all clocks agree.
    public func facilitiesOnOtherClocks(
        than other: ZoneResolver
    ) -> (field: String?, places: Set<String>)? {
        guard facility?.index.definition == other.facility?.index.definition else {
            return (nil, [])
        }
        let (left, right) = (clocks, other.clocks)
        let keys = Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }
        guard !keys.isEmpty else { return nil }
        guard let fields = facility?.fields, fields.count == 1 else { return (nil, []) }
        return (fields.first, Set(keys.map { String(decoding: $0, as: UTF8.self) }))
    }

    /// A facility's own clock on a range of days.
    private struct ClockSpan: Hashable {
        let from: Int32
        var to: Int32
        let zone: String
    }

    /// The clocks of all facilities that have one of their own, by the bytes of their keys.
    private var clocks: [[UInt8]: [ClockSpan]] {
        guard let facility else { return [:] }
        let names = facility.index.table.columns[facility.zoneColumn].texts
        var clocks: [[UInt8]: [ClockSpan]] = [:]
        for (key, spans) in facility.index.spansByKey {
            var list: [ClockSpan] = []
            for span in spans {
                let name = names.pool.string(names.codes[Int(span.row)])
                guard let name, name != fallback.name else { continue }
                if let last = list.last, last.zone == name, last.to < .max, last.to + 1 == span.from
                {
                    list[list.count - 1].to = span.to
                } else {
                    list.append(ClockSpan(from: span.from, to: span.to, zone: name))
                }
            }
            if !list.isEmpty { clocks[key] = list }
        }
        return clocks
    }
}
