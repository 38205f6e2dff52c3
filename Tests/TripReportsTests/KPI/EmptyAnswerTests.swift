import Testing
import TripDomain

@testable import TripReports

@Suite struct EmptyAnswerTests {
    private static func month(_ text: String) throws -> Month { try #require(Month(text: text)) }

    private static var header: GenerationHeader {
        GenerationHeader(
            number: 3,
            pipeline: "p",
            isSynthetic: false,
            publishedAt: "2026-11-01 02:14:00 -04:00",
            dataThrough: CivilDate(text: "2026-04-30"),
            staleAfter: nil,
            settlesAfterDays: 90,
            suppressBelow: 11,
            rulesHash: "",
            referenceHash: ""
        )
    }

    @Test func aMonthWithoutTripsNamesTheMonthsThereAre() throws {
        let (first, last) = (try Self.month("2025-05"), try Self.month("2026-10"))
        let asked = try Self.month("2031-01")
        #expect(
            EmptyAnswer.text(Self.header, asked: asked...asked, has: [first, last])
                == "No trip of 2031-01. Generation 3 has trips of 2025-05 to 2026-10."
        )
        #expect(
            EmptyAnswer.text(Self.header, asked: first...asked, has: [first])
                == "No trip matches all filters together. Generation 3 has trips of 2025-05; "
                + "leave a filter out."
        )
        #expect(
            EmptyAnswer.text(Self.header, asked: nil, has: [])
                == "Generation 3 has no counted trip."
        )
    }

    @Test func oldDataSaysHowOldItIs() throws {
        let new = try #require(CivilDate(text: "2026-05-31"))
        let old = try #require(CivilDate(text: "2026-10-28"))
        #expect(Self.header.dataClause(on: new) == "data through 2026-04-30")
        #expect(Self.header.dataClause(on: old) == "data through 2026-04-30, 181 days ago")
    }
}
