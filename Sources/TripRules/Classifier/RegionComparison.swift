public import TripDomain

/// How often the derived region differs from the one that the export names.
///
/// The region of the export never decides. Only trips that have both are compared.
public struct RegionComparison: Sendable, Hashable {
    /// The field in which an export names the region.
    public static let fieldName = "export_visn"

    /// The number of trips that have both.
    public private(set) var known: Int64 = 0
    /// The number of these trips whose regions differ.
    public private(set) var different: Int64 = 0

    /// No trips.
    public init() {}

    /// Describes trips that another process compared.
    ///
    /// - Parameters:
    ///   - known: The number of trips that have both.
    ///   - different: The number of these trips whose regions differ.
    public init(known: Int64, different: Int64) {
        (self.known, self.different) = (known, different)
    }

    /// Compares two columns of the same trips.
    ///
    /// Numbers are compared as numbers, so that `8` agrees with `08`.
    ///
    /// - Complexity: O(*n*) in the trips and in the distinct texts.
    init(region: TextColumn, named: TextColumn) {
        var words = TextInterner()
        let regionNumbers = Self.numbers(of: region.pool, in: &words)
        let namedNumbers = Self.numbers(of: named.pool, in: &words)
        for (code, namedCode) in zip(region.codes, named.codes) where code != 0 && namedCode != 0 {
            known += 1
            different += regionNumbers[Int(code)] == namedNumbers[Int(namedCode)] ? 0 : 1
        }
    }

    /// Per entry of a pool, the number of its region; entries of the same region have the same
    /// number.
    private static func numbers(of pool: TextPool, in words: inout TextInterner) -> [UInt32] {
        (0..<UInt32(pool.count)).map { code in
            let text = pool.slice(code)
            let number = Int(String(decoding: text, as: UTF8.self))
            return number.map { words.code(of: String($0)) } ?? words.wordCode(text)
        }
    }

    /// Adds the comparison of other trips.
    public static func += (left: inout RegionComparison, right: RegionComparison) {
        left.known += right.known
        left.different += right.different
    }
}

extension TripClassifier {
    /// Whether regions come from a look-up or a derived field, and not from the exports themselves.
    public var derivesRegions: Bool { shape.regionIndex >= fieldCount }

    /// The regions that trips would belong to if each had taken place on one day.
    ///
    /// Every dated look-up is done for that day.
    ///
    /// - Parameters:
    ///   - batch: The trips as stored; of the fields, ``fieldsRead`` have rows.
    ///   - day: The day.
    /// - Returns: A region per trip.
    /// - Precondition: Regions are derived.
    /// - Complexity: O(*n*) in the trips.
    public func regions(of batch: TripBatch, asOf day: CivilDate) -> Column {
        precondition(derivesRegions, "a region that comes from the export has no map")
        var batch = batch
        batch.columns.removeSubrange(fieldCount...)
        var frame = frame(of: batch)
        let days = Column.integer(
            IntegerColumn(
                values: [Int64](repeating: Int64(day.dayNumber), count: batch.count),
                nulls: []
            )
        )
        for column in Set(validOnColumns.compactMap(\.self)) { frame.columns[column] = days }
        var overflows = 0
        _ = evaluate(&batch, into: &frame, overflows: &overflows)
        // The fields come first, then the dates of time stamps, then the derived columns.
        return frame.columns[shape.regionIndex + dateSources.count]
    }
}
