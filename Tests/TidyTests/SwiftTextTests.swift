import Testing

@Suite struct SwiftTextTests {
    @Test func stringsAreBlankedAndCommentsMovedAside() {
        let text = SwiftText("let a = \"try? {\"  // why\nlet b = 1")
        #expect(text.code == ["let a = \"\"  ", "let b = 1"])
        #expect(text.comments == ["// why", ""])
    }

    @Test func aQuoteWithinAnInterpolationDoesNotEndTheString() {
        let text = SwiftText(#"f("\(g("x)") + ")")", 1) { }"#)
        #expect(text.code == [#"f("", 1) { }"#])
    }

    @Test func longAndRawStringsSpanWhatTheySpan() {
        let text = SwiftText("a(\"\"\"\n  { // no\n  \"\"\")\nb(#\"\\\" { \"#)")
        #expect(text.code == ["a(\"\"", "", ")", "b(\"\")"])
        #expect(text.comments == ["", "", "", ""])
    }

    @Test func blockCommentsNest() {
        let text = SwiftText("a /* b /* c */ d\ne */ f")
        #expect(text.code == ["a ", " f"])
        #expect(text.isComment(0) == false)
    }
}
