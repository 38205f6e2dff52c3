public import TripDomain

extension MartFile {
    /// Where the trips of the generation lie; nil where its own file has them.
    func tripLocation() throws(MartError) -> TripLocation? {
        let tables = try rows("SELECT 1 FROM sqlite_schema WHERE name = 'trip_location'") { _ in
            true
        }
        guard !tables.isEmpty else { return nil }
        let locations = try rows("SELECT uri, plan_hash, results_hash FROM trip_location") { row in
            try TripLocation(uri: row[0], planHash: row[1], resultsHash: row[2])
        }
        guard var location = locations.first, locations.count == 1 else { throw damaged() }
        location.months = try rows("SELECT * FROM trip_location_month ORDER BY month") { row in
            guard let month = Month(text: try row["month"]) else { throw self.damaged() }
            return TripLocation.MonthTrips(month: month, trips: try row["trips"])
        }
        guard SumLimit.fits(location.months.lazy.map { UInt64($0.trips.magnitude) }) else {
            throw damaged()
        }
        return location
    }
}

extension SummaryReading {
    /// Where the trips of the generation lie; nil where its own file has, or had, them.
    ///
    /// - Throws: ``MartError`` of the file.
    public func tripLocation() throws(MartError) -> TripLocation? {
        try file.tripLocation()
    }
}

extension ServedMart {
    /// Refuses to answer from trips that lie elsewhere, so that none are taken for all.
    ///
    /// - Throws: ``MartError`` with code `tripsElsewhere`, whose remedy is the command that reads
    ///   them there.
    public func requireTrips() throws(MartError) {
        guard let location else { return }
        throw MartError.tripsElsewhere(location, header.number)
    }
}

extension MartError {
    /// The refusal to answer from trips that lie elsewhere.
    ///
    /// - Parameters:
    ///   - location: Where they lie.
    ///   - generation: The generation they belong to.
    /// - Returns: The error, with the command that reads them there; without it where the folder
    ///   is gone.
    public static func tripsElsewhere(_ location: TripLocation, _ generation: Int) -> MartError {
        MartError(
            .tripsElsewhere,
            remedy: location.isGone
                ? "There is no such folder any more: bring it back, or publish the trips again "
                    + "from the cluster."
                : "Read them there: \(location.query)",
            tripLocation: location,
            generation: generation
        )
    }
}
