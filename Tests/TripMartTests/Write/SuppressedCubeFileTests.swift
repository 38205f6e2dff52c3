import Testing
import TripDomain

@testable import TripDisclosure
@testable import TripMart

@Suite struct SuppressedCubeFileTests {
    @Test func theFileHasEveryRowNullWhereANumberIsHidden() throws {
        let reference = ReferenceGeneration(seed: 2, count: 600)
        let mart = try BuiltMart()
        let built = try mart.build(reference)
        let rows = try BuiltMart.rows(built.kpiPath, "SELECT * FROM kpi_cube")
        let cube = SuppressedCube(reference.cube(), threshold: 11)
        func expected(_ month: String, _ rows: [SuppressedMonth.Row]) -> [[String?]] {
            rows.map { row in
                [month, row.tripType, row.region] + row.values.map { $0.map { "\($0)" } }
                    + [row.isSuppressed ? "1" : "0"]
            }
        }
        let months = cube.months.flatMap { expected($0.month, $0.rows) }
        #expect(rows == months + expected(KPICell.all, cube.rowsOverMonths))
        #expect(rows.contains { $0.last == "1" })
        #expect(rows.contains { $0.last == "0" })
    }

    @Test func theFileListsMergedValues() throws {
        let temporary = TemporaryFolder()
        let contents = ReferenceGeneration(seed: 2, count: 600).contents()
        let path = temporary.path + "/kpi.sqlite"
        try SuppressedCubeFile(SummarySource(contents), slotLimit: 22).write(to: path)
        let rows = try BuiltMart.rows(path, "SELECT * FROM kpi_cube")
        let cube = SuppressedCube(contents.summary.cube, threshold: 11, slotLimit: 22)
        for month in cube.months {
            try #require(!month.merged[1].isEmpty)
            for (dimension, merged) in zip(1...2, month.merged) {
                for value in merged {
                    let own = rows.filter { $0[0] == month.month && $0[dimension] == value.text }
                    #expect(own.count == 1)
                    #expect(own.first?.count { $0 == nil } == CubeTables.sumColumns.count)
                    #expect(own.first?.last == "1")
                    let over = rows.filter { $0[0] == KPICell.all && $0[dimension] == value.text }
                    #expect(!over.isEmpty && over.allSatisfy { $0[3] == nil && $0.last == "1" })
                }
            }
        }
        #expect(Set(rows.map { $0[2] }) == ["08", "10", "UNKNOWN", "all"])
        let grand = rows.first { $0.prefix(3) == ["all", "all", "all"] }
        let counted = contents.summary.cube.first {
            $0.month == "all" && $0.tripType == "all" && $0.region == "all"
        }
        #expect(grand?[3] == counted.map { "\($0.sums.trips)" })
    }

    @Test func aFileWithoutSuppressionHasTheWholeCube() throws {
        let temporary = TemporaryFolder()
        let contents = ReferenceGeneration(seed: 2, count: 300).contents(suppressBelow: 0)
        let path = temporary.path + "/kpi.sqlite"
        try SuppressedCubeFile(SummarySource(contents), slotLimit: 1).write(to: path)
        let rows = try BuiltMart.rows(path, "SELECT * FROM kpi_cube")
        let whole = contents.summary.cube.map { cell in
            [cell.month, cell.tripType, cell.region]
                + cell.sums.values.map { "\($0)" } + ["0"]
        }
        #expect(rows == whole.map { $0.map(Optional.some) })
    }
}
