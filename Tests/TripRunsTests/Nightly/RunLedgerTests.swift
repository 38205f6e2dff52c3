import Testing
import TripDomain
import TripMart

@testable import TripRuns

@Suite struct RunLedgerTests {
    @Test func aRejectBeforeAValidVersionIsNoCorrection() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        let (bad, good) = (RunPipeline.line(1, cost: "ten"), RunPipeline.line(1))
        try folder.write("in/trips_1.csv", RunPipeline.header + bad + good)
        #expect(try folder.run().rejectedCorrections == 0)
        try folder.write("in/trips_2.csv", RunPipeline.header + bad)
        #expect(try folder.run().rejectedCorrections == 1)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try mart.rejects(limit: 5).map(\.isCorrection) == [false, true])
        #expect(try mart.trip(id: "T-1")?.rejects.map(\.isCorrection) == [false, true])
        // The same version comes again after the correction: nothing remains to correct.
        try folder.write("in/trips_3.csv", RunPipeline.header + good)
        #expect(try folder.run { $0.isFull = true }.rejectedCorrections == 0)
    }

    @Test func aFullRunCountsTheCorrectionsOfAllFiles() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write("in/trips_1.csv", RunPipeline.header + RunPipeline.line(1))
        try folder.write(
            "in/trips_2.csv",
            RunPipeline.header + RunPipeline.line(1, cost: "ten")
        )
        try folder.run()
        #expect(try folder.run { $0.isFull = true }.rejectedCorrections == 1)
    }

    @Test func canonicallyEqualIDsAreTwoTrips() throws {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text() + RunPipeline.lenient)
        func lines(_ ids: [String], cost: String) -> String {
            RunPipeline.header
                + ids.map { RunPipeline.line(1, cost: cost).replacing("T-1", with: $0) }.joined()
        }
        try folder.write("in/trips_1.csv", lines(["T-\u{E9}"], cost: "10.00"))
        try folder.write("in/trips_2.csv", lines(["T-e\u{301}", "T-\u{E9}"], cost: "x"))
        #expect(try folder.run().rejectedCorrections == 1)
        let mart = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(try mart.rejects(limit: 5).map(\.isCorrection) == [false, true])
    }
}
