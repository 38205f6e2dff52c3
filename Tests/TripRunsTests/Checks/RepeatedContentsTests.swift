import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// Files with one content whose trips all count, since their ids are places.
@Suite struct RepeatedContentsTests {
    private func folder(tripID: String = "{source_position: true}") throws -> RunFolder {
        let folder = try RunFolder()
        let pipeline = """
            pipeline: calls
            sources:
              calls: {files: "**/*.csv"}
            fields:
              trip_id: \(tripID)
              pickup_at: At
              region: Region
              trip_type: Type
            rules:
              - {id: own, class: in_house, basis: own, when: "region = 'R1'", because: All are.}

            """
        try folder.write("pipeline/pipeline.yaml", pipeline)
        return folder
    }

    private func log(_ calls: ClosedRange<Int>) -> String {
        "No,At,Region,Type\n" + calls.map { "\($0),2026-05-0\($0)T10:00,R1,BLS\n" }.joined()
    }

    private func check(_ report: RunReport) -> CheckResult? {
        report.checks.first { $0.id == "built-in-contents" }
    }

    @Test(arguments: [false, true])
    func aCopyInAnotherFolderIsNamed(isDryRun: Bool) throws {
        let folder = try folder()
        try folder.write("in/north/calls.csv", log(1...3))
        try folder.write("in/south/calls.csv", log(1...3))
        try folder.write("in/west/calls.csv", log(1...4))
        let report = try folder.run { $0.isDryRun = isDryRun }
        #expect(report.trips == 10)
        let check = try #require(self.check(report))
        #expect(check.outcome == .warn && report.status == .publishedWithWarnings)
        let words =
            "south/calls.csv has the content of north/calls.csv, and the trips of its 3 records "
            + "count twice"
        #expect(check.detail.contains(words), "\(check.detail)")
        #expect(check.detail.contains("--skip south/calls.csv"), "\(check.detail)")
        let skipped = try folder.run {
            ($0.isDryRun, $0.skippedFiles) = (true, ["south/calls.csv"])
        }
        #expect(isDryRun ? self.check(skipped) == nil : true)
    }

    @Test func idsOfColumnsMakeDuplicatesOfThem() throws {
        let folder = try folder(tripID: "No")
        try folder.write("in/north/calls.csv", log(1...3))
        try folder.write("in/south/calls.csv", log(1...3))
        let report = try folder.run()
        #expect(report.trips == 3 && report.ledger[.duplicate].items == 3)
        #expect(check(report) == nil)
    }

    @Test func whatWasPublishedIsNamedOnceMoreWithACopyOfTonight() throws {
        let folder = try folder()
        try folder.write("in/a.csv", log(1...3))
        #expect(try check(folder.run()) == nil)
        try folder.write("in/b.csv", log(1...3))
        #expect(try check(folder.run()) != nil)
        try folder.write("in/c.csv", log(1...2))
        #expect(try check(folder.run()) == nil)
    }
}
