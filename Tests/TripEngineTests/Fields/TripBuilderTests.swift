import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Records that list several units in one cell.
@Suite struct TripBuilderTests {
    typealias Adjustment = @Sendable (inout FieldDefinition) -> Void

    static func read(
        _ records: String,
        unit: Adjustment = { _ in },
        tripID: Adjustment = { _ in }
    ) throws -> ExportReaderTests.Reading {
        let fields = [
            ExportReaderTests.field("trip_id", .text, "id") { field in
                field.isRequired = true
                field.columns = ["id", "units"]
                field.joiner = "-"
                tripID(&field)
            },
            ExportReaderTests.field("pickup_at", .timestamp, "at"),
            ExportReaderTests.field("cost", .money, "paid"),
            ExportReaderTests.field("unit", .text, "units") { field in
                field.separator = ";"
                unit(&field)
            },
        ]
        return try ExportReaderTests.read("id,at,paid,units\n" + records, fields: fields)
    }

    private func ids(_ reading: ExportReaderTests.Reading) -> [String?] {
        reading.batches.flatMap { batch in
            let texts = batch.columns[0].texts
            return texts.codes.map { texts.pool.string($0) }
        }
    }

    private func cents(_ reading: ExportReaderTests.Reading) -> [Int64] {
        reading.batches.flatMap { $0.columns[3].integers.values }
    }

    @Test func unitsAreComparedAfterConversion() throws {
        let reading = try Self.read(
            "R,2026-05-03T10:00,10.01,m12;M12; Medic 12 ;M13;m13\n",
            unit: { field in
                field.isUppercased = true
                field.valueMap = ["MEDIC 12": "M12"]
            }
        )
        #expect(ids(reading) == ["R-M12", "R-M13"])
        #expect(cents(reading) == [501, 500])
        #expect(reading.read == LedgerAmount(items: 5, cents: 1001))
        #expect(reading.repetitions.map(\.tripID) == ["R-M12", "R-M13"])
        #expect(reading.repetitions.map(\.count) == [2, 1])
    }

    @Test func partsThatHoldTheMarkGiveTripsOfTheirOwn() throws {
        let reading = try Self.read(
            "1-2,2026-05-03T10:00,1.00,3\n1,2026-05-03T10:00,2.00,2-3;4\n"
        )
        #expect(ids(reading) == ["1-2-3", "1-2\\-3", "1-4"])
        #expect(cents(reading) == [100, 100, 100])
    }

    @Test func anIDThatASpreadsheetShortenedIsSetAside() throws {
        let reading = try Self.read("1.23457E+11,2026-05-03T10:00,1.00,A;B\n")
        #expect(reading.batches.isEmpty)
        #expect(reading.rejects.map(\.reason) == [.wrongPattern, .wrongPattern])
        #expect(reading.rejects.map(\.amountCents) == [50, 50])
    }

    @Test func unitsWithTheSameTripIDAreOne() throws {
        let reading = try Self.read(
            "R,2026-05-03T10:00,10.00,m12;M12;M13\n",
            tripID: { $0.isUppercased = true }
        )
        #expect(ids(reading) == ["R-M12", "R-M13"])
        #expect(cents(reading) == [500, 500])
        #expect(reading.read == LedgerAmount(items: 3, cents: 1000))
        let one = RepeatedUnit(tripID: "R-M12", recordNumber: 1, lineNumber: 2, count: 1)
        #expect(reading.repetitions == [one])
    }

    @Test func aRepeatedUnitThatIsSetAsideIsOneRejectOfAllItsItems() throws {
        let reading = try Self.read(
            "R,2026-05-03T10:00,9.00,?;A;?;A;?\n",
            // Any pattern will do, as long as a unit is set aside.
            unit: { $0.pattern = try? Pattern("[A-Z]+") }
        )
        #expect(ids(reading) == ["R-A"])
        #expect(reading.rejects.map(\.itemCount) == [3])
        #expect(reading.repetitions.map(\.count) == [1])
        #expect(reading.read == LedgerAmount(items: 5, cents: 900))
    }

