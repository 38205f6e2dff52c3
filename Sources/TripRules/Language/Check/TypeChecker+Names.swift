internal import TripDomain

/// What names mean.
extension TypeChecker {
    /// The node that reads a name.
    mutating func resolve(
        _ name: NameSyntax,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        // A flattened scope holds lookup columns as columns of their full name.
        if let index = scope.columnIndex(name.text) {
            note(name.text)
            return try column(index, range)
        }
        guard let lookupName = name.lookup else { throw unknown(name, range) }
        guard let lookup = scope.lookupIndex(lookupName) else {
            throw ExpressionFault(
                .unknownName,
                at: range,
                "there is no lookup `\(lookupName)`",
                suggestion: NearestName.suggestion(lookupName, among: scope.lookups.map(\.name))
            )
        }
        note(name.text)
        return try referenceColumn(lookup, name.column, range)
    }

    private func column(_ index: Int, _ range: Range<Int>) throws(ExpressionFault) -> ValueNode {
        let column = scope.columns[index]
        guard !column.isKnownLate else {
            throw ExpressionFault(
                .unreadable,
                at: range,
                "`\(column.name)` is the source position, which says nothing of the trip and is "
                    + "known only when the rules have been tried",
                suggestion: "read a field of the export instead"
            )
        }
        guard let type = ValueType(column.kind) else { throw unreadablePatient(column.name, range) }
        switch type {
        case .text:
            // Time stamps hardly ever repeat: there is nothing to gain per distinct value.
            let source: NodeSource = column.kind == .timestamp ? .rows : .column(index)
            return .text(TextNode(.column(index), source))
        case .integer: return .integer(IntegerNode(.column(index), .rows))
        case .real: return .real(RealNode(.column(index), .rows))
        }
    }

    private func referenceColumn(
        _ index: Int,
        _ name: String,
        _ range: Range<Int>
    ) throws(ExpressionFault) -> ValueNode {
        let lookup = scope.lookups[index]
        let source = NodeSource.lookup(index)
        switch name {
        case ScopeLookup.matched: return .integer(IntegerNode(.isMatched, source))
        case ScopeLookup.matchCount:
            // Where a lookup has one row at most, the count follows from that row.
            return lookup.mayMatchSeveral
                ? .integer(IntegerNode(.matchCount(index), .rows))
                : .integer(IntegerNode(.isMatched, source))
        default: break
        }
        guard let column = lookup.table.columnNames.firstIndex(of: name) else {
            throw ExpressionFault(
                .unknownName,
                at: range,
                "the lookup `\(lookup.name)` has no column `\(name)`",
                suggestion: NearestName.suggestion(name, among: lookup.columnNames)
            )
        }
        guard !lookup.mayMatchSeveral else {
            throw ExpressionFault(
                .unreadable,
                at: range,
                "several rows of `\(lookup.name)` may hold for one trip, so that no single "
                    + "`\(name)` can be read",
                suggestion: "it offers `\(lookup.name).matched` and `\(lookup.name).match_count`"
            )
        }
        guard let type = ValueType(lookup.table.columnKinds[column]) else {
            throw unreadablePatient("\(lookup.name).\(name)", range)
        }
        switch type {
        case .text: return .text(TextNode(.reference(column: column), source))
        case .integer: return .integer(IntegerNode(.reference(column: column), source))
        case .real: return .real(RealNode(.reference(column: column), source))
        }
    }

    private func unreadablePatient(_ name: String, _ range: Range<Int>) -> ExpressionFault {
        ExpressionFault(
            .unreadable,
            at: range,
            "`\(name)` identifies a patient and cannot be read by rules: it is kept sealed, and no "
                + "class may depend on who the patient is"
        )
    }

    private func unknown(_ name: NameSyntax, _ range: Range<Int>) -> ExpressionFault {
        let word = name.column
        if let lookup = scope.lookups.first(where: { $0.name == word }) {
            return ExpressionFault(
                .unknownName,
                at: range,
                "`\(word)` is a lookup, not a value",
                suggestion: "name one of its columns, such as `\(word).\(lookup.columnNames[0])`"
            )
        }
        let message = "there is no \(scope.noun) `\(word)`"
        var suggestion: String?
        // The field `cost` of a layout is the column `cost_cents` in rules.
        let stored = ["_cents", "_hundredths"].map { word + $0 }
        if let column = stored.first(where: { scope.columnIndex($0) != nil }) {
            suggestion = "did you mean `\(column)`?"
        } else if let near = NearestName.find(word, among: scope.columns.map(\.name)) {
            suggestion = "did you mean `\(near)`?"
        } else if let lookup = scope.lookups.first(where: { $0.columnNames.contains(word) }) {
            suggestion = "did you mean `\(lookup.name).\(word)`?"
        } else if name.isQuoted {
            suggestion = "texts stand in single quotes: '\(word)'"
        } else if ["TRUE", "FALSE"].contains(word.uppercased()) {
            suggestion = "write \(word.uppercased() == "TRUE" ? "1" : "0")"
        }
        return ExpressionFault(.unknownName, at: range, message, suggestion: suggestion)
    }
}
