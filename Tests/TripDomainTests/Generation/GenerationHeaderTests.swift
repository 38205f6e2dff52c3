import Testing
import TripDomain

@Suite struct GenerationHeaderTests {
    private func header(through date: String) -> GenerationHeader {
        GenerationHeader(
            number: 1,
            pipeline: "p",
            isSynthetic: true,
            publishedAt: "",
            dataThrough: CivilDate(text: date),
            staleAfter: nil,
            settlesAfterDays: 90,
            suppressBelow: 11,
            rulesHash: "",
            referenceHash: ""
        )
    }

    @Test func aMonthIsOpenUntilTheDataPassItsSettleDate() {
        let october = Month(year: 2026, month: 10)
        #expect(header(through: "2027-01-28").isOpen(october))
        #expect(!header(through: "2027-01-29").isOpen(october))
        #expect(header(through: "2026-10-31").settleDate(of: october).text == "2027-01-29")
    }
}
