import TripDomain
import TripEngine

/// The exports that a pipeline is to be written for, read into one table.
struct SampledExports: Sendable {
    /// The files, as they were named.
    let paths: [String]
    /// The shape of all of them.
    let shape: ExportShape
    /// Their records by column.
    let table: SampleTable
    /// Whether every file was read to its end.
    let isWhole: Bool
    /// Whether some file is gzip.
    let hasCompressed: Bool
    /// The lines whose bytes are of another encoding than the others.
    let strayLineCount: Int

    /// The files that are looked at, 1 MiB of each at least; a trial reads all of them.
    private static let fileMax = 64

    /// Reads files.
    ///
    /// - Parameter paths: The files; at least one.
    /// - Throws: `SourceFault` where one cannot be read or is no text, ``RunError`` where one is no
    ///   table, has no record, or has another form than the first.
    init(_ paths: [String]) throws {
        self.paths = paths
        var first: ExportShape?
        var table = SampleTable(names: [])
        var (isWhole, hasCompressed, strays) = (paths.count <= Self.fileMax, false, 0)
        var encoding: CSVDialect.Encoding?
        let sizeMax = max(1 << 20, SampleText.usualSizeMax / paths.count)
        for path in paths.prefix(Self.fileMax) {
            let sample = try SampleText.read(path: path, name: path, sizeMax: sizeMax)
            let shape = try ExportShape(sample)
            if first == nil { table = SampleTable(names: shape.names) }
            let model = first ?? shape
            let order = try Self.order(of: shape, in: model, path, paths[0])
            if shape.dataOffset < sample.bytes.count {
                try table.add(sample, from: shape.dataOffset, dialect: shape.dialect, order: order)
            }
            first = model
            // A file of ASCII alone is of any encoding.
            if !sample.isASCII {
                guard encoding == nil || encoding == sample.encoding else {
                    throw Self.twoEncodings(path)
                }
                encoding = sample.encoding
            }
            isWhole = isWhole && sample.isWhole
            hasCompressed = hasCompressed || sample.isCompressed
            strays += sample.strayLineCount
        }
        guard var shape = first else { preconditionFailure("a command names a file at least") }
        if let encoding { shape = shape.inEncoding(encoding) }
        guard table.recordCount > 0 else {
            throw RunError(
                .noUsableInput,
                summary: "a file has no record",
                what: "\(paths[0]): a header of \(Counted.text(shape.names.count, "column")), and "
                    + "no record below it that could show what they hold.",
                remedies: ["Name an export that has records."]
            )
        }
        self.shape = shape
        self.table = table
        self.isWhole = isWhole
        self.hasCompressed = hasCompressed
        strayLineCount = strays
    }

    private static func twoEncodings(_ path: String) -> RunError {
        RunError(
            .usage,
            summary: "the files have two encodings",
            what: "\(path) is encoded otherwise than the files before it.",
            remedies: [
                "Name the files of one encoding: each is a source of its own, see `encoding` in "
                    + "docs/PIPELINE.md."
            ]
        )
    }

    /// The columns of the first file that those of another one are, in its order.
    private static func order(
        of shape: ExportShape,
        in first: ExportShape,
        _ path: String,
        _ firstPath: String
    ) throws(RunError) -> [Int] {
        var places: [String: Int] = [:]
        for (index, name) in first.names.enumerated() { places[name] = index }
        let order = shape.names.compactMap { places[$0] }
        let isAlike =
            shape.dialect.delimiter == first.dialect.delimiter
            && shape.preambleLineCount == first.preambleLineCount
            && (shape.dialect.columns == nil || shape.names == first.names)
        guard isAlike, order.count == first.names.count, shape.names.count == order.count else {
            let known = Set(shape.names)
            let missing = first.names.filter { !known.contains($0) }
            let further = shape.names.filter { places[$0] == nil }
            // Names that were made up for columns without a header say nothing.
            let areNamed = first.header == .named && shape.header == .named
            let others = difference(of: shape, first)
            throw RunError(
                .usage,
                summary: "the files have two forms",
                what: "\(path) has another form than \(firstPath)."
                    + (areNamed ? list(" It lacks", missing) + list(" It adds", further) : "")
                    + others,
                remedies: [
                    "Name the files of one form, and run the command again for the others with "
                        + "another --out: each form becomes a layout, see `layouts` in "
                        + "docs/PIPELINE.md."
                ]
            )
        }
        return order
    }

    /// What differs between two forms besides the names of columns; empty where nothing does.
    private static func difference(of shape: ExportShape, _ first: ExportShape) -> String {
        var parts: [String] = []
        func compare(_ text: (ExportShape) -> String) {
            if text(shape) != text(first) { parts.append("\(text(shape)), not \(text(first))") }
        }
        compare { $0.delimiterWords }
        compare { Counted.text($0.names.count, "column") }
        compare { Counted.text($0.preambleLineCount, "line") + " before the table" }
        compare { shape in
            switch shape.header {
            case .named: "a header"
            case .missing: "no header"
            case .replaced: "a header that cannot be used"
            }
        }
        return parts.isEmpty ? "" : " It has " + parts.joined(separator: "; ") + "."
    }

    private static func list(_ verb: String, _ names: [String]) -> String {
        guard !names.isEmpty else { return "" }
        let shown = names.prefix(6).map { "`\(UnseenCharacters.named(in: $0))`" }
        let rest = names.count - shown.count
        return verb + " " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
            + "."
    }
}

extension ExportShape {
    /// `commas`.
    var delimiterWords: String {
        switch dialect.delimiter {
        case 0x2C: "commas"
        case 0x09: "tabs"
        case 0x3B: "semicolons"
        case 0x7C: "vertical bars"
        default: "a mark"
        }
    }

    /// The same shape in another encoding.
    func inEncoding(_ encoding: CSVDialect.Encoding) -> ExportShape {
        ExportShape(self, encoding)
    }

    private init(_ shape: ExportShape, _ encoding: CSVDialect.Encoding) {
        var dialect = shape.dialect
        dialect.encoding = encoding
        self.dialect = dialect
        preambleLineCount = shape.preambleLineCount
        offset = shape.offset
        dataOffset = shape.dataOffset
        names = shape.names
        header = shape.header
        titles = shape.titles
    }
}
