import TripDomain
import TripEngine
import TripMart
import TripPipeline
import TripRules

/// The KPIs of a generation with every trip in the region it would belong to on one day.
///
/// Regions are redrawn, and a trip keeps the region it belonged to on its day. To compare months
/// across a redrawing, all trips are assigned to the regions of one day: the trips are read again,
/// and their classes stay as published.
struct RegionMap {
    private let served: ServedMart
    private let day: CivilDate
    private let compiled: CompiledPipeline

    /// - Parameters:
    ///   - served: The generation.
    ///   - day: The day whose regions are used.
    /// - Throws: ``RunError`` where the exports give the regions; the errors of
    ///   ``CompiledPipeline``.
    init(_ served: ServedMart, asOf day: CivilDate) throws {
        self.served = served
        self.day = day
        let kept = try PublishedInputs(served).kept
        compiled = try CompiledPipeline(
            kept.pipeline,
            references: kept.references,
            dataThrough: nil
        )
        guard compiled.classifier.derivesRegions else {
            throw RunError(
                .usage,
                summary: "there is no map of regions",
                what:
                    "The exports of the pipeline `\(kept.pipeline.name)` give the regions; it does "
                    + "not look them up by day.",
                remedies: ["Derive `region` from a look-up with `valid_on`: docs/PIPELINE.md"]
            )
        }
    }

    /// Sums up the trips.
    ///
    /// - Parameters:
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - leavesOfBatch: Leaf pages read at a time; fewer in tests.
    /// - Returns: The numbers, with the same queries as those of a generation.
    /// - Throws: `MartError` of the file; `SumOverflow` where the amounts cannot be summed up.
    func cube(
        threadCount: Int,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch
    ) throws -> MappedCube {
        let (classifier, shape) = (compiled.classifier, served.shape)
        let rules = try served.rules()
        var columns = classifier.fieldsRead
        columns.formUnion([shape.regionIndex, shape.tripTypeIndex, shape.pickupIndex])
        columns.formUnion([shape.costIndex, shape.milesIndex].compactMap(\.self))
        columns.formUnion(shape.declared.indexes)
        let stored = try StoredTrips(served, columns: columns, leavesOfBatch: leavesOfBatch)
        let parts = Parallel.map(
            stored.batchCount,
            threads: threadCount
        ) { [day] index in
            Result { () throws(MartError) in
                var trips = try stored.batch(index).trips
                trips.columns[shape.regionIndex] = classifier.regions(of: trips, asOf: day)
                return TripTotals(trips, shape: shape, rules: rules)
            }
        }
        var totals = TripTotals(rules: rules)
        for part in parts { totals.add(try part.get()) }
        let cube = try Cube(totals)
        try requireSameTrips(cube)
        return try MappedCube(stored, summary(cube, rules))
    }

    private func summary(_ cube: Cube, _ rules: [RuleEntry]) throws(MartError) -> GenerationSummary
    {
        let labels = compiled.labels["region"] ?? [:]
        var summary = GenerationSummary(
            header: served.header,
            files: [],
            clocks: [],
            rules: rules,
            cube: cube.cells,
            basisCells: cube.basisCells,
            regions: cube.regions.map { DimensionLabel(value: $0, label: labels[$0] ?? $0) },
            tripTypes: try served.tripTypes(),
            references: [],
            inputs: [],
            checks: []
        )
        summary.goals = try served.goals()
        summary.declared = DeclaredKPIs(served.shape.declared, cube.declared)
        summary.fiscalYearStart = compiled.pipeline.kpis.fiscalYearStart
        return summary
    }

    /// Checks that no trip was lost: over all regions the numbers are the published ones.
    private func requireSameTrips(_ cube: Cube) throws(MartError) {
        func whole(_ cells: [KPICell]) -> [KPICell] { cells.filter { $0.region == KPICell.all } }
        guard try whole(cube.cells) == whole(served.cube()) else { throw served.damaged }
    }
}
