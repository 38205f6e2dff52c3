import TripDomain

extension CellSums {
    /// Adds what the counted trips of a batch have in the columns of declared measures and
    /// dimensions.
    ///
    /// - Parameters:
    ///   - view: The batch, which was added before.
    ///   - values: Gives its values of these columns, whose words the sums number.
    ///   - count: The number of its trips.
    ///   - leftOut: Which of them are not accepted; empty where all are.
    ///   - tripTypes: The number of each entry of its trip type pool.
    ///   - regions: The same of its region pool.
    mutating func addDeclared(
        _ view: some KPIRows,
        _ values: (inout DeclaredSums) -> DeclaredValues,
        count: Int,
        leavingOut leftOut: [Bool],
        tripTypes: [UInt32],
        regions: [UInt32]
    ) {
        // Most pipelines declare nothing, and pay nothing.
        guard !declared.isEmpty else { return }
        let values = values(&declared)
        var month = MonthSpan()
        for row in 0..<count where leftOut.isEmpty || !leftOut[row] {
            guard view.isCounted(row) else { continue }
            month.move(to: view.pickup(row))
            let key = Key(
                month: month.number,
                tripType: tripTypes[view.tripTypeCode(row)],
                region: regions[view.regionCode(row)]
            )
            let group =
                slot(of: key) * entryCount + classTable.numberOfRule[view.ruleNumber(row)]
            declared.add(row, of: values, to: group, cost: view.cost(row))
        }
    }

    /// The cells of what the pipeline declares.
    ///
    /// - Parameter words: The words of the dimensions.
    /// - Returns: The cells, in order.
    func declaredCells(words: DimensionWords) -> DeclaredCells {
        guard !declared.isEmpty else { return DeclaredCells() }
        let groups = keys.flatMap { key in
            classTable.entries.map { entry in
                DeclaredGroup(
                    month: Month(monthNumber: key.month).text,
                    tripType: words.tripTypes[Int(key.tripType)],
                    region: words.regions[Int(key.region)],
                    tripClass: entry.tripClass,
                    basis: entry.basis
                )
            }
        }
        return declared.cells(groups)
    }
}
