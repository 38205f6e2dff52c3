import Testing
import TripDomain
import TripMart

@testable import TripRuns

/// The text that is at fault where a line reads well and cannot be joined.
@Suite struct RevealedValueTests {
    private static let pipeline = """
        pipeline: lines
        sources:
          claims:
            files: "*.csv"
            lines:
              claim: claim
              kind: code
              base: B
              mileage: M
              same: [pickup_at]
              add: {paid: all}
              frequency: {field: frequency, original: "1", void: "8"}
        fields:
          trip_id: {from: [Claim, Line], join: "-"}
          claim: Claim
          frequency: Freq
          pickup_at: {from: Day, formats: [yyyy-MM-dd], day_alone: true}
          code: Code
          paid: Paid
          region: Region
          trip_type: Code
        rules:
          - {id: all-trips, class: in_house, when: "paid_cents >= 0", because: It is a trip.}
        kpis: {cost: paid}
        """ + RunPipeline.lenient

    private static let lines = [
        "C1,1,1,2026-05-04,B,999999999.00,08", "C1,2,1,2026-05-04,M,5.00,08",
        "C2,1,1,2026-05-04,M,6.00,08", "C3,1,1,2026-05-04,Zoo,7.00,08",
        "C4,1,odd,2026-05-04,B,8.00,08", "C5,1,1,2026-05-04,,9.00,08",
    ]

    private static let access = ValueAccess(account: "office", now: 1_793_513_640)

    private func folder() throws -> RunFolder {
        let folder = try RunFolder()
        try folder.write("pipeline/pipeline.yaml", Self.pipeline)
        try folder.write(
            "in/a.csv",
            "Claim,Line,Freq,Day,Code,Paid,Region\n" + Self.lines.joined(separator: "\n") + "\n"
        )
        return folder
    }

    /// Each reject, in order of records, with its reason, the column and the text that is shown.
    @Test(
        arguments: [
            (RejectReason.outOfRange, "Paid", "5.00"), (.orphanLine, nil, lines[2]),
            (.unknownValue, "Code", "Zoo"), (.unknownValue, "Freq", "odd"),
            (.missingValue, "Code", ""),
        ] as [(RejectReason, String?, String)]
    )
    func theTextOfALineThatCannotBeJoinedIsShown(
        reason: RejectReason,
        column: String?,
        text: String
    ) throws {
        let folder = try folder()
        try folder.run()
        let martPath = folder.path + "/mart"
        let queries = MartQueries(martPath: martPath, keyPath: nil)
        let rejects = try (1...5).map { try queries.rejectedValue($0, Self.access) }
        let value = try #require(
            rejects.first { $0.reason == reason && $0.texts.first?.text == text }
        )
        #expect(value.isSetAsideByJoin && value.texts.count == 1)
        #expect(value.texts.first?.column == column)
    }

    @Test func ofARunThatPublishedNothingASentenceSaysWhatIsNotKept() throws {
        let folder = try folder()
        let queries = MartQueries(martPath: folder.path + "/mart", keyPath: nil)
        try folder.run()
        let error = #expect(throws: RunError.self) {
            try queries.rejectedValue(
                RejectedLine(path: "a.csv", number: 4, field: nil),
                folder.options(),
                Self.access
            )
        }
        #expect(error?.what.contains("when the lines of its claim were joined") == true)
    }
}
