import Testing

@testable import TripRuns

@Suite struct GeneratedFilesTests {
    @Test func whatGenerateWritesBesideItsExportsIsNotUnclaimed() {
        let own = ["generated.json", "manifest.json", "reference/stations.csv"]
        #expect(GeneratedFiles.removed(from: own + ["notes.txt"]) == ["notes.txt"])
        #expect(GeneratedFiles.removed(from: own.map { "demo/" + $0 }) == [])
    }

    @Test func withoutTheMarkEveryFileIsNamed() {
        let files = ["manifest.json", "reference/stations.csv"]
        #expect(GeneratedFiles.removed(from: files) == files)
        let elsewhere = ["demo/generated.json", "reference/stations.csv"]
        #expect(GeneratedFiles.removed(from: elsewhere) == ["reference/stations.csv"])
    }
}
