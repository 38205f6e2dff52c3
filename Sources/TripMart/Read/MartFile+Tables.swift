import TripDomain

/// The tables that plans and generations have in common.
extension MartFile {
    /// All cells of `kpi_cube`, by primary key.
    ///
    /// - Throws: ``MartError``; with code `damaged` where numbers are too large to be added up.
    func cube() throws(MartError) -> [KPICell] {
        try requireAllSums()
        let columns = CubeTables.sumColumns.joined(separator: ", ")
        let cells = try rows(
            """
            SELECT month, trip_type, region, \(columns) FROM kpi_cube
            ORDER BY month, trip_type, region
            """
        ) { row in
            try KPICell(
                month: row[0],
                tripType: row[1],
                region: row[2],
                sums: KPISums(values: CubeTables.sumColumns.indices.map { try row[$0 + 3] })
            )
        }
        guard SumLimit.allows(cells.lazy.map(\.sums)) else { throw damaged() }
        return cells
    }

    /// All cells of `kpi_basis`, by primary key.
    ///
    /// - Throws: ``MartError``; with code `damaged` where numbers are too large to be added up.
    func basisCells() throws(MartError) -> [BasisCell] {
        let cells = try rows(
            """
            SELECT * FROM kpi_basis ORDER BY month, trip_type, region,
                CASE class WHEN 'undetermined' THEN 0 WHEN 'in_house' THEN 1 ELSE 2 END, basis
            """
        ) { row in
            try BasisCell(
                month: row["month"],
                tripType: row["trip_type"],
                region: row["region"],
                tripClass: TripClass(word: row["class"]) ?? .undetermined,
                basis: row["basis"],
                sums: CostSums(
                    trips: row["trips"],
                    costedTrips: row["costed_trips"],
                    costCents: row["cost_cents"]
                )
            )
        }
        guard SumLimit.allows(cells) else { throw damaged() }
        return cells
    }

    /// The rows of `generation_input`, by role and path.
    func inputs(role: GenerationInput.Role? = nil) throws(MartError) -> [GenerationInput] {
        let sql = """
            SELECT role, path, hash, content FROM generation_input
            WHERE role = coalesce(?, role) ORDER BY role, path
            """
        return try rows(sql, [role?.rawValue]) { row in
            guard let role = GenerationInput.Role(rawValue: try row[0]) else {
                throw self.damaged()
            }
            return try GenerationInput(
                role: role,
                path: row[1],
                hash: row[2],
                content: row[3]
            )
        }
    }
}
