import Testing
import TripDomain

@testable import TripMart
@testable import TripRuns

/// A mart never holds both synthetic and real trips, and the new file is the one that is refused.
@Suite struct TripOriginTests {
    private static let generated = RunPipeline.line(1).replacing("T-1", with: "SYN-1")
    private static let real = RunPipeline.line(2)

    private func folder(_ policy: String) throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write(
            "pipeline/pipeline.yaml",
            RunPipeline.text().replacing(
                "replaces: same_path",
                with: "replaces: same_path, on_refused_file: \(policy)"
            )
        )
        return folder
    }

    @Test(arguments: [[generated, real], [real, generated]])
    func aNewFileOfTheOtherKindIsRefused(kinds: [String]) throws {
        let folder = try folder("skip")
        try folder.write("in/trips_2.csv", RunPipeline.header + kinds[0])
        try folder.run()
        // It is first in order of exports, but does not decide which kind the mart holds.
        try folder.write("in/trips_1.csv", RunPipeline.header + kinds[1])
        try folder.write(
            "in/trips_3.csv",
            RunPipeline.header + kinds[0].replacing("-1", with: "-4").replacing("-2", with: "-4")
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
        try folder.write("in/trips_2.csv", RunPipeline.header + kinds[0])
        try folder.run()
        try folder.write("in/trips_1.csv", RunPipeline.header + kinds[1])
        let failure = #expect(throws: Failure.self) { try folder.run() }
        #expect(failure?.status == .withheld)
        #expect(failure?.what.first?.hasPrefix("trips_1.csv: ") == true)
    }

    @Test func inAFirstRunFilesOfBothKindsStopTheRun() throws {
        let folder = try folder("skip")
        try folder.write("in/trips_1.csv", RunPipeline.header + Self.real)
        try folder.write("in/trips_2.csv", RunPipeline.header + Self.generated)
        let error = #expect(throws: RunError.self) { try folder.run() }
        #expect(error?.code == .noUsableInput)
        #expect(error?.what.contains("trips_1.csv") == true)
        #expect(error?.what.contains("trips_2.csv") == true)
        #expect(try archived(folder).isEmpty)
    }

    @Test func aRealExportIsNotKeptInASyntheticMart() throws {
        let folder = try folder("skip")
        try folder.write("in/trips_1.csv", RunPipeline.header + Self.generated)
        try folder.run()
        let before = try archived(folder)
        try folder.write("in/trips_2.csv", RunPipeline.header + Self.real)
        #expect(try folder.run().refused.map(\.path) == ["trips_2.csv"])
        #expect(before.count == 1)
        #expect(try archived(folder) == before)
    }

    @Test func anExportOfRejectsAloneHasAKind() throws {
        let folder = try folder("skip")
        try folder.write("in/trips_1.csv", RunPipeline.header + Self.generated)
        try folder.run()
        try folder.write(
            "in/trips_2.csv",
            RunPipeline.header + RunPipeline.line(2, cost: "no amount")
        )
        #expect(try folder.run().refused.map(\.path) == ["trips_2.csv"])
    }

    @Test func aFooterDoesNotChangeTheKindOfAnExport() throws {
        let folder = try folder("skip")
        try folder.write(
            "in/trips_1.csv",
            RunPipeline.header + Self.generated + RunPipeline.line(9, cost: "sum of all")
        )
        let report = try folder.run()
        #expect(report.refused.isEmpty)
        #expect(report.trips == 1)
    }

    private func archived(_ folder: RunFolder) throws -> [String] {
        let archive = folder.path + "/mart/archive"
        return try FileSystem.names(in: archive).filter { $0.count == 2 }.flatMap {
            try FileSystem.names(in: archive + "/" + $0)
        }
    }

    @Test func aFileOfBothKindsIsRefusedInAnyOrder() throws {
        let folder = try folder("skip")
        try folder.write("in/trips_1.csv", RunPipeline.header + Self.real + Self.generated)
        try folder.write("in/trips_2.csv", RunPipeline.header + Self.generated)
        let report = try folder.run()
        #expect(report.refused.map(\.path) == ["trips_1.csv"])
        #expect(report.trips == 1)
    }
}
