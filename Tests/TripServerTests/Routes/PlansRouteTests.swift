import Foundation
import HTTPTypes
import Testing
import TripDomain
import TripIdentity
import TripMart

@testable import TripServer

@Suite struct PlansRouteTests {
    private static func save(
        _ id: String,
        generation: Int,
        in folder: MartFolder
    ) throws -> String {
        var sums = KPISums()
        (sums[.trips], sums[.inHouseTrips], sums[.contractedTrips]) = (400, 300, 100)
        (sums[.contractedCostedTrips], sums[.contractedCostCents]) = (100, 70_000)
        let binding = PlanBinding(
            id: id,
            pipeline: "mine",
            isSynthetic: true,
            generation: generation,
            generationSum: "00ff",
            inputs: [],
            madeAt: "2026-11-20 02:14:07Z",
            madeBy: "someone",
            pipelinePath: "pipelines/mine",
            referencePath: "data/reference"
        )
        let effects = PlanEffects(
            edits: ["rules.yaml:3: rule own added as the 1st", "roster vehicles changed"],
            editMoves: [],
            rules: [],
            bases: [
                PlanEffects.ClassAndBasisMove(
                    old: "undetermined",
                    new: "in_house/va_fleet",
                    sums: CostSums(trips: 4, costedTrips: 1, costCents: 500)
                ),
                PlanEffects.ClassAndBasisMove(
                    old: "contracted/vendor",
                    new: "in_house/va_fleet",
                    sums: CostSums(trips: 8, costedTrips: 8, costCents: 900)
                ),
            ],
            cells: [],
            cube: [KPICell(month: "all", tripType: "all", region: "all", sums: sums)],
            basisCells: []
        )
        return try PlanFile.save(binding, effects, in: folder)
    }

    @Test func aPlanShowsWhatItChanges() async throws {
        let server = try BackendUnderTest()
        let caller = try RunsRoutesTests.caller()
        #expect(try await server.get("/plans", as: caller).json["plans"] as? [String] == [])
        _ = try Self.save("0a1b2c3d", generation: 1, in: server.mart.folder)
        let answer = try await server.get("/plans", as: caller)
        #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
        let plans = try #require(try answer.json["plans"] as? [[String: Any]])
        let plan = try #require(plans.first)
        #expect(plans.count == 1 && plan["id"] as? String == "0a1b2c3d")
        #expect(plan["made_at"] as? String == "2026-11-20T02:14:07Z")
        #expect(plan["is_current"] as? Bool == true && plan["trips_changed"] as? Int == 12)
        #expect((plan["edits"] as? [String])?.last == "roster vehicles changed")
        #expect(plan["trips_planned"] as? Int == 400)
        #expect(plan["in_house_pct_planned"] as? Double == 75)
        #expect(plan["contracted_cost_cents_planned"] as? Int == 70_000)
        let total = try #require(
            try await server.get("/kpi", as: caller).json["total"] as? [String: Any]
        )
        for name in ["trips", "in_house_pct", "contracted_cost_cents"] {
            #expect(plan[name + "_now"] as? Double == total[name] as? Double, "\(name)")
        }
        #expect(!answer.body.contains("pipelines/"))
    }

    @Test func aPlanOfAnotherGenerationHasNoNumbersOfNow() async throws {
        let server = try BackendUnderTest()
        _ = try Self.save("0a1b2c3d", generation: 7, in: server.mart.folder)
        let answer = try await server.get("/plans", as: try RunsRoutesTests.caller())
        let plan = try #require((try answer.json["plans"] as? [[String: Any]])?.first)
        #expect(plan["is_current"] as? Bool == false)
        #expect(plan["trips_now"] is NSNull && plan["in_house_pct_now"] is NSNull)
        #expect(plan["trips_planned"] as? Int == 400)
    }

    @Test func aFileThatIsNoPlanHidesNoOther() async throws {
        let server = try BackendUnderTest()
        let path = try Self.save("0a1b2c3d", generation: 1, in: server.mart.folder)
        let other = URL(fileURLWithPath: path).deletingLastPathComponent()
        try Data("no plan".utf8).write(to: other.appendingPathComponent("ffffffff.plan"))
        let answer = try await server.get("/plans", as: try RunsRoutesTests.caller())
        #expect((try answer.json["plans"] as? [Any])?.count == 1)
        #expect(try answer.json["unreadable"] as? Int == 1)
    }

    @Test func plansAreForAnalystsWhoSeeEveryRegion() async throws {
        let server = try BackendUnderTest()
        for caller in [
            try RunsRoutesTests.caller(.administrator),
            try RunsRoutesTests.caller(.analyst, regions: ["08"]),
        ] {
            #expect(try await server.get("/plans", as: caller).status == .forbidden)
        }
    }
}
