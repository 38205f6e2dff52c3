import HTTPTypes

/// Every path the server answers, and by which methods.
enum RouteTable {
    static let kpi = "/kpi"
    static let trips = "/trips"
    static let trip = "/trip/{ref}"
    static let months = "/months"
    static let tripTypes = "/trip-types"
    static let regions = "/regions"
    static let health = "/healthz"
    static let readiness = "/readyz"
    static let contract = "/openapi.yaml"

    /// The methods a path knows; nil where there is nothing at it.
    static func methods(at path: String) -> [HTTPRequest.Method]? {
        let known = [kpi, trips, months, tripTypes, regions, health, readiness, contract]
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isTrip = parts.count == 3 && parts[1] == "trip" && !parts[2].isEmpty
        return known.contains(path) || isTrip ? [.get, .head] : nil
    }
}
