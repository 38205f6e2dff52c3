internal import TripDomain

/// Makes the faults of a file whose beginning does not match the declared dialect.
struct HeaderFaults {
    let name: String

    func empty(markSize: Int) -> SourceFault {
        fault(
            .empty,
            at: markSize,
            "has no bytes" + (markSize > 0 ? " but a byte order mark" : ""),
            "The export or the upload failed; get the file again."
        )
    }

    func shorterThanPreamble(
        _ lineCount: Int,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ dialect: CSVDialect
    ) -> SourceFault {
        if dialect.lineEnd != .cr, !bytes.contains(0x0A), let first = bytes.firstIndex(of: 0x0D) {
            return lineEnds("CR", at: first, dialect)
        }
        return fault(
            .headerUnreadable,
            at: 0,
            "ends with the \(Counted.text(lineCount, "line")) of its preamble",
            "Compare the file's beginning with the source's `preamble_lines`."
        )
    }

    func otherKind(_ kind: FileKind) -> SourceFault {
        fault(.otherKind, at: 0, "is \(kind.words), not delimited text", kind.remedy)
    }

    func delimiterLine() -> SourceFault {
        fault(
            .headerUnreadable,
            at: 0,
            "begins with a line `sep=`, which tells spreadsheets the delimiter; expected the header",
            "Have the export written without that line, or take the line out."
        )
    }

    /// A header with zero bytes: UTF-16 has one beside each letter of English.
    func zeroBytes(_ line: UnsafeBufferPointer<UInt8>, _ dialect: CSVDialect) -> SourceFault {
        let zeros = line.count { $0 == 0 }
        return zeros * 3 >= line.count
            ? encoding("has zero bytes in its header, as UTF-16 would", dialect)
            : fault(
                .otherKind,
                at: 0,
                "has zero bytes in its first line, as no text has",
                "The file is damaged or of another kind; get the export as delimited text (CSV)."
            )
    }

    func encoding(_ finding: String, _ dialect: CSVDialect) -> SourceFault {
        fault(
            .encodingNotDeclared,
            at: 0,
            finding + "; the pipeline declares \(dialect.encoding.word)",
            "Export the file in the declared encoding, or declare the one it has."
        )
    }

    func lineEnds(_ found: String, at offset: Int, _ dialect: CSVDialect) -> SourceFault {
        fault(
            .lineEndsNotDeclared,
            at: offset,
            "has a line end \(found) at byte \(offset); the pipeline declares "
                + dialect.lineEnd.rawValue,
            "Declare the line ends the file has, or export it with the declared ones."
        )
    }

    func unreadable(_ finding: String, _ offset: Int) -> SourceFault {
        fault(
            .headerUnreadable,
            at: offset,
            "has a header that " + finding,
            "Compare the file's first line with the declared dialect."
        )
    }

    func broken(_ parse: LineParse, at offset: Int, _ dialect: CSVDialect) -> SourceFault {
        switch parse.reason {
        case .invalidEncoding:
            let found = dialect.lineEnd == .crlf ? "other than CR LF" : "with a CR of its own"
            return lineEnds(found, at: offset, dialect)
        case .unclosedQuote:
            return unreadable("has a quote that is never closed, by byte \(offset)", offset)
        default:
            return parse.ending == .openQuote
                ? unreadable("has a line end inside quotes at byte \(offset)", offset)
                : unreadable("has a quote where none may stand, at byte \(offset)", offset)
        }
    }

    private func fault(
        _ code: SourceFault.Code,
        at offset: Int,
        _ finding: String,
        _ remedy: String
    ) -> SourceFault {
        SourceFault(
            code: code,
            position: SourcePosition(file: name, lineNumber: 1, byteOffset: offset),
            finding: finding,
            remedy: remedy
        )
    }
}
