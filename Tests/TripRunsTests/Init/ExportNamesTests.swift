import Testing

@testable import TripRuns

@Suite struct ExportNamesTests {
    @Test(arguments: [
        (["in/claims_20261103.csv.gz"], ["claims_*.csv"]), (["trips.csv"], ["trips*.csv"]),
        (["a/runs_1.tsv", "runs_2.tsv.gz"], ["**/runs_*.tsv"]),
        (["a_1.csv", "b_1.txt"], ["a_*.csv", "b_*.txt"]), (["2026.csv"], ["*.csv"]),
        (["export"], ["export"]),
    ])
    func patternsClaimTheFilesAndLaterOnes(paths: [String], patterns: [String]) {
        #expect(ExportNames.patterns(of: paths) == patterns)
        for path in paths {
            var name = ExportNames.fileName(path)
            if name.hasSuffix(".gz") { name = String(name.dropLast(3)) }
            #expect(patterns.contains { Glob(text: $0).matches(name) })
        }
    }

    @Test(arguments: [
        ("in/claims_20261103.csv.gz", "claims"), ("My Trips (1).csv", "my_trips"),
        ("2026-10.csv", "exports"), ("Größe.csv", "gr_e"),
    ])
    func thePipelineIsNamedForTheFile(path: String, name: String) {
        #expect(ExportNames.pipelineName(path) == name)
        #expect(ExportNames.isName(name))
    }

    @Test(arguments: ["", "A", "1a", "a b", "a.b", "ä"])
    func otherNamesAreNone(name: String) {
        #expect(!ExportNames.isName(name))
    }

    @Test(arguments: [
        (["in/a.csv", "b.csv"], ["a.csv", "b.csv"]),
        (["in/n/a.csv", "in/s/a.csv", "in/a.csv"], ["n/a.csv", "s/a.csv", "a.csv"]),
        (["/x/n/m/a.csv", "/x/n/k/a.csv"], ["m/a.csv", "k/a.csv"]),
        (["../a.csv", "a.csv"], ["1/a.csv", "2/a.csv"]),
        (["/n/a.csv", "n/a.csv"], ["1/a.csv", "2/a.csv"]),
    ])
    func filesOfOneNameLieInFoldersOfTheirOwn(paths: [String], places: [String]) {
        #expect(ExportNames.landingPaths(of: paths) == places)
    }

    @Test(arguments: [
        (["claims_260131_1.csv", "claims_260131_2.csv.gz"], "claims_(\\d{6})"),
        (
            ["in/cclf5_D20260131_1.txt", "cclf5_D20260131_2.txt", "cclf5_D20260228_1.txt"],
            "cclf5_D(\\d{8})"
        ),
        (["claims_260131.csv", "claims_260228.csv"], nil),
        (["claims_260131_1.csv", "claims_260131_2.csv", "claims.csv"], nil),
        (["claims_260131_1.csv", "lines_260131_2.csv"], nil),
        (["claims (260131) 1.csv", "claims (260131) 2.csv"], nil),
        (["claims_1.csv", "claims_2.csv"], nil),
    ])
    func filesOfOneDateAreADelivery(paths: [String], pattern: String?) {
        #expect(ExportNames.delivery(of: paths) == pattern)
    }
}
