import Testing
import TripDomain

@testable import TripEngine
@testable import TripSynthetic

@Suite struct ExportScheduleTests {
    private func schedule(trips: Int, months: Int, filesPerMonth: Int = 1) -> ExportSchedule {
        var options = SyntheticOptions(tripCount: trips, monthCount: months, seed: 11)
        options.filesPerMonth = filesPerMonth
        return ExportSchedule(options: options)
    }

    @Test(arguments: [(18, 18, 1), (4000, 18, 1), (5003, 3, 28), (1_000_001, 24, 4)])
    func cellsAndFilesHaveExactlyTheRequestedTrips(trips: Int, months: Int, files: Int) {
        let schedule = schedule(trips: trips, months: months, filesPerMonth: files)
        #expect(schedule.files.count == months * files)
        #expect(schedule.cells.reduce(0) { $0 + $1.count } == trips)
        #expect(schedule.files.reduce(0) { $0 + $1.tripCount } == trips)
    }

    @Test func tripNumbersAreDistinctAndNotInOrder() {
        let schedule = schedule(trips: 20_000, months: 6)
        var numbers: [Int] = []
        for file in schedule.files {
            for batch in file.batches {
                for number in 0..<batch.count {
                    numbers.append(
                        schedule.tripNumber(
                            cell: schedule.cells[batch.cellIndex],
                            number: batch.first + number
                        )
                    )
                }
            }
        }
        #expect(Set(numbers).count == 20_000)
        #expect(numbers.min() == ExportSchedule.firstTripNumber)
        #expect(numbers.max() == ExportSchedule.firstTripNumber + 19_999)
        let falling = zip(numbers, numbers.dropFirst()).count { $0 > $1 }
        #expect(falling > 5_000)
    }

    @Test func theBatchOfAnIndexContainsIt() {
        let schedule = schedule(trips: 5_000, months: 2)
        for (index, file) in schedule.files.enumerated() {
            for ordinal in 0..<file.tripCount {
                let batch = schedule.batch(fileIndex: index, ordinal: ordinal)
                #expect(batch.ordinal <= ordinal && ordinal < batch.ordinal + batch.count)
            }
        }
    }

    @Test func exportsAreDatedAfterTheDaysTheyCover() {
        let schedule = schedule(trips: 1_000, months: 2, filesPerMonth: 2)
        #expect(
            schedule.files.map(\.stem) == [
                "claims_20260918", "claims_20261003", "claims_20261018", "claims_20261103",
            ]
        )
    }

    @Test func onlyContractedTripsArriveOverSeveralExports() {
        #expect(ExportSchedule.inHouseLags.reduce(0, +) == 1000)
        #expect(ExportSchedule.contractedLags.reduce(0, +) == 1000)
        #expect(ExportSchedule.inHouseLags[0] > ExportSchedule.contractedLags[0])
    }
}
