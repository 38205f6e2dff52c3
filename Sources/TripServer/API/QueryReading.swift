import Hummingbird
import TripDomain
import TripMart

/// The parameters of a query, read strictly: what is not known, twice or not readable is refused.
struct QueryReading {
    private let values: [String: String]

    /// Reads the query of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - known: The parameters that the path knows.
    /// - Throws: ``Problem`` where there is another one, or one twice.
    init(_ request: Request, known: Set<String>) throws(Problem) {
        values = try FormReading(query: request).fields
        guard known.isSuperset(of: values.keys) else {
            throw .unknownParameter(among: values.keys, known: known)
        }
    }

    /// The parameters that ``filter(for:)`` reads.
    static let filterNames: Set = ["month", "from", "to", "trip_type", "region"]

    /// A parameter as it was handed in; nil where it was not.
    func text(_ name: String) -> String? { values[name] }

    /// Which trips are asked for, of those the caller may see.
    ///
    /// - Parameter caller: The caller.
    /// - Returns: The filter; `all`, like no parameter, stands for all. Whether its words occur is
    ///   asked by ``check(_:in:)``.
    /// - Throws: ``Problem`` that names the parameter at fault.
    func filter(for caller: Caller) throws(Problem) -> ServedFilter {
        ServedFilter(
            months: try months(),
            tripType: named("trip_type"),
            region: named("region"),
            scope: caller.regions,
            hasNationalTotals: caller.seesNationalTotals
        )
    }

    /// Refuses a trip type or region that does not occur.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - cube: What knows the trip types and regions.
    /// - Throws: ``Problem`` that names the parameter; a value that occurs only where the caller
    ///   may not see it is refused like one that does not occur.
    func check(_ filter: ServedFilter, in cube: ServedCube) throws(Problem) {
        let scope = filter.hasNationalTotals ? nil : filter.scope
        if let tripType = filter.tripType, !cube.has(tripType: tripType, for: scope) {
            throw .unknownValue("trip_type")
        }
        guard let region = filter.region else { return }
        guard filter.mayShow(region: region) else {
            var problem = Problem.unknownValue("region")
            // Whether it occurs elsewhere is not read, so that neither answer, time nor record
            // shows it.
            problem.isOfOtherRegion = true
            throw problem
        }
        guard cube.has(region: region) else { throw .unknownValue("region") }
    }

    /// The class of trips that is asked for; nil for all, as `all` says.
    ///
    /// - Throws: ``Problem`` that names the parameter.
    func tripClass() throws(Problem) -> TripClass? {
        guard let word = named("class") else { return nil }
        guard let found = TripClass(word: word) else {
            let words = TripClass.allCases.map(\.word).joined(separator: ", ")
            throw .parameter("class", "A class is one of \(words), all.")
        }
        return found
    }

    /// What the rows of an answer in CSV are.
    ///
    /// - Parameter choices: What they may be; the first where the client does not say.
    /// - Returns: One of them.
    /// - Throws: ``Problem`` that names the parameter.
    func rows(among choices: [KPIDimension]) throws(Problem) -> KPIDimension {
        guard let text = values["by"] else { return choices[0] }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            throw .parameter("by", "The rows are none of those that this path has.")
        }
        return choice
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
        guard let month = Month(text: text),
            (ServedFilter.firstMonth...ServedFilter.lastMonth).contains(month)
        else {
            throw .parameter(
                name,
                "A month is written YYYY-MM, its month 01 to 12, from 1900-01 to 2199-12."
            )
        }
        return month
    }

    private func named(_ name: String) -> String? {
        values[name].flatMap { $0 == KPICell.all ? nil : $0 }
    }
}

extension Problem {
    fileprivate static func unknownValue(_ name: String) -> Problem {
        .parameter(name, "The served generation does not have this value.")
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
