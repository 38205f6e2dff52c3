public import TripDomain
public import TripMart

extension MartQueries {
    /// The numbers of the served generation that a monthly statement is made of.
    ///
    /// - Parameter monthCount: The number of months, the latest included.
    /// - Returns: The numbers.
    /// - Throws: `MartError` where nothing is published, and of the file.
    public func statement(monthCount: Int) throws -> MonthlyNumbers {
        try answer { mart in
            MonthlyNumbers(
                header: mart.header,
                months: try mart.kpi(KPIQuery(by: [.month])).rows.suffix(monthCount),
                bases: try mart.kpi(KPIQuery(by: [.month, .tripClass, .basis])).rows,
                reconciliation: try mart.bridge(),
                ledger: try mart.ledger()
            )
        }
    }
}

/// The numbers of a monthly statement, of one generation.
public struct MonthlyNumbers: Sendable {
    /// The generation.
    public let header: GenerationHeader
    /// The latest months, in order.
    public let months: [KPIRow]
    /// All months by class and basis.
    public let bases: [KPIRow]
    /// The accepted trips by what became of them.
    public let reconciliation: [ReconciliationRow]
    /// The account of everything that was read.
    public let ledger: Ledger
}
