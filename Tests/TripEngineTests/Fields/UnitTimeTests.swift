import TestSupport
import Testing
import TripDomain

@testable import TripEngine

/// Units of one cell with a time of their own.
@Suite struct UnitTimeTests {
    private static let time = UnitTime(mark: "=", field: "pickup_at", nextDaySeconds: 12 * 3600)

    @Test(arguments: [
        ("M6=06:51:33", "M6", UnitTime.OwnTime.seconds(24_693)),
        ("M6 = 6:51", "M6", .seconds(24_660)),
        ("M6", "M6", .none), ("M6=", "M6", .none), ("M6= ", "M6", .none),
        ("a=b=23:59", "a=b", .seconds(86_340)), ("M6=24:00", "M6", .unreadable),
        ("M6=6:5", "M6", .unreadable), ("M6=06:51:60", "M6", .unreadable),
        ("M6=soon", "M6", .unreadable), ("M6=6", "M6", .unreadable),
        ("=06:51", "", .seconds(24_660)),
    ])
    func aUnitIsDividedAtTheLastMark(listed: String, unit: String, own: UnitTime.OwnTime) {
        let found = Self.time.divided(Array(listed.utf8))
        #expect(String(decoding: found.unit, as: UTF8.self) == unit)
        #expect(found.time == own)
    }

    @Test func aTimeFarBeforeTheRecordsIsOfTheNextDay() {
        let day = CivilTime.daySeconds
        // The slow twin tries both days and takes the first that is not too early.
        for hours in [1, 6, 12, 24] as [Int64] {
            let time = UnitTime(mark: "=", field: "pickup_at", nextDaySeconds: hours * 3600)
            for record in stride(from: 0, to: day, by: 1801) {
                for own in stride(from: 0, to: day, by: 1777) {
                    let wanted = [own, own + day].first { $0 >= record - hours * 3600 }
                    #expect(time.placed(own, onDayOf: record) == wanted)
                    // Days before 1970 count downwards.
                    #expect(
                        time.placed(own, onDayOf: record - 9 * day) == wanted.map { $0 - 9 * day }
                    )
                }
            }
        }
    }

    private static func read(
        _ ifNoUnit: UnitlessRecord?,
        _ text: String,
        _ ifNoTime: UnitWithoutTime = .reject
    ) throws
        -> ExportReaderTests.Reading
    {
        let fields = [
            ExportReaderTests.field("trip_id", .text, "id") { field in
                field.isRequired = true
                field.columns = ["id", "units"]
                field.joiner = "-"
            },
            ExportReaderTests.field("pickup_at", .timestamp, "at") { $0.isRequired = true },
            ExportReaderTests.field("cost", .money, "paid"),
            ExportReaderTests.field("unit", .text, "units") { field in
                field.separator = ";"
                field.ifNoUnit = ifNoUnit
                field.unitTime = time
                field.unitTime?.ifNoTime = ifNoTime
            },
        ]
        return try ExportReaderTests.read("id,at,paid,units\n" + text, fields: fields)
    }

    @Test(
        arguments: [
            (nil, RejectReason.missingValue, "trip_id"), (.reject, .missingValue, "unit"),
            (.skip, .noUnit, "unit"),
        ] as [(UnitlessRecord?, RejectReason, String)]
    )
    func aRecordWithoutAUnitIsSetAsideAsDeclared(
        ifNoUnit: UnitlessRecord?,
        reason: RejectReason,
        field: String
    ) throws {
        let reading = try Self.read(ifNoUnit, "R1,2026-05-03T10:00,5.00, ; \n")
        let reject = try #require(reading.rejects.first)
        #expect((reject.reason, reject.field) == (reason, field))
        #expect((reject.itemCount, reject.amountCents) == (1, 500))
        #expect(reading.read == LedgerAmount(items: 1, cents: 500))
        #expect(reading.tripCount == 0)
    }

    @Test func aRecordThatIsSkippedNeedsNoOtherField() throws {
        let skipped = try Self.read(.skip, "R1,never,x,\n")
        #expect(skipped.rejects.map(\.reason) == [.noUnit])
        #expect(skipped.read == LedgerAmount(items: 1, cents: 0, unpriced: 1))
        #expect(try Self.read(.reject, "R1,never,x,\n").rejects.map(\.field) == ["pickup_at"])
    }

    @Test func aRecordWithoutAUnitMayBeOneTrip() throws {
        let reading = try Self.read(.one, "R1,2026-05-03T10:00,5.00,\n,2026-05-03T10:00,5.00,\n")
        #expect(reading.tripCount == 1)
        let batch = reading.batches[0]
        #expect(batch.columns[0].texts.pool.string(batch.columns[0].texts.codes[0]) == "R1-")
        #expect(batch.columns[4].texts.codes == [0])
        // The other parts of the id are needed all the same.
        #expect(reading.rejects.map(\.field) == ["trip_id"])
    }

    @Test func aUnitWhoseTimeCannotBeReadMayHaveTheRecords() throws {
        let text = "R1,2026-05-03T10:00,1.00,A=25:10;B=10:02;C=10:03:00.5;A=11:00\n"
        #expect(try Self.read(nil, text).rejects.map(\.tripID) == ["R1-A", "R1-C"])
        let reading = try Self.read(nil, text, .record)
        #expect(reading.rejects.isEmpty)
        let midnight = Int64(try #require(CivilDate(text: "2026-05-03")).dayNumber) * 86_400
        // The first time counts, also where it is none.
        #expect(
            reading.batches[0].columns[1].integers.values.map { $0 - midnight }
                == [36_000, 36_120, 36_000]
        )
        #expect(reading.batches[0].columns[3].integers.values == [34, 33, 33])
    }

    @Test func eachTripHasItsOwnTime() throws {
        let reading = try Self.read(nil, "R1,2026-05-03T23:50:00,1.00,A=23:51;B=00:07:09;C;D=x\n")
        let batch = reading.batches[0]
        let midnight = Int64(try #require(CivilDate(text: "2026-05-03")).dayNumber) * 86_400
        #expect(
            batch.columns[1].integers.values.map { $0 - midnight }
                == [85_860, 86_400 + 429, 85_800]
        )
        #expect(batch.columns[3].integers.values == [25, 25, 25])
        #expect(reading.rejects.map(\.reason) == [.wrongType])
        #expect(reading.rejects.map(\.amountCents) == [25])
    }
}
