internal import TripDomain

/// What happens to a record whose cell lists no unit.
public enum UnitlessRecord: String, Sendable, CaseIterable {
    /// It is set aside as `no_unit`, which checks on rejects do not count: it is meant.
    case skip
    /// It is set aside as `missing_value`.
    case reject
    /// It is one trip without a unit.
    case one
}

/// What happens to a unit whose time cannot be read.
public enum UnitWithoutTime: String, Sendable, CaseIterable {
    /// It is set aside as `wrong_type`.
    case reject
    /// It has the record's time, as a unit without one.
    case record
}

/// How the units of one cell tell a time of their own: `M6=06:51:33, M7=06:52`.
public struct UnitTime: Sendable, Hashable {
    /// The text between a unit and its time.
    public var mark: String
    /// The time stamp that each unit's trip gets its own time of.
    public var field: String
    /// By how much a unit's time may lie before the record's on one day, in seconds.
    ///
    /// A time that lies further before it is of the next day.
    public var nextDaySeconds: Int64
    /// What happens to a unit whose text behind the mark is no time.
    public var ifNoTime: UnitWithoutTime

    /// Describes the times of units.
    ///
    /// - Parameters:
    ///   - mark: The text between a unit and its time; not empty.
    ///   - field: The time stamp.
    ///   - nextDaySeconds: By how much a unit's time may lie before the record's on one day.
    ///   - ifNoTime: What happens to a unit whose time cannot be read.
    public init(
        mark: String,
        field: String,
        nextDaySeconds: Int64,
        ifNoTime: UnitWithoutTime = .reject
    ) {
        self.mark = mark
        self.field = field
        self.nextDaySeconds = nextDaySeconds
        self.ifNoTime = ifNoTime
    }

    /// The time of day of a unit.
    enum OwnTime: Sendable, Hashable {
        /// None: the record's time is the unit's.
        case none
        /// Seconds since midnight.
        case seconds(Int64)
        /// A text that is no time of day.
        case unreadable
    }

    /// Divides a unit as it is listed at the last mark.
    ///
    /// - Parameter listed: A unit of the cell, without what is not seen around it.
    /// - Returns: The unit alone, and its time; a blank time is none, and one that cannot be read
    ///   is as declared.
    /// - Complexity: O(*n*) in the bytes.
    func divided(_ listed: [UInt8]) -> (unit: [UInt8], time: OwnTime) {
        let mark = Array(mark.utf8)
        guard listed.count >= mark.count,
            let start = (0...(listed.count - mark.count)).last(where: {
                listed[$0...].starts(with: mark)
            })
        else { return (listed, .none) }
        func bare(_ text: ArraySlice<UInt8>) -> [UInt8] {
            text.withUnsafeBufferPointer { Array(trimmed($0)) }
        }
        let text = bare(listed[(start + mark.count)...])
        guard !text.isEmpty else { return (bare(listed[..<start]), .none) }
        let other: OwnTime = ifNoTime == .record ? .none : .unreadable
        let seconds = text.withUnsafeBufferPointer { TimeFormat.secondsOfDay($0) }
        let time = seconds.map { OwnTime.seconds($0) } ?? other
        return (bare(listed[..<start]), time)
    }

    /// When a unit's time of day is, on the clock of the record's time.
    ///
    /// - Parameters:
    ///   - seconds: Seconds since midnight.
    ///   - record: The record's time, in seconds as written.
    /// - Returns: The time of the record's day, or of the next day where that lies too far before
    ///   the record's time.
    func placed(_ seconds: Int64, onDayOf record: Int64) -> Int64 {
        let midnight = CivilTime.floorDivide(record, CivilTime.daySeconds) * CivilTime.daySeconds
        let own = midnight + seconds
        return own < record - nextDaySeconds ? own + CivilTime.daySeconds : own
    }
}
