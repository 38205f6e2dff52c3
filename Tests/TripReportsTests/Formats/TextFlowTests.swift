import Testing

@testable import TripReports

@Suite struct TextFlowTests {
    @Test func aShortLineStaysAsItIs() {
        #expect(TextFlow.lines("  held  rules.yaml", in: 40) == ["  held  rules.yaml"])
    }

    @Test func aLongLineBreaksAtItsSeparatorsFirst() {
        #expect(
            TextFlow.lines("PUBLISHED 2 | Mar 2026: 162 → 156 trips | -6 trips | 0.1 s", in: 44)
                == ["PUBLISHED 2 | Mar 2026: 162 → 156 trips |", "    -6 trips | 0.1 s"]
        )
    }

    @Test func textBelowAShortTitleStaysBelowIt() {
        #expect(
            TextFlow.lines("What    claims.csv: ends inside gzip member 1 at byte 9000.", in: 40)
                == ["What    claims.csv: ends inside gzip", "        member 1 at byte 9000."]
        )
        #expect(
            TextFlow.lines("Do      1. The upload was probably cut; get it again.", in: 40)
                == ["Do      1. The upload was probably cut;", "           get it again."]
        )
        #expect(
            TextFlow.lines("        2. The upload was probably cut; get it again.", in: 40)
                == ["        2. The upload was probably cut;", "           get it again."]
        )
    }

    @Test func aCommandIsNotBroken() {
        let command = "triptych plan pipelines/ambulance"
        #expect(
            TextFlow.lines("held rules.yaml was edited   see: \(command)", in: 48)
                == ["held rules.yaml was edited", "    see: \(command)"]
        )
        #expect(
            TextFlow.lines("Read it again and again, with triptych verify 4. Then go on.", in: 46)
                == ["Read it again and again, with", "    triptych verify 4. Then go on."]
        )
        #expect(
            TextFlow.lines("Correct the folder until `triptych check p` is content.", in: 40)
                == ["Correct the folder until", "    `triptych check p` is content."]
        )
    }

    @Test func aCommandLongerThanALineGoesOnAsTheShellDoes() {
        #expect(
            TextFlow.lines(
                "Publish: triptych reclassify --plan 'a plan of mine.plan' --mart data/mart/demo",
                in: 42
            ) == [
                "Publish:", "    triptych reclassify \\",
                "      --plan 'a plan of mine.plan' \\", "      --mart data/mart/demo",
            ]
        )
    }

    /// Flags are copied behind a command, so their lines go on as the shell's do.
    @Test func flagsAreNotBrokenFromTheirValues() {
        #expect(
            TextFlow.lines(
                "Do      Only if they are right: add  --skip claims_20260703.csv.gz "
                    + "--skip claims_20260803.csv.gz  (publishes, says so).",
                in: 48
            ) == [
                "Do      Only if they are right: add",
                "        --skip claims_20260703.csv.gz \\",
                "          --skip claims_20260803.csv.gz",
                "        (publishes, says so).",
            ]
        )
        #expect(
            TextFlow.lines("not shown here; --wide shows all columns", in: 39)
                == ["not shown here; --wide shows all", "    columns"]
        )
        #expect(
            TextFlow.lines("worklist: give no --by, --class, --basis", in: 39)
                == ["worklist: give no --by, --class,", "    --basis"]
        )
    }

    @Test func aLiteralOfAConditionIsNotBroken() {
        let condition = "provider_name LIKE '%CITY EMS' OR VA's own name = 'A B'"
        #expect(
            TextFlow.cell(condition, in: 28, hang: 2) == [
                "provider_name LIKE", "  '%CITY EMS' OR VA's own", "  name = 'A B'",
            ]
        )
        #expect(
            TextFlow.lines("Nearest change: if the name were '% EMS'", in: 38)
                == ["Nearest change: if the name were", "    '% EMS'"]
        )
        // One that is longer than a line is broken as a sentence is.
        #expect(
            TextFlow.cell("x = 'a name longer than its column'", in: 24, hang: 2)
                == ["x = 'a name longer than", "  its column'"]
        )
    }

    @Test func aPathLongerThanALineStaysWhole() {
        let path = "a/" + String(repeating: "long/", count: 12) + "path.csv"
        #expect(TextFlow.lines("read \(path) now", in: 40) == ["read", "    \(path)", "    now"])
    }

    /// No line is longer than asked for, and no word is lost, whatever the text and the width.
    @Test(arguments: 40...90)
    func everyWordIsKeptInOrder(width: Int) {
        let text =
            "  warn duplicates   duplicates_pct is 99.17 % (warns if duplicates_pct > 5)   in b.csv: "
            + "238 of 240 items · 東京 東京 東京 | nothing counts twice; ask the sender why it repeats"
        let lines = TextFlow.lines(text, in: width)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
        #expect(
            lines.flatMap { $0.split(separator: " ") } == text.split(separator: " ")
        )
    }
}