    @Test func aRepetitionIsNumberedWithinTheFile() throws {
        let records = (1...40).map { number in
            "R\(number),2026-05-03T10:00,1.00,A;B\(number % 8 == 0 ? ";A" : "")\n"
        }
        let lines = try Self.read(records.joined()).repetitions.map(\.lineNumber)
        #expect(lines == [9, 17, 25, 33, 41])
    }

    @Test func aCellOfManyUnitsIsReadSoon() throws {
        // Comparing each unit with all others would take 10 billion comparisons.
        let units = (0..<30_000).map { "u\($0)" }.joined(separator: ";")
        let reading = try Self.read("R,2026-05-03T10:00,1.00,\(units);u1\n")
        #expect(reading.tripCount == 30_000)
        #expect(reading.repetitions.map(\.tripID) == ["R-u1"])
    }

    @Test func aUnitThatConvertsToNullIsDroppedAndTakesNoShare() throws {
        let reading = try Self.read(
            "R,2026-05-03T10:00,10.00,A;none;B\nS,2026-05-03T10:00,3.00,none;none\n",
            unit: { $0.valueMap = ["none": nil] }
        )
        #expect(ids(reading) == ["R-A", "R-B"])
        #expect(cents(reading) == [500, 500])
        // As for a blank cell, the trip id is incomplete.
        #expect(reading.rejects.map(\.reason) == [.missingValue])
        #expect(reading.rejects.map(\.itemCount) == [1])
        #expect(reading.rejects.map(\.amountCents) == [300])
        #expect(reading.read == LedgerAmount(items: 3, cents: 1300))
    }

    @Test func aValueIsReplacedOnce() throws {
        let reading = try Self.read(
            "R,2026-05-03T10:00,1.00,A;B\n",
            unit: { $0.valueMap = ["A": "B", "B": "C"] }
        )
        let column = reading.batches[0].columns[4].texts
        #expect(column.codes.map { column.pool.string($0) } == ["B", "C"])
        #expect(ids(reading) == ["R-B", "R-C"])
    }

    @Test func aUnitThatIsSetAsideKeepsItsShareAndItsID() throws {
        let reading = try Self.read(
            "R,2026-05-03T10:00,10.00,A;?;B\n",
            // A pattern that could not be read would fail the test.
            unit: { $0.pattern = try? Pattern("[A-Z]") }
        )
        #expect(cents(reading) == [334, 333])
        #expect(reading.rejects.map(\.amountCents) == [333])
        #expect(reading.rejects.map(\.tripID) == ["R-?"])
        #expect(reading.rejects.map(\.field) == ["unit"])
    }

    /// For any content of the cell, no cent is lost and no trip id occurs twice.
    @Test(arguments: 1...40)
    func sharesAddUpAndIdsDiffer(seed: Int) throws {
        var dice = SeededDice(seed: UInt64(seed))
        var records = ""
        var total: Int64 = 0
        for number in 0..<20 {
            let units = (0..<dice.below(6)).map { _ in
                dice.pick(["a", "A", " b", "B ", "none", "", "?", "c1", "C1"])
            }
            let amount = dice.below(5000)
            total += Int64(amount)
            records += "R\(number),2026-05-03T10:00,\(amount / 100)."
            records += "\(amount % 100 / 10)\(amount % 10),\(units.joined(separator: ";"))\n"
        }
        let (unitIsUpper, idIsUpper) = (dice.below(2) == 0, dice.below(2) == 0)
        let reading = try Self.read(
            records,
            unit: { field in
                field.isUppercased = unitIsUpper
                field.valueMap = ["none": nil, "NONE": nil]
                // Any pattern will do, as long as some units are set aside.
                field.pattern = try? Pattern("[A-Za-z0-9]+")
            },
            tripID: { $0.isUppercased = idIsUpper }
        )
        #expect(reading.read.cents == total)
        let rejected = reading.rejects.compactMap(\.amountCents).reduce(0, +)
        #expect(cents(reading).reduce(0, +) + rejected == total)
        #expect(Set(ids(reading)).count == reading.tripCount)
        let setAside = reading.rejects.reduce(0) { $0 + $1.itemCount }
        let repeated = reading.repetitions.reduce(0) { $0 + $1.count }
        #expect(reading.read.items == Int64(reading.tripCount + setAside + repeated))
    }
}
