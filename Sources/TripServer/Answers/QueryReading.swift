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

    /// The parameters that ``filter(in:for:)`` reads.
    static let filterNames: Set = ["month", "from", "to", "trip_type", "region"]

    /// A parameter as it was handed in; nil where it was not.
    func text(_ name: String) -> String? { values[name] }

    /// Which trips are asked for, of those the caller may see.
    ///
    /// - Parameters:
    ///   - cube: What knows the trip types and regions.
    ///   - caller: Who asks.
    /// - Returns: The filter; `all`, like no parameter, stands for all.
    /// - Throws: ``Problem`` that names the parameter at fault; a region the caller may not see is refused
    ///   as one that does not occur.
    func filter(in cube: ServedCube, for caller: Caller) throws(Problem) -> ServedFilter {
        var filter = ServedFilter(
            months: try months(),
            scope: caller.regions,
            hasNationalTotals: caller.seesNationalTotals
        )
        filter.tripType = try named("trip_type") { cube.has(tripType: $0) }
        filter.region = try named("region") { [filter] region in
            filter.mayShow(region: region) && cube.has(region: region)
        }
        return filter
    }

    /// A whole number within bounds.
    ///
    /// - Parameters:
    ///   - name: The parameter.
    ///   - bounds: What it may be.
    ///   - usual: What it is where it is not given.
    /// - Returns: The number.
    /// - Throws: ``Problem`` that names the parameter.
    func number(_ name: String, in bounds: ClosedRange<Int>, usual: Int) throws(Problem) -> Int {
        guard let text = values[name] else { return usual }
        guard let number = Int(text), bounds.contains(number), String(number) == text else {
            throw .parameter(name, "The number is not within its bounds.")
        }
        return number
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
        let (first, last) = (from ?? ServedFilter.firstMonth, to ?? ServedFilter.lastMonth)
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

extension ServedFilter {
    /// What an answer depends on of a filter; equal texts, equal filters.
    var text: [String] {
        [
            months?.lowerBound.text ?? "", months?.upperBound.text ?? "", tripType ?? "",
            region ?? "",
        ]
    }
}
