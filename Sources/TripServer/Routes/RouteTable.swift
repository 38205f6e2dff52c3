import HTTPTypes

/// Every path the server answers, and by which methods.
enum RouteTable {
    static let kpi = "/kpi"
    static let months = "/months"
    static let tripTypes = "/trip-types"
    static let regions = "/regions"
    static let health = "/healthz"
    static let readiness = "/readyz"
    static let contract = "/openapi.yaml"

    /// The methods a path knows; nil where there is nothing at it.
    static func methods(at path: String) -> [HTTPRequest.Method]? {
        let known = [kpi, months, tripTypes, regions, health, readiness, contract]
        return known.contains(path) ? [.get, .head] : nil
    }
}
