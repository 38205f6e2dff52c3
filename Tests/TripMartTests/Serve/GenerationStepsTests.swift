import Testing
import TripDomain

@testable import TripMart

@Suite struct GenerationStepsTests {
    /// Two generations, and all that differs between them as one cause.
    private static func served() throws -> (BuiltMart, ServingFolder, ServedGeneration) {
        let mart = try BuiltMart()
        for seed: UInt64 in 1...2 { try mart.publish(ReferenceGeneration(seed: seed, count: 300)) }
        let serving = ServingFolder(mart.folder)
        _ = serving.refresh()
        return (mart, serving, try #require(serving.current))
    }

    private static func changes(
        _ folder: MartFolder,
        _ served: ServedGeneration
    ) throws -> GenerationChanges {
        let query = KPIQuery(by: [.month, .tripType, .region])
        var sums: [[String]: KPISums] = [:]
        for row in try ServedMart.open(folder, generation: 2).kpi(query).rows {
            sums[row.keys] = row.sums
        }
        for row in try ServedMart.open(folder, generation: 1).kpi(query).rows {
            sums[row.keys, default: KPISums()] -= row.sums
        }
        return GenerationChanges(
            from: 1,
            to: 2,
            causes: [GenerationChanges.Cause(kind: "corrected", name: "corrected trips")],
            cells: sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { keys, sums in
                GenerationChanges.Cell(
                    cause: 0,
                    month: keys[0],
                    tripType: keys[1],
                    region: keys[2],
                    sums: sums
                )
            }
        )
    }

    @Test func theStepsLeadFromOneGenerationToTheOtherForEveryFilter() throws {
        let (mart, serving, served) = try Self.served()
        _ = try Self.changes(mart.folder, served).save(in: mart.folder)
        let months: [ClosedRange<Month>?] = [nil] + served.whole.months.map { $0...$0 }
        for month in months {
            for (region, scope) in [(nil, nil), ("08", nil), (nil, ["08", "10"])]
                as [(String?, Set<String>?)]
            {
                for type in [nil, "BLS"] {
                    let filter = ServedFilter(
                        months: month,
                        tripType: type,
                        region: region,
                        scope: scope
                    )
                    let way = try #require(serving.steps(to: served, filter))
                    #expect(way.from.number == 1 && way.end == served.whole.cell(filter))
                    let change = way.steps.reduce(into: KPISums()) { $0 += $1.change }
                    let (start, end) = (way.start.trips, way.end.trips)
                    #expect(start.map { $0 + change[.trips] } == end, "\(filter)")
                }
            }
        }
    }

    /// A file that does not lead to the numbers that are served explains nothing.
    @Test func changesThatDoNotAddUpAreNotShown() throws {
        let (mart, serving, served) = try Self.served()
        #expect(serving.steps(to: served, ServedFilter()) == nil)
        let whole = try Self.changes(mart.folder, served)
        for changes in [
            GenerationChanges(from: 1, to: 2, causes: whole.causes, cells: []),
            GenerationChanges(from: 9, to: 2, causes: whole.causes, cells: whole.cells),
        ] {
            _ = try changes.save(in: mart.folder)
            #expect(serving.steps(to: served, ServedFilter()) == nil)
        }
        _ = try whole.save(in: mart.folder)
        #expect(serving.steps(to: served, ServedFilter()) != nil)
    }

    /// Beside the causes, which have none, stand the declared measures of both generations.
    @Test(arguments: [true, false])
    func theyHaveTheMeasuresOfBothEnds(declaredBefore: Bool) throws {
        let mart = try BuiltMart()
        let (then, now) = (
            ReferenceGeneration(seed: 1, count: 300), ReferenceGeneration(seed: 2, count: 300)
        )
        if declaredBefore { try mart.publishDeclared(then) } else { try mart.publish(then) }
        try mart.publishDeclared(now, number: 2)
        let serving = ServingFolder(mart.folder)
        _ = serving.refresh()
        let served = try #require(serving.current)
        _ = try Self.changes(mart.folder, served).save(in: mart.folder)
        for region in [nil, "08"] as [String?] {
            let steps = serving.steps(to: served, ServedFilter(region: region))
            func values(_ reference: ReferenceGeneration) -> [MeasureValue] {
                let trips = reference.trips.filter {
                    $0.isCounted && region ?? $0.region == $0.region
                }
                return ReferenceGeneration.measured.map { ReferenceGeneration.value($0, trips) }
            }
            let measures = try #require(steps?.measures)
            #expect(measures.map(\.measure) == ReferenceGeneration.measured.map(\.measure))
            #expect(measures.map(\.after?.value) == values(now))
            #expect(measures.map(\.before?.value) == values(then).map { declaredBefore ? $0 : nil })
            let comparison: MeasureChange.Comparison = declaredBefore ? .same : .declaredSince
            #expect(measures.allSatisfy { $0.comparison == comparison })
        }
    }
}
