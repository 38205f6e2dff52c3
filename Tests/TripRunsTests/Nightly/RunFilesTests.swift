import Testing
import TripDomain

@testable import TripMart
@testable import TripRuns

/// Whether a run is due where the served generation comes from a version whose cube had fewer sums.
@Suite struct RunFilesTests {
    private let folder: RunFolder

    private var mart: MartFolder { MartFolder(path: folder.path + "/mart") }

    init() throws {
        folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", RunPipeline.text())
        try folder.write(
            "in/trips_1.csv",
            RunPipeline.header + RunPipeline.line(1) + RunPipeline.line(2)
        )
        try folder.run()
        let views = try SQLiteDump.query(
            mart.generationPath(1),
            "SELECT name FROM sqlite_schema WHERE type = 'view' AND sql LIKE '%kpi_cube%'"
        )
        let older =
            views.map { "DROP VIEW \($0);" }.joined()
            + "ALTER TABLE kpi_cube DROP COLUMN costed_miles_trips;"
        for path in [mart.generationPath(1), mart.historyPath(1)] {
            try SQLiteDump.execute(path, older)
        }
    }

    @Test func aRunWithoutExportsRebuildsAnOlderVersion() throws {
        let report = try folder.run()
        #expect(report.outcome == .published && report.generation == 2)
        let served = try ServedMart.open(mart)
        #expect(try served.hasAllSums() && served.ledger()[.accepted].items == 2)
        #expect(try folder.run().outcome == .nothingDue)
    }

    @Test func rollbackAndVerifyRefuseAnOlderVersion() throws {
        let silent = Progress()
        let verified = #expect(throws: RunError.self) {
            try Verification(
                options: folder.options(),
                generation: 1,
                scratch: nil,
                progress: silent
            ).perform()
        }
        #expect(verified?.summary == "generation 1 comes from an older version")
        try folder.run()
        let gone = #expect(throws: RunError.self) {
            try Rollback(options: folder.options(), to: 1, progress: silent).perform()
        }
        #expect(gone?.summary == "generation 1 comes from an older version")
        #expect(try mart.servedNumber() == 2)
    }
}
