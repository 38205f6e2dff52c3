import TripDomain

/// Writes what a pipeline declares; nothing where it declares nothing.
struct DeclaredWriting {
    let connection: RawConnection

    func write(_ declared: DeclaredKPIs) throws(MartError) {
        if !declared.measures.isEmpty { try writeMeasures(declared) }
        if !declared.dimensions.isEmpty { try writeDimensions(declared) }
    }

    private func writeMeasures(_ declared: DeclaredKPIs) throws(MartError) {
        try connection.execute(DeclaredTables.measures)
        try writeDeclarations(declared.measures)
        let sums = try connection.prepare(SummaryTables.insertion("kpi_measure", 8))
        for cell in declared.cells.measures {
            try sums.insert(
                [.text(cell.measure)] + cell.group.stored
                    + [.integer(cell.sums.knownTrips), .integer(cell.sums.sum)]
            )
        }
        let values = try connection.prepare(SummaryTables.insertion("kpi_measure_value", 8))
        for cell in declared.cells.values {
            try values.insert(
                [.text(cell.measure)] + cell.group.stored
                    + [.integer(cell.count.value), .integer(cell.count.trips)]
            )
        }
    }

    private func writeDeclarations(_ measures: [DeclaredMeasure]) throws(MartError) {
        try connection.insert(
            into: "measure",
            7,
            measures.enumerated().map { index, measure in
                [
                    .text(measure.name), StoredValue(index + 1), .text(measure.kind.rawValue),
                    .text(measure.column), .text(measure.amount.rawValue), .text(measure.label),
                    .text(measure.unit),
                ]
            }
        )
    }

    private func writeDimensions(_ declared: DeclaredKPIs) throws(MartError) {
        try connection.execute(DeclaredTables.dimensions)
        try connection.insert(
            into: "dimension",
            4,
            declared.dimensions.enumerated().map { index, dimension in
                [
                    .text(dimension.name), StoredValue(index + 1), .text(dimension.column),
                    .text(dimension.label),
                ]
            }
        )
        let trips = try connection.prepare(SummaryTables.insertion("kpi_dimension", 10))
        for cell in declared.cells.dimensions {
            try trips.insert(
                [.text(cell.dimension), .text(cell.value)] + cell.group.stored + cell.sums.stored
            )
        }
    }
}

extension DeclaredGroup {
    /// The values of its five columns.
    fileprivate var stored: [StoredValue] {
        [month, tripType, region, tripClass.word, basis].map { .text($0) }
    }
}
