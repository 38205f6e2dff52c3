import Testing
import TripDomain

@testable import TripMart

@Suite struct ServedMartTests {
    @Test func nothingIsServedBeforeTheFirstGeneration() throws {
        let mart = try BuiltMart()
        #expect(try ServedMart.openIfPublished(mart.folder) == nil)
        expectFailure(.nothingServed) { _ = try ServedMart.open(mart.folder) }
        expectFailure(.notFound) { _ = try ServedMart.open(mart.folder, generation: 3) }
    }

    @Test func headerAndShapeAreReadUnchanged() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 1, count: 100)
        let served = try mart.publish(reference)
        #expect(served.header == reference.header(number: 1))
        #expect(served.shape == reference.contents().shape)
        #expect(try served.rules() == ReferenceGeneration.rules)
        #expect(try served.checks() == reference.contents().summary.checks)
        #expect(try served.inputs() == reference.contents().summary.inputs)
        #expect(try served.inputs(role: .reference).map(\.path) == ["stations.csv"])
        #expect(try served.files() == reference.files())
        #expect(try served.cube() == reference.cube())
        #expect(try Set(served.basisCells()) == Set(reference.basisCells()))
        #expect(try served.regions() == reference.contents().summary.regions)
    }

    @Test func otherPipelinesAndRealDataAreRefused() throws {
        let mart = try BuiltMart()
        let served = try mart.publish(ReferenceGeneration(seed: 1, count: 10))
        try served.require(pipeline: "reference", isSynthetic: true)
        expectFailure(.otherPipeline) { try served.require(pipeline: "mine", isSynthetic: true) }
        expectFailure(.syntheticMismatch) {
            try served.require(pipeline: "reference", isSynthetic: false)
        }
    }

    @Test func kpiOfEveryGroupingAndFilterEqualsTheRecount() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 5, count: 200)
        let served = try mart.publish(reference)
        for mask in 0..<128 { try Self.expectRecount(served, reference, mask: mask) }
    }

    /// Queries by the dimensions whose bits are set, without filters and with some.
    private static func expectRecount(
        _ served: ServedMart,
        _ reference: ReferenceGeneration,
        mask: Int
    ) throws {
        var query = KPIQuery(
            by: KPIDimension.allCases.enumerated().filter { mask >> $0.offset & 1 == 1 }
                .map(\.element)
        )
        for filter in 0..<4 {
            if filter == 1 { query.regions = ["08", "UNKNOWN"] }
            if filter == 2, let month = reference.trips.last?.month { query.months = month...month }
            if filter == 3 { query.bases = ["contract", ""] }
            let table = try served.kpi(query)
            let trips = reference.trips.filter { $0.isCounted && Self.isIn($0, query) }
            let groups = Dictionary(grouping: trips) { trip in
                query.by.map { Self.key(trip, $0) }
            }
            let expected = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            if !query.by.isEmpty { #expect(table.rows.map(\.keys) == expected.map(\.key)) }
            for (row, group) in zip(table.rows, expected) {
                #expect(Self.comparable(row.sums, row) == Self.comparable(group.value, row))
            }
            #expect(
                Self.comparable(table.total.sums, table.total)
                    == Self.comparable(trips, table.total)
            )
        }
    }

    @Test(arguments: [UInt64(1), 2])
    func pagesOfEveryFilterHaveItsTripsNewestFirst(seed: UInt64) throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: seed, count: 500)
        let served = try mart.publish(reference)
        let last = try #require(reference.trips.last?.month)
        for months in [nil, last...last] {
            for types in [[], ["FW"], ["ALS1", "FW"], ["none"]] {
                for regions in [[], ["08"], ["10", "UNKNOWN"]] {
                    for tripClass in [nil, TripClass.undetermined, .contracted] {
                        let filter = TripFilter(
                            months: months,
                            tripTypes: types,
                            regions: regions,
                            tripClass: tripClass,
                            isCountedOnly: tripClass != nil
                        )
                        let expected = reference.trips.reversed().filter { trip in
                            (months?.contains(trip.month) ?? true)
                                && (types.isEmpty || types.contains(trip.tripType))
                                && (regions.isEmpty || regions.contains(trip.region))
                                && (tripClass == nil || trip.tripClass == tripClass)
                                && (!filter.isCountedOnly || trip.isCounted)
                        }
                        #expect(try Self.all(served, filter, limit: 37) == expected.map(\.id))
                    }
                }
            }
        }
    }

    @Test func tripIsFoundByIdAndByReferenceWithAllThatIsKnown() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 3, count: 300)
        let served = try mart.publish(reference)
        for (index, trip) in reference.trips.enumerated() where index % 7 == 0 {
            let detail = try #require(try served.trip(id: trip.id))
            #expect(detail.summary.tripNumber == Int64(index + 1))
            #expect(detail.summary.costCents == trip.cost)
            #expect(
                detail.rule == (trip.rule == 0 ? nil : ReferenceGeneration.rules[trip.rule - 1])
            )
            #expect(detail.file == reference.files()[trip.file])
            #expect(detail.patientRef == trip.patient.map { mart.keys.patientRef(Masked($0)) })
            #expect(
                detail.summary.position.text
                    == "claims_\(trip.file).csv, record \(trip.record), line \(trip.record + 1)"
            )
            let versions = reference.versions.filter { $0.tripID == trip.id }
            #expect(detail.versions.map(\.term) == versions.map(\.term))
            #expect(detail.versions.map(\.amountCents) == versions.map(\.amountCents))
            let rejects = reference.rejects.filter { $0.tripID == trip.id }
            #expect(
                detail.rejects.map(\.position.recordNumber) == rejects.map(\.recordNumber)
            )
            let batch = detail.batch
            #expect(batch.columns[1].integers.values == [trip.pickup])
            #expect(batch.columns[2].integers.values == [trip.pickup + trip.utcOffset])
            #expect(
                batch.columns[3].texts.pool.string(batch.columns[3].texts.codes[0]) == trip.station
            )
            #expect(batch.columns[6].integers.value(0) == trip.cost)
            #expect(batch.columns[10].integers.value(0) == trip.ordered.map { Int64($0.dayNumber) })
            #expect(batch.columns[7].texts.codes == [0])
            let ref = mart.keys.ref(ofTrip: trip.id)
            #expect(try served.trip(ref: ref, keys: mart.keys)?.summary == detail.summary)
        }
        #expect(try served.trip(id: "none") == nil)
    }

    @Test func rejectsAreListedGroupedAndOpenedOnDemand() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 3, count: 600)
        let served = try mart.publish(reference)
        let all = try served.rejects(limit: 1000)
        #expect(all.map(\.position.recordNumber) == reference.rejects.map(\.recordNumber))
        #expect(all.map(\.reason) == reference.rejects.map(\.reason))
        #expect(try served.rejectCount(RejectFilter()) == all.count)
        let corrections = try served.rejectCount(RejectFilter(isCorrection: true))
        #expect(corrections == all.count(where: \.isCorrection))
        #expect(try served.rejects(limit: 5, after: 10).map(\.number) == [11, 12, 13, 14, 15])
        let groups = try served.rejectGroups()
        #expect(groups.reduce(0) { $0 + $1.count } == reference.rejects.count)
        for group in groups {
            let rows = try served.rejects(RejectFilter(reason: group.reason), limit: 1000)
            #expect(rows.count { $0.field == group.field } == group.count)
        }
        let text = try served.openRejectText(number: 4, keys: mart.keys)
        #expect(text.revealed() == Array("raw record \(reference.rejects[3].recordNumber)".utf8))
        #expect(try served.reject(number: 4)?.number == 4)
        expectFailure(.notFound) { _ = try served.openRejectText(number: 999, keys: mart.keys) }
        let other = MartKeys(secret: [UInt8](repeating: 1, count: 32))
        expectFailure(.sealBroken) { _ = try served.openRejectText(number: 4, keys: other) }
    }

    @Test func valuesOfTheWrongTypeAreAnErrorAndNoCrash() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 3, count: 60))
        try BuiltMart.tamper(built.path, "UPDATE rule SET because = x'736563726574'")
        let served = try ServedMart.open(path: built.path)
        do {
            _ = try served.rules()
            Issue.record("a rule without a reason was read")
        } catch {
            #expect(error.code == .damaged)
            #expect(!"\(error)".contains("secret"))
        }
    }

    private static func all(
        _ served: ServedMart,
        _ filter: TripFilter,
        limit: Int
    ) throws -> [String] {
        var ids: [String] = []
        var before: Int64?
        repeat {
            let page = try served.trips(filter, limit: limit, before: before)
            ids += page.trips.map(\.tripID)
            before = page.next
        } while before != nil
        return ids
    }

    private static func isIn(_ trip: ReferenceTrip, _ query: KPIQuery) -> Bool {
        (query.months?.contains(trip.month) ?? true)
            && (query.regions.isEmpty || query.regions.contains(trip.region))
            && (query.bases.isEmpty || query.bases.contains(trip.basis))
    }

    private static func key(_ trip: ReferenceTrip, _ dimension: KPIDimension) -> String {
        switch dimension {
        case .month: trip.month.text
        case .tripType: trip.tripType
        case .region: trip.region
        case .tripClass: trip.tripClass.word
        case .basis: trip.basis
        case .fiscalYear: "\(trip.month.fiscalYear)"
        case .year: "\(trip.month.year)"
        }
    }

    private static func comparable(_ trips: [ReferenceTrip], _ row: KPIRow) -> [Int64] {
        comparable(ReferenceGeneration.sums(trips), row)
    }

    /// The sums of a row: groups by class or basis have no miles.
    private static func comparable(_ sums: KPISums, _ row: KPIRow) -> [Int64] {
        KPISum.allCases.filter { row.known.contains($0) }.map { sums[$0] }
    }
}
