import TripPipeline

extension SourceDefinition {
    /// Warnings about patterns that end in `*` and so claim files whose names have a further
    /// ending.
    var patternWarnings: [PipelineFault] {
        globs.compactMap { pattern in
            guard let narrow = Self.narrowed(pattern) else { return nil }
            return PipelineFault(
                file: globsPosition.file,
                line: globsPosition.line,
                message:
                    "`files: \"\(pattern)\"` of the source `\(name)` also claims names with any "
                    + "further ending, such as those of copies that were set aside",
                suggestion:
                    "Write \"\(narrow)\": it claims plain files and gzip files, whose names "
                    + "end in .gz."
            )
        }
    }

    /// A pattern that claims the same exports and nothing after their ending; nil for one that has
    /// an ending already.
    private static func narrowed(_ pattern: String) -> String? {
        if let narrow = withoutLastStar(pattern) { return narrow }
        guard pattern.utf8.last == UInt8(ascii: "*") else { return nil }
        // `claims_*` has no ending that could stay.
        return String(pattern.reversed().drop { $0 == "*" }.reversed()) + "*.csv"
    }
}
