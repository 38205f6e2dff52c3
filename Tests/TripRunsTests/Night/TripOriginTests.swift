import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// Generated and real trips never meet in one mart, and the file that is new is the one refused.
@Suite struct TripOriginTests {
    private static let generated = NightPipeline.line(1).replacing("T-1", with: "SYN-1")
    private static let real = NightPipeline.line(2)

    private func folder(_ policy: String) throws -> NightFolder {
        let folder = try NightFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            NightPipeline.text().replacing(
                "replaces: same_path",
                with: "replaces: same_path, on_refused_file: \(policy)"
            )
        )
        return folder
    }

    @Test(arguments: [[generated, real], [real, generated]])
    func theNewFileOfTheOtherKindIsLeftOut(kinds: [String]) throws {
        let folder = try folder("skip")
        try folder.write("in/trips_2.csv", NightPipeline.header + kinds[0])
        try folder.run()
        // First in order of exports, and yet not the one that says what the mart holds.
        try folder.write("in/trips_1.csv", NightPipeline.header + kinds[1])
        try folder.write(
            "in/trips_3.csv",
            NightPipeline.header + kinds[0].replacing("-1", with: "-4").replacing("-2", with: "-4")
        )
        let report = try folder.run()
        #expect(report.outcome == .published)
        #expect(report.status == .publishedWithWarnings)
        #expect(report.refused.map(\.path) == ["trips_1.csv"])
        #expect(report.trips == 2)
        let served = try ServedMart.open(MartFolder(path: folder.path + "/mart"))
        #expect(served.header.isSynthetic == (kinds[0] == Self.generated))
    }

    @Test(arguments: [[generated, real], [real, generated]])
    func aSourceThatWithholdsEndsWithTheStatusOfALimit(kinds: [String]) throws {
        let folder = try folder("withhold")
        try folder.write("in/trips_2.csv", NightPipeline.header + kinds[0])
        try folder.run()
        try folder.write("in/trips_1.csv", NightPipeline.header + kinds[1])
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .withheld)
        #expect(failure?.what.first?.hasPrefix("trips_1.csv: ") == true)
    }

    @Test func whereNothingIsServedFilesOfBothKindsStopTheNight() throws {
        let folder = try folder("skip")
        try folder.write("in/trips_1.csv", NightPipeline.header + Self.real)
        try folder.write("in/trips_2.csv", NightPipeline.header + Self.generated)
        let error = #expect(throws: RunError.self) { try folder.run() }
        #expect(error?.code == .noUsableInput)
        #expect(error?.what.contains("trips_1.csv") == true)
        #expect(error?.what.contains("trips_2.csv") == true)
        #expect(try archived(folder).isEmpty)
    }

    @Test func aRealExportDoesNotStayInAMartOfGeneratedTrips() throws {
        let folder = try folder("skip")
        try folder.write("in/trips_1.csv", NightPipeline.header + Self.generated)
        try folder.run()
        let before = try archived(folder)
        try folder.write("in/trips_2.csv", NightPipeline.header + Self.real)
        #expect(try folder.run().refused.map(\.path) == ["trips_2.csv"])
        #expect(before.count == 1)
        #expect(try archived(folder) == before)
    }

    @Test func anExportOfRejectsAloneIsOfItsKindAsWell() throws {
        let folder = try folder("skip")
        try folder.write("in/trips_1.csv", NightPipeline.header + Self.generated)
        try folder.run()
        try folder.write(
            "in/trips_2.csv",
            NightPipeline.header + NightPipeline.line(2, cost: "no amount")
        )
        #expect(try folder.run().refused.map(\.path) == ["trips_2.csv"])
    }

    @Test func aFooterDoesNotMakeAnExportOneOfBothKinds() throws {
        let folder = try folder("skip")
        try folder.write(
            "in/trips_1.csv",
            NightPipeline.header + Self.generated + NightPipeline.line(9, cost: "sum of all")
        )
        let report = try folder.run()
        #expect(report.refused.isEmpty)
        #expect(report.trips == 1)
    }

    private func archived(_ folder: NightFolder) throws -> [String] {
        try Archive(MartFolder(path: folder.path + "/mart")).hashes()
    }

    @Test func aFileOfBothKindsIsRefusedWhereverItStands() throws {
        let folder = try folder("skip")
        try folder.write("in/trips_1.csv", NightPipeline.header + Self.real + Self.generated)
        try folder.write("in/trips_2.csv", NightPipeline.header + Self.generated)
        let report = try folder.run()
        #expect(report.refused.map(\.path) == ["trips_1.csv"])
        #expect(report.trips == 1)
    }
}
