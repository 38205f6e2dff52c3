import Testing

@testable import TripEngine
@testable import TripRules

struct TypeCheckerTests {
    @Test(arguments: [
        ("owner = 5", ExpressionFault.Code.typeMismatch),
        ("paid_cents = '5'", .typeMismatch),
        ("owner + 1 > 2", .typeMismatch),
        ("paid_cents LIKE '5%'", .typeMismatch),
        ("owner GLOB 5", .typeMismatch),
        ("owner", .typeMismatch),
        ("owner AND 1", .typeMismatch),
        ("owner IN ('a', 5)", .typeMismatch),
        ("paid_cents IN (1.5)", .typeMismatch),
        ("rate IN (paid_cents)", .typeMismatch),
        ("owner BETWEEN 'a' AND 5", .typeMismatch),
        ("CASE WHEN 1 THEN 1 ELSE 1.5 END > 0", .typeMismatch),
        ("CASE owner WHEN 1 THEN 1 END", .typeMismatch),
        ("coalesce(paid_cents, 0.0) > 1", .typeMismatch),
        ("nullif(owner, 1) = 'a'", .typeMismatch),
        ("rate || 'x' = 'a'", .typeMismatch),
        ("CAST(rate AS TEXT) = 'a'", .typeMismatch),
        ("length(paid_cents) > 1", .typeMismatch),
        ("upper(paid_cents) = 'A'", .typeMismatch),
        ("date(paid_cents) = 'a'", .typeMismatch),
        ("patient = 'x'", .unreadable),
        ("award.number = 'C-1'", .unreadable),
        ("ownr = 'a'", .unknownName),
        ("Owner = 'a'", .unknownName),
        ("site.regin = 'a'", .unknownName),
        ("sit.region = 'a'", .unknownName),
        ("site = 'a'", .unknownName),
        ("owner = \"VA\"", .unknownName),
        ("uper(owner) = 'A'", .unknownName),
        ("ifnull(owner, 'a') = 'a'", .unknownName),
        ("upper() = 'A'", .wrongArguments),
        ("substr(owner) = 'A'", .wrongArguments),
        ("round(rate, paid_cents) > 1", .wrongArguments),
        ("round(rate, 16) > 1", .wrongArguments),
        ("date(pickup_date, 'localtime') = 'a'", .wrongArguments),
        ("date(pickup_date, 'utc') = 'a'", .wrongArguments),
        ("date(pickup_date, '+1 fortnight') = 'a'", .wrongArguments),
        ("date(pickup_date, 'start of week') = 'a'", .wrongArguments),
        ("date(pickup_date, owner) = 'a'", .wrongArguments),
        ("strftime('%f', pickup_at) = 'a'", .wrongArguments),
        ("strftime(owner, pickup_at) = 'a'", .wrongArguments),
        ("date('now') = pickup_date", .notSupported),
        ("strftime('%Y', 'NOW') = 'a'", .notSupported),
        ("9223372036854775807 + 1 > 0", .overflow),
        ("paid_cents > 9223372036854775808", .overflow),
        ("- -9223372036854775808 > 0", .overflow),
        ("abs(-9223372036854775808) > 0", .overflow),
        ("CASE WHEN owner = 'a' THEN 9223372036854775807 * 2 END > 0", .overflow),
    ])
    func expressionsOfWrongTypesAreRefused(text: String, code: ExpressionFault.Code) {
        #expect(ExpressionSamples.fault(text)?.code == code)
    }

    @Test(arguments: [
        "NULL", "owner = NULL", "NULL IS NULL", "coalesce(owner, NULL) IS NULL",
        "rate IN (1, 2.5, NULL)", "paid_cents > 1.5", "paid_cents + rate > 1", "has_qm",
        "rate", "owner IS NOT 'VENDOR'", "-9223372036854775808 < paid_cents",
        "pickup_date >= '2025-10-01'", "site.opened < pickup_date", "site.matched",
        "award.match_count > 1", "\"owner\" = 'a'", "\"site\".\"region\" = '08'",
        "CASE owner WHEN NULL THEN 1 ELSE NULL END IS NULL", "owner || 5 = 'a5'",
        "date(pickup_date, 'start of month', '+1 months', '-1 day') > '2025'",
        "UPPER(owner) = 'A' AND Coalesce(crew, '') = ''", "NOT has_qm = 1",
    ])
    func expressionsOfRightTypesAreAccepted(text: String) {
        #expect(ExpressionSamples.fault(text) == nil)
    }

    @Test func suggestionsNameTheProbableIntention() {
        #expect(
            ExpressionSamples.fault("owner = \"VA\"")?.suggestion
                == "texts stand in single quotes: 'VA'"
        )
        #expect(
            ExpressionSamples.fault("region = '08'")?.suggestion == "did you mean `site.region`?"
        )
        #expect(ExpressionSamples.fault("has_qm = TRUE")?.suggestion == "write 1")
        #expect(ExpressionSamples.fault("paid > 5")?.suggestion == "did you mean `paid_cents`?")
        #expect(ExpressionSamples.fault("iif(1, 2, 3)")?.suggestion == "use CASE")
    }

    @Test func aScopeNamesTheKindOfItsNames() throws {
        var scope = ExpressionSamples.scope
        scope.noun = "measure"
        let fault = #expect(throws: ExpressionFault.self) {
            try scope.compile(ParsedExpression(parsing: "records > 1"), expecting: .condition)
        }
        #expect(fault?.message == "there is no measure `records`")
    }

    @Test func anExpressionThatIsAlwaysNullHasNoType() {
        #expect(ExpressionSamples.fault("NULL", expecting: .value)?.code == .typeMismatch)
        #expect(ExpressionSamples.fault("CAST(NULL AS TEXT)", expecting: .value) == nil)
    }

    @Test func typesAndNamesAreKnownBeforeAnyTrip() throws {
        let program = try ExpressionSamples.scope.compile(
            ParsedExpression(parsing: "coalesce(site.region, owner, site.region)"),
            expecting: .value
        )
        #expect(program.resultType == .text)
        #expect(program.namesUsed == ["site.region", "owner"])
    }
}
