import Testing
import TripDomain
import TripMart

@testable import TripRuns

@Suite struct AccountingTests {
    @Test func aRejectBeforeAValidVersionIsNoCorrection() throws {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        let (bad, good) = (NightPipeline.line(1, cost: "ten"), NightPipeline.line(1))
        try folder.write("in/trips_1.csv", NightPipeline.header + bad + good)
        #expect(try folder.run().rejectedCorrections == 0)
        try folder.write("in/trips_2.csv", NightPipeline.header + bad)
        #expect(try folder.run().rejectedCorrections == 1)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try mart.rejects(limit: 5).map(\.isCorrection) == [false, true])
        #expect(try mart.trip(id: "T-1")?.rejects.map(\.isCorrection) == [false, true])
        // The same version once more stands after the correction: nothing is left to correct.
        try folder.write("in/trips_3.csv", NightPipeline.header + good)
        #expect(try folder.run { $0.isFull = true }.rejectedCorrections == 0)
    }

    @Test func aFullRunCountsTheCorrectionsOfAllFiles() throws {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        try folder.write("in/trips_1.csv", NightPipeline.header + NightPipeline.line(1))
        try folder.write(
            "in/trips_2.csv",
            NightPipeline.header + NightPipeline.line(1, cost: "ten")
        )
        try folder.run()
        #expect(try folder.run { $0.isFull = true }.rejectedCorrections == 1)
    }

    @Test func idsThatUnicodeCallsEqualAreTwoTrips() throws {
        let folder = try NightFolder()
        try folder.write("pipeline/pipeline.yaml", NightPipeline.text())
        func lines(_ ids: [String], cost: String) -> String {
            NightPipeline.header
                + ids.map { NightPipeline.line(1, cost: cost).replacing("T-1", with: $0) }.joined()
        }
        try folder.write("in/trips_1.csv", lines(["T-\u{E9}"], cost: "10.00"))
        try folder.write("in/trips_2.csv", lines(["T-e\u{301}", "T-\u{E9}"], cost: "x"))
        #expect(try folder.run().rejectedCorrections == 1)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try mart.rejects(limit: 5).map(\.isCorrection) == [false, true])
    }
}
