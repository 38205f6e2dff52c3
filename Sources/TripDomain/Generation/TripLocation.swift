/// Where the trips of a generation lie that are not in its file: those of a run on a cluster.
///
/// The generation's own file has every number, and no trip.
public struct TripLocation: Sendable, Hashable {
    /// Accepted trips of one month, counted or not.
    public struct MonthTrips: Sendable, Hashable {
        /// The month of their pick-ups.
        public let month: Month
        /// How many they are.
        public let trips: Int64

        /// Counts the trips of a month.
        public init(month: Month, trips: Int64) {
            (self.month, self.trips) = (month, trips)
        }
    }

    /// Accepted trips of one status.
    public struct StatusTrips: Sendable, Hashable {
        /// The trips' status; empty where it is blank, or where the pipeline has no `status`.
        public let status: String
        /// Whether the pipeline counts these trips.
        public let isCounted: Bool
        /// How many they are.
        public let trips: Int64

        /// Counts the trips of a status.
        public init(status: String, isCounted: Bool, trips: Int64) {
            (self.status, self.isCounted, self.trips) = (status, isCounted, trips)
        }
    }

    /// The folder of Parquet files with the trips, as the operator named it.
    public let uri: String
    /// SHA-256 of the plan that they were read by, lower-case hexadecimal.
    public let planHash: String
    /// SHA-256 of the results that the numbers were added up from, lower-case hexadecimal.
    public let resultsHash: String
    /// The trips by month, in order of time.
    public var months: [MonthTrips] = []
    /// The trips by status and by whether they count, in order of both.
    public var statuses: [StatusTrips] = []

    /// Names a folder.
    public init(uri: String, planHash: String, resultsHash: String) {
        (self.uri, self.planHash, self.resultsHash) = (uri, planHash, resultsHash)
    }

    /// All trips.
    public var trips: Int64 { months.reduce(0) { $0 + $1.trips } }
}
