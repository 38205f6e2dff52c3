public import TripDomain

extension TripClassifier {
    /// Whether regions are looked up, and do not stand in the exports.
    public var derivesRegions: Bool { shape.regionIndex >= fieldCount }

    /// The regions that trips would belong to if each had taken place on one day: every dated look-up is asked
    /// about that day.
    ///
    /// - Parameters:
    ///   - batch: The trips as stored; of the fields, ``fieldsRead`` have rows.
    ///   - day: The day.
    /// - Returns: A region per trip.
    /// - Precondition: Regions are derived.
    /// - Complexity: O(*n*) in the trips.
    public func regions(of batch: TripBatch, asOf day: CivilDate) -> Column {
        precondition(derivesRegions, "a region that stands in the export has no map")
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
        _ = match(into: &frame, batch: batch)
        for derived in derived {
            let values = derived.program.evaluate(frame)
            frame.columns.append(Self.filled(values.column, for: derived.name))
        }
        // Behind the fields stand the dates of time stamps, and behind those what is derived.
        return frame.columns[shape.regionIndex + dateSources.count]
    }
}
