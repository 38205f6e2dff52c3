import Testing

@testable import TripEngine
@testable import TripRules

struct ParsedExpressionTests {
    @Test(arguments: [
        ("owner == 'VA'", "did you mean `=`?"),
        ("owner != 'VA'", "did you mean `<>`?"),
        ("owner = 'VA' && crew = 'VA'", "did you mean AND?"),
        ("owner = 'VA' | crew = 'VA'", "did you mean OR, or `||` to join texts?"),
        ("paid_cents > 12x", "did you mean '12x'?"),
        ("[owner] = 'VA'", "write the name in double quotes"),
        ("owner = 'VA", "a quote inside it is written twice"),
        ("order = 'VA'", "if a column is meant, write \"order\" in double quotes"),
        ("1 < paid_cents < 5", "write `a < b AND b < c`, or put parentheses around the first"),
        ("owner IS DISTINCT FROM crew", "write IS NOT for it, and IS for its opposite"),
    ])
    func mistakesGetASuggestion(text: String, suggestion: String) {
        #expect(ExpressionSamples.fault(text)?.suggestion == suggestion)
    }

    @Test(arguments: [
        "", "   ", "owner =", "(owner = 'VA'", "owner = 'VA')", "owner IN ()", "owner IN 'VA'",
        "owner BETWEEN 'a'", "CASE END", "CASE WHEN 1 THEN 2", "CAST(owner AS NUMERIC)",
        "upper(owner", "owner NOT", "AND", "owner 'VA'", "site.", ". owner", "a ? b", "owner = #",
        "owner LIKE 'a' ESCAPE '!'", "owner COLLATE NOCASE = 'a'", "1 -- 2", "owner = x'00'",
        "owner IS NOT", "(owner, crew) = ('a', 'b')", "owner -> 'a'", "~1", "paid_cents & 1",
    ])
    func malformedTextIsRefused(text: String) {
        #expect(ExpressionSamples.fault(text) != nil)
    }

    @Test(arguments: [
        ("a", ["a"]), ("coalesce(a, 0)", ["a"]), ("(COALESCE(a, 0))", ["a"]),
        ("coalesce(a, 0) + (coalesce(b, 0) - -coalesce(a, 0))", ["a", "b", "a"]),
        ("-coalesce(a, 0)", ["a"]), ("a + b", nil), ("coalesce(a, 0) + b", nil),
        ("coalesce(a, 1)", nil), ("coalesce(a, b, 0)", nil), ("coalesce(a + b, 0)", nil),
        ("coalesce(a, 0) * 2", nil), ("coalesce(t.a, 0)", nil), ("t.a", nil), ("-a", nil),
        ("CASE WHEN a IS NULL THEN b ELSE a END", nil), ("coalesce(a, 0) + 1", nil), ("12", nil),
    ])
    func aSumNamesItsColumns(text: String, columns: [String]?) throws {
        #expect(try ParsedExpression(parsing: text).summands == columns)
    }

    @Test func aFaultShowsLineColumnAndMark() throws {
        let text = "owner = 'VA'\n  AND ownr = 'VA'"
        let fault = try #require(ExpressionSamples.fault(text))
        #expect(
            fault.rendered(in: text) == """
                line 2, column 7: there is no column `ownr`
                    AND ownr = 'VA'
                        ^^^^
                  did you mean `owner`?
                """
        )
    }

    @Test func linesMayEndWithACarriageReturn() throws {
        let text = "owner = 'VA'\r\n  AND ownr = 'VA'\r\n"
        let fault = try #require(ExpressionSamples.fault(text))
        let lines = fault.rendered(in: text).split(separator: "\n")
        #expect(lines[1...2] == ["    AND ownr = 'VA'", "        ^^^^"])
    }

    @Test(arguments: [(1, false), (100, true), (400, true), (499, true)])
    func aLongLineIsShownNearTheFaultAlone(position: Int, isCutBefore: Bool) throws {
        var terms = Array(repeating: "owner = 'Ä'", count: 500)
        terms[position] = "ownr = 'Ä'"
        let text = terms.joined(separator: " OR ")
        let fault = try #require(ExpressionSamples.fault(text))
        let lines = fault.rendered(in: text).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.count <= 170 })
        #expect(lines[1].hasPrefix("  …") == isCutBefore)
        #expect(lines[1].hasSuffix("…") == (position < 499))
        let mark = try #require(lines[2].firstIndex(of: "^"))
        let column = lines[2].distance(from: lines[2].startIndex, to: mark)
        #expect(lines[1].dropFirst(column).hasPrefix("ownr = 'Ä'"))
        #expect(lines[2].dropFirst(column) == "^^^^")
    }

    @Test func columnsCountCharactersAndNotBytes() throws {
        let text = "owner = 'Ä😀' AND ownr = 'x'"
        let fault = try #require(ExpressionSamples.fault(text))
        #expect(fault.position(in: text).column == 18)
        #expect(fault.offset == 21)
    }

    @Test func sixtyFourLevelsAreReadAndNoMore() {
        func nested(_ count: Int) -> String {
            String(repeating: "(", count: count) + "1" + String(repeating: ")", count: count)
        }
        #expect(ExpressionSamples.fault(nested(62)) == nil)
        #expect(ExpressionSamples.fault(nested(64))?.code == .tooLarge)
        let sums = Array(repeating: "paid_cents", count: 70).joined(separator: " + ")
        #expect(ExpressionSamples.fault(sums)?.code == .tooLarge)
    }

    @Test func manyConditionsAreOneLevel() {
        let parts = (0..<800).map { "owner = 'v\($0)'" }
        #expect(ExpressionSamples.fault(parts.joined(separator: " OR ")) == nil)
    }

    @Test func textBeyondSixteenKibibytesIsRefused() {
        let text = "owner = '" + String(repeating: "x", count: 16 * 1024) + "'"
        #expect(ExpressionSamples.fault(text)?.code == .tooLarge)
    }

    @Test func conjunctsKeepTheirText() throws {
        let text = "owner = 'VA' AND (crew IS NULL OR crew = 'VA') and NOT (paid_cents > 5)"
        let expression = try ParsedExpression(parsing: text)
        #expect(
            expression.conjuncts.map { expression.text(of: $0) } == [
                "owner = 'VA'", "(crew IS NULL OR crew = 'VA')", "NOT (paid_cents > 5)",
            ]
        )
    }

    @Test func theAndOfBetweenJoinsNoConditions() throws {
        let expression = try ParsedExpression(parsing: "paid_cents BETWEEN 1 AND 5 AND owner = 'a'")
        #expect(expression.conjuncts.count == 2)
    }
}
