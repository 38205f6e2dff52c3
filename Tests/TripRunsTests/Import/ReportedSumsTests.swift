import Foundation
import TestSupport
import Testing
import TripDomain
import TripEngine

@testable import TripRuns

/// What the tasks of a divided run report must add up, and be what they wrote.
@Suite struct ReportedSumsTests {
    private let night: RunFolder
    private let options: RunOptions
    private let run: DividedRun

    init() throws {
        let history = try RandomHistory(seed: 3)
        night = history.night
        // Trips that no override decides: the others are in no cell.
        try night.write("in/trips_60.csv", RandomHistory.file(of: 100..<120))
        options = history.night.options { $0.martPath = history.night.path + "/other" }
        run = try DividedRun(options, partCount: 1)
    }

    /// Imports the run with another report and another list of cells.
    private func refusal(
        _ list: ([FinestCell]) -> [UInt8] = { $0.flatMap(\.text) },
        _ change: (inout PartitionReport) -> Void = { _ in }
    ) throws -> String? {
        try CubeImportTests.write(run, to: night.path + "/job")
        var part = run.parts[0]
        let cells = list(part.sums.cells)
        change(&part)
        let results = night.path + "/job/results/"
        try Data(part.text).write(
            to: URL(fileURLWithPath: results + ShardResults.partReportName(0))
        )
        try Data(cells).write(to: URL(fileURLWithPath: results + ShardResults.cellsName(0)))
        var dry = options
        dry.isDryRun = true
        do {
            _ = try CubeImportTests.imported(night.path + "/job", dry)
            return nil
        } catch {
            let error = try #require(error as? RunError)
            #expect(error.code == .noUsableInput)
            return error.what
        }
    }

    private func edited(_ from: String, _ to: String) -> ([FinestCell]) -> [UInt8] {
        { cells in
            var text = String(decoding: cells.flatMap(\.text), as: UTF8.self)
            if let range = text.range(of: from) { text.replaceSubrange(range, with: to) }
            return Array(text.utf8)
        }
    }

    @Test func whatWasWrittenIsImported() throws {
        #expect(try refusal() == nil)
    }

    @Test(arguments: [
        ("\"cost_cents\": ", "\"cost_cents\": 1"),
        ("\"miles_hundredths\": ", "\"miles_hundredths\": 1"),
        ("\"class\": \"", "\"class\": \"un"),
        ("\"month\": \"2026-0", "\"month\": \"2025-0"), ("\n", "\n\n"),
    ])
    func aListOfCellsThatWasEditedIsRefused(from: String, to: String) throws {
        let found = try #require(try refusal(edited(from, to)))
        #expect(found.contains("is not the one of the report beside it"))
    }

    /// A list that is whole, and wrong, shows against the account.
    @Test(arguments: [0, 1, 2, 3, 4])
    func whatDoesNotAddUpIsRefused(number: Int) throws {
        let place = ["the cells", "the cells", "sums.months", "sums.statuses", "sums.amount"]
        var cells = run.parts[0].sums.cells
        var sums = cells[0].sums
        if number == 0 { sums.costs.costCents += 1 }
        if number == 1 { sums.costs.trips += 1 }
        cells[0] = FinestCell(
            group: cells[0].group,
            sums: sums,
            measures: cells[0].measures,
            dimensions: cells[0].dimensions
        )
        let list = cells.flatMap(\.text)
        let found = try refusal({ _ in list }) { part in
            part.cellsHash = ContentHash.of(list)
            if number == 2 { part.sums.months.removeLast() }
            if number == 3 { part.sums.statuses.removeLast() }
            if number == 4 { part.sums.amount.cents -= 1 }
        }
        #expect(found?.contains(place[number]) == true, "\(found ?? "-")")
    }
}
