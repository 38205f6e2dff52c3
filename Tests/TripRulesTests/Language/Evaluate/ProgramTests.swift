import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

struct ProgramTests {
    private func values(_ text: String, _ frame: Frame) throws -> Program.Values {
        try ExpressionSamples.scope.compile(ParsedExpression(parsing: text), expecting: .value)
            .evaluate(frame)
    }

    @Test func overflowGivesNullAndIsCounted() throws {
        let frame = ExpressionSamples.frame(
            owner: ["a", "b", "c"],
            paidCents: [.max, 1, nil]
        )
        let result = try values("paid_cents + 1", frame)
        #expect(result.column.integers.value(0) == nil)
        #expect(result.column.integers.value(1) == 2)
        #expect(result.column.integers.value(2) == nil)
        #expect(result.overflowCount == 1)
    }

    @Test func aGuardClearsAnOverflow() throws {
        let frame = ExpressionSamples.frame(owner: ["a", "b"], paidCents: [.max, 1])
        #expect(try values("paid_cents < 9 AND paid_cents * 9 > 5", frame).overflowCount == 0)
        #expect(try values("paid_cents * 9 > 5 AND paid_cents < 9", frame).overflowCount == 0)
        #expect(try values("paid_cents > 0 AND paid_cents * 9 > 5", frame).overflowCount == 1)
        #expect(
            try values("CASE WHEN paid_cents < 9 THEN paid_cents * 9 ELSE 0 END", frame)
                .overflowCount == 0
        )
    }

    @Test func overflowsOfDistinctValuesAreCountedPerTrip() throws {
        let frame = ExpressionSamples.frame(
            owner: ["9223372036854775807", "9223372036854775807", "7", nil])
        var shared = frame
        shared.columns[0] = .text(
            TextColumn(codes: [1, 1, 2, 0], pool: TextPool(["9223372036854775807", "7"]))
        )
        for frame in [frame, shared] {
            #expect(try values("CAST(owner AS INTEGER) + 1", frame).overflowCount == 2)
        }
    }

    @Test func theWordNowInATripIsNoDate() throws {
        let frame = ExpressionSamples.frame(owner: ["now", "2025-06-15"])
        let texts = try values("date(owner)", frame).column.texts
        #expect(texts.codes[0] == 0)
        #expect(texts.pool.string(texts.codes[1]) == "2025-06-15")
    }

    @Test func conditionsGiveZeroAndOne() throws {
        let frame = ExpressionSamples.frame(owner: ["VA", "X", nil])
        let column = try values("owner = 'VA'", frame).column.integers
        #expect((0..<3).map { column.value($0) } == [1, 0, nil])
    }

    @Test func aBatchWithoutTripsGivesNothing() throws {
        let frame = ExpressionSamples.frame(owner: [])
        for text in ["owner = 'VA' AND site.beds > 5", "1", "upper(owner) || crew", "rate * 2"] {
            #expect(try values(text, frame).column.count == 0)
        }
    }

    @Test func columnsNoProgramReadsMayBeEmpty() throws {
        var frame = ExpressionSamples.frame(owner: ["VA", "X"])
        frame.columns[2] = .integer(IntegerColumn(values: []))
        frame.columns[4] = .real(RealColumn(values: []))
        let column = try values("owner = 'VA'", frame).column.integers
        #expect(column.values == [1, 0])
    }

    @Test func lookUpsReadTheMatchedRow() throws {
        let frame = ExpressionSamples.frame(
            owner: ["08", "08", "x"],
            siteRows: [1, 2, 0],
            awardCounts: [0, 2, 1]
        )
        let same = try values("site.region = owner", frame).column.integers
        #expect((0..<3).map { same.value($0) } == [1, 0, nil])
        let matched = try values("site.matched * 10 + award.match_count", frame).column.integers
        #expect(matched.values == [10, 12, 1])
        let old = try values("site.opened <= '2024-10-04'", frame).column.integers
        #expect((0..<3).map { old.value($0) } == [1, 0, nil])
    }

    /// A text that a date is compared with need not be a date, nor have its length.
    @Test(arguments: [
        "2026-02-16", "2026-02-15", "2026-02-17", "2026", "2026-02", "2026-02-16 00:00:00", "",
        "z", "0", "2026-02-16 01:01:01", "2026-02-16 01:01:02", "9999-12-31", "2026-13-99",
    ])
    func datesCompareAsTheirTexts(constant: String) throws {
        let days: [Int64] = [20_500, 20_499, 20_501, 0, -719_528, 2_932_896]
        let frame = ExpressionSamples.frame(
            owner: days.map { String($0) },
            pickupDay: days
        )
        for sign in ["=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"] {
            for name in ["pickup_date", "pickup_at"] {
                let fast = try values("\(name) \(sign) '\(constant)'", frame)
                let swapped = try values(
                    "'\(constant)' \(Comparison(rawValue: sign)?.mirrored.rawValue ?? "") \(name)",
                    frame
                )
                // Joined with an empty text, the column is text as any other.
                let slow = try values("\(name) || '' \(sign) '\(constant)'", frame)
                #expect(fast.column.integers.values == slow.column.integers.values)
                #expect(swapped.column.integers.values == slow.column.integers.values)
            }
        }
    }
}
