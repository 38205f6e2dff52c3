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
            let table = try mart.kpi(KPIQuery(by: [.month]))
            let months = table.rows
            func compared(_ row: KPIRow) -> ComparedMonth {
                ComparedMonth(
                    row: row,
                    comparison: mart.comparison(of: row, among: months, in: folder)
                )
            }
            return MonthlyNumbers(
                header: mart.header,
                months: months.suffix(monthCount),
                newest: months.last.map(compared),
                settled: months.last { !$0.isOpen }.map(compared),
                goals: try mart.goals(),
                bases: try mart.kpi(KPIQuery(by: [.month, .tripClass, .basis])).rows,
                reconciliation: try mart.bridge(),
                ledger: try mart.ledger(),
                measures: table.measures
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
    /// The newest month; nil where there is none.
    public let newest: ComparedMonth?
    /// The newest settled month, which may be the same; nil where all are open.
    public let settled: ComparedMonth?
    /// The goals of the pipeline, in order of their months.
    public let goals: [Goal]
    /// All months by class and basis.
    public let bases: [KPIRow]
    /// The accepted trips by what became of them.
    public let reconciliation: [ReconciliationRow]
    /// The account of everything that was read.
    public let ledger: Ledger
    /// The measures that the pipeline declares, in its order.
    public let measures: [DeclaredMeasure]
}

/// A month with the earlier one that it is compared with.
public struct ComparedMonth: Sendable {
    /// The month.
    public let row: KPIRow
    /// The earlier month; nil where nothing can be compared.
    public let comparison: MonthComparison?
}
