import Hummingbird
import TripDomain
import TripMart

/// The parameters of a query, read strictly: what is not known, twice or not readable is refused.
struct QueryReading {
    private var values: [String: String] = [:]

    /// Reads the query of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - known: The parameters that the path knows.
    /// - Throws: ``Problem`` where there is another one, or one twice.
    init(_ request: Request, known: Set<String>) throws(Problem) {
        for (name, value) in request.uri.queryParameters {
            let name = String(name)
            guard known.contains(name), values[name] == nil else { throw .unknownParameter }
            values[name] = String(value)
        }
    }

    /// The parameters that ``filter(in:)`` reads.
    static let filterNames: Set = ["month", "from", "to", "trip_type", "region"]

    /// Which trips are asked for.
    ///
    /// - Parameter cube: What knows the trip types and regions.
    /// - Returns: The filter; `all`, like no parameter, stands for all.
    /// - Throws: ``Problem`` that names the parameter at fault.
    func filter(in cube: ServedCube) throws(Problem) -> ServedFilter {
        ServedFilter(
            months: try months(),
            tripType: try named("trip_type", cube.has(tripType:)),
            region: try named("region", cube.has(region:))
        )
    }

    private func months() throws(Problem) -> ClosedRange<Month>? {
        let (from, to) = (try month("from"), try month("to"))
        if let month = try month("month") {
            guard from == nil, to == nil else {
                throw .parameter("month", "Give month, or from and to.")
            }
            return month...month
        }
        if from == nil, to == nil { return nil }
        let first = from ?? Month(year: 1900, month: 1)
        let last = to ?? Month(year: 2199, month: 12)
        guard first <= last else { throw .parameter("to", "The last month is before the first.") }
        return first...last
    }

    private func month(_ name: String) throws(Problem) -> Month? {
        guard let text = values[name], text != KPICell.all else { return nil }
        guard let month = Month(text: text) else {
            throw .parameter(name, "A month is written YYYY-MM.")
        }
        return month
    }

    private func named(_ name: String, _ isKnown: (String) -> Bool) throws(Problem) -> String? {
        guard let value = values[name], value != KPICell.all else { return nil }
        guard isKnown(value) else {
            throw .parameter(name, "The served generation does not have this value.")
        }
        return value
    }
}
