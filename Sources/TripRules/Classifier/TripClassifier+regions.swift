public import TripDomain

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
        _ = match(into: &frame, batch: batch)
        for derived in derived {
            let values = derived.program.evaluate(frame)
            frame.columns.append(Self.filled(values.column, for: derived.name))
        }
        // The fields come first, then the dates of time stamps, then the derived columns.
        return frame.columns[shape.regionIndex + dateSources.count]
    }
}
