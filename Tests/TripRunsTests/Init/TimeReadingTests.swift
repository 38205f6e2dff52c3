import Testing
import TripEngine

@testable import TripRuns

@Suite struct TimeReadingTests {
    private func column(_ cells: [String]) -> SampleColumn {
        var column = SampleColumn(name: "At")
        for cell in cells {
            var cell = cell
            cell.withUTF8 { column.append($0) }
        }
        return column
    }

    @Test(arguments: [
        (["2026-10-31", "2026-11-01"], ["iso8601"], false),
        (["2026-10-31T08:05:00-04:00"], ["iso8601"], true),
        (["10/31/2026 8:05", "1/2/2026 23:59"], ["M/d/yyyy H:mm"], true),
        (["31/10/2026", "1/2/2026"], ["d/M/yyyy"], false),
        (["31.10.26 08:05:09"], ["d.M.yy H:mm:ss"], true),
        (["10/31/2026 4:05 PM"], ["M/d/yyyy h:mm a"], true),
        (["20261031"], ["yyyyMMdd"], false),
        (["31-Oct-2026"], ["d-MMM-yyyy"], false),
        (
            ["2026-10-31", "10/30/2026", "31-Oct-2026"], ["iso8601", "M/d/yyyy", "d-MMM-yyyy"],
            false
        ),
        (
            ["10/31/2026 8:05", "10/30/2026 8:05", "10/31/2026 8:05:30"],
            ["M/d/yyyy H:mm", "M/d/yyyy H:mm:ss"], true
        ),
    ])
    func formatsAreFound(cells: [String], formats: [String], hasTime: Bool) throws {
        let reading = try #require(TimeReading.find(in: column(cells)))
        #expect(reading.formats == formats)
        #expect(reading.hasTime == hasTime)
        #expect(reading.readCount == cells.count)
    }

    @Test(arguments: [
        (["Wed 10/14/2026 06:30", "Thu 10/15/2026 06:30"], "M/d/yyyy H:mm"),
        (["Wednesday, 14 Oct 2026"], "d MMM yyyy"), (["Thurs. Oct 15, 2026"], "MMM d, yyyy"),
    ])
    func weekdaysAreLeftOut(cells: [String], format: String) throws {
        let reading = try #require(TimeReading.find(in: column(cells)))
        #expect(reading.formats == [format])
        #expect(reading.readCount == cells.count)
        let pattern = try Pattern(#require(reading.take))
        // A run takes the same text.
        for cell in cells {
            var text = cell
            #expect(pattern.capture(in: cell).map { Array($0.utf8) } == text.withUTF8(Weekday.rest))
        }
        #expect(TimeReading.flags(of: column(cells), format: format, behindWeekday: true)[1])
        let plain = try #require(TimeReading.find(in: column(["10/14/2026"])))
        #expect(plain.take == nil)
    }

    @Test func monthAndDayThatCannotBeToldApartAreSaid() throws {
        let both = try #require(TimeReading.find(in: column(["1/2/2026", "12/12/2026"])))
        #expect(both.formats == ["M/d/yyyy"])
        #expect(both.twin == "d/M/yyyy")
        let one = try #require(TimeReading.find(in: column(["1/2/2026", "12/13/2026"])))
        #expect(one.twin == nil)
    }

    @Test func aDayAmongTimesDoesNotCountAsRead() throws {
        let cells = ["10/31/2026 8:05", "10/30/2026 8:05", "10/29/2026"]
        let reading = try #require(TimeReading.find(in: column(cells)))
        #expect(reading.formats == ["M/d/yyyy H:mm"])
        #expect(reading.readCount == 2)
    }

    @Test func wordsForNoValueAreNoTexts() throws {
        let cells = ["NULL", "NULL", "NULL", "2026-10-31"]
        let reading = try #require(TimeReading.find(in: column(cells)))
        #expect(reading.readCount == 1)
    }

    @Test(arguments: [["12345678"], ["BLS"], ["1.5"], [""], ["8:05"]])
    func otherTextsAreNoTimes(cells: [String]) {
        #expect(TimeReading.find(in: column(cells)) == nil)
    }

    @Test func aTimeOfTheDayIsFound() throws {
        let found = try #require(TimeReading.timeOfDay(in: column(["8:05", "23:59", ""])))
        #expect(found.format == "H:mm")
        #expect(found.reads == [false, true, true])
        // The records of one in 28 would be set aside.
        let times = (1...27).map { "8:\($0 + 10)" }
        #expect(TimeReading.timeOfDay(in: column(times)) != nil)
        #expect(TimeReading.timeOfDay(in: column(times + ["BLS"])) == nil)
    }

    @Test func daysOfFourWaysAreNotRead() {
        let cells = ["2026-10-31", "10/30/2026", "31-Oct-2026", "20261031"]
        #expect(TimeReading.find(in: column(cells)) == nil)
    }

    @Test func timesInTwoWaysAreTimes() throws {
        let cells = ["2026-10-31 08:05", "10/30/2026 8:05", "2026-10-30 08:06", "10/29/2026 8:05"]
        let reading = try #require(TimeReading.find(in: column(cells + ["unknown"])))
        #expect(reading.formats == ["iso8601", "M/d/yyyy H:mm"])
        #expect(reading.hasTime && reading.readCount == 4)
    }
}
