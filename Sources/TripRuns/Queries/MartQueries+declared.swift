import TripDomain
public import TripMart

extension MartQueries {
    /// Refuses a word to group by, where nothing is published that could declare it.
    ///
    /// - Parameter query: The query.
    /// - Throws: ``RunError`` that names the word, since a typing error is told before an empty
    ///   mart; `MartError` of the mart.
    public func requireKnownDimensions(_ query: KPIQuery) throws {
        guard query.declared != nil, try folder.servedNumber() == nil else { return }
        try requireDeclared(query.declared, in: [])
    }

    /// Refuses a word to group by that is neither a dimension of every pipeline nor declared.
    func requireDeclared(_ name: String?, in sources: [any SummaryReading]) throws {
        guard let name else { return }
        let declared = try sources.flatMap { try $0.declaredDimensions().map(\.name) }
        try checkWords(
            [name],
            "dimension",
            KPIDimension.allCases.map(\.rawValue) + declared,
            of: "There is no"
        )
    }
}
