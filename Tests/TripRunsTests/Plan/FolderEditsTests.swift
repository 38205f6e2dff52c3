import Testing

@testable import TripRuns

@Suite struct FolderEditsTests {
    private static func folder() throws -> ChangeFolder { try ChangeFolder(seed: 21, trips: 60) }

    @Test func anUntouchedFolderHasNoEdit() throws {
        let edits = try Self.folder().edits()
        #expect(edits.clauses.isEmpty && edits.parts.isEmpty)
    }

    @Test func everyEditOfARuleIsNamedWithItsPosition() throws {
        let folder = try Self.folder()
        try SampleEdit.addedRule.make(folder)
        try SampleEdit.removedRule.make(folder)
        try folder.replace(
            "pipeline/rules.yaml",
            "when: provider.kind = 'community'",
            "when: provider.kind IN ('community')"
        )
        try folder.replace(
            "pipeline/rules.yaml",
            "basis: community_care",
            "basis: contract\n  to: 2030-01-01"
        )
        let clauses = try folder.edits().clauses
        #expect(
            clauses == [
                "rules.yaml:76: rule far added as the 5th",
                "rules.yaml:151: rule community-care: another condition, "
                    + "contracted/community_care is now contracted/contract, holds from ever to "
                    + "2030-01-01, before from ever to ever",
                "rules.yaml: rule vendor-npi removed, before in line 196",
            ]
        )
    }

    /// One rule that moved is one edit, not a shift of all rules after it.
    @Test func aMovedRuleIsOneEdit() throws {
        let folder = try Self.folder()
        try SampleEdit.movedRule.make(folder)
        let clauses = try folder.edits().clauses
        #expect(clauses.count == 1)
        #expect(clauses.first?.contains("moved from 18th to 20th") == true)
    }

    @Test func rowsOfReferenceFilesAreNamedWithTheirLines() throws {
        let folder = try Self.folder()
        try folder.rewrite("hcpcs.csv") { lines in
            lines[0] = lines[0].replacing(",OTHER,", with: ",PI,")
            lines.append(lines[1].replacing("A0", with: "X0"))
            lines.remove(at: 2)
        }
        let clauses = try folder.edits().clauses
        #expect(clauses.count == 3)
        #expect(clauses[0].hasPrefix("hcpcs.csv:2: row "))
        #expect(clauses[0].contains("trip_type OTHER is now PI"))
        #expect(clauses[1].hasSuffix("added"))
        #expect(clauses[2].contains("removed, before in line 4"))
    }

    @Test func manyRowsAreCounted() throws {
        let folder = try Self.folder()
        try folder.rewrite("vehicles.csv") { lines in
            lines = lines.map { $0.replacing(",VA,", with: ",VENDOR,") }
        }
        let clauses = try folder.edits().clauses
        #expect(clauses.count == 6)
        #expect(clauses.last?.hasSuffix("more rows") == true)
    }

    @Test func lineEndsAndQuotesChangeNoRow() throws {
        let folder = try Self.folder()
        try folder.night.write(
            "reference/hcpcs.csv",
            folder.text("reference/hcpcs.csv").replacing("\n", with: "\r\n")
        )
        #expect(try folder.edits().clauses == ["hcpcs.csv: the same rows, written differently"])
    }

    @Test func otherPartsAreNamed() throws {
        let folder = try Self.folder()
        try SampleEdit.counting.make(folder)
        try SampleEdit.derived.make(folder)
        let clauses = try folder.edits().clauses
        #expect(clauses.contains { $0.hasSuffix("derived field trip_type: another expression") })
        #expect(
            clauses.contains { $0.hasPrefix("pipeline.yaml:") && $0.hasSuffix(": kpis changed") }
        )
    }

    /// Texts that Unicode treats as equal are different to a rule and to a look-up.
    @Test func canonicallyEqualTextsAreEdits() throws {
        let folder = try Self.folder()
        try folder.replace(
            "pipeline/rules.yaml",
            "when: provider.kind = 'community'",
            "when: provider.kind IN ('community', 'caf\u{E9}')"
        )
        try folder.rewrite("trip_types.csv") { lines in lines[0] += "\u{E9}" }
        try folder.night.run { $0.appliesChanges = true }
        try folder.replace("pipeline/rules.yaml", "caf\u{E9}", "cafe\u{301}")
        try folder.replace("reference/trip_types.csv", "\u{E9}", "e\u{301}")
        let clauses = try folder.edits().clauses
        #expect(clauses.first?.hasSuffix("rule community-care: another condition") == true)
        #expect(clauses.count == 2)
        #expect(try folder.night.run { $0.isFull = true }.held.count == 2)
    }

    @Test func derivedFieldsInAnotherOrderAreAnEdit() throws {
        let folder = try Self.folder()
        let text = try folder.text("pipeline/pipeline.yaml")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var swapped = lines
        let place = try #require(lines.firstIndex { $0.hasPrefix("  has_qn:") })
        swapped.swapAt(place, place + 1)
        try folder.night.write("pipeline/pipeline.yaml", swapped.joined(separator: "\n"))
        #expect(
            try folder.edits().clauses == ["pipeline.yaml: derived fields in another order"]
        )
    }

    /// A cell cannot forge a line of the screen.
    @Test func lineBreaksInCellsAreShown() throws {
        let folder = try Self.folder()
        try folder.rewrite("hcpcs.csv") { lines in lines.append("X1,BLS,1,0,\"two\nlines\"") }
        try folder.night.run { $0.appliesChanges = true }
        try folder.replace("reference/hcpcs.csv", "two\nlines", "two\nmore")
        #expect(
            try folder.edits().clauses.first?.hasSuffix(
                "row X1: description two\\nlines is now two\\nmore"
            ) == true
        )
    }
}
