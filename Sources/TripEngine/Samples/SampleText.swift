internal import TripDomain

/// The beginning of an export as expanded bytes in memory, for a look at how it is written.
public struct SampleText: Sendable {
    /// 64 MiB: some 400,000 records of an export, enough to judge every column by.
    public static let usualSizeMax = 64 << 20

    /// The file, as faults name it.
    public let name: String
    /// The bytes; where the file is longer, they end with a line end.
    public let bytes: [UInt8]
    /// Whether they are the whole file.
    public let isWhole: Bool
    /// Whether the file is gzip.
    public let isCompressed: Bool
    /// How its bytes encode characters, as far as they show it.
    public let encoding: CSVDialect.Encoding
    /// The lines that hold bytes of another encoding.
    public let strayLineCount: Int

    /// Reads the beginning of a file.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - name: The file, as faults name it.
    ///   - sizeMax: The greatest number of expanded bytes that are kept, in MiB steps.
    /// - Returns: The bytes.
    /// - Throws: ``SourceFault`` where the file cannot be read, is damaged, or is no text.
    /// - Complexity: O(*n*) in the bytes that are kept.
    public static func read(
        path: String,
        name: String,
        sizeMax: Int = usualSizeMax
    ) throws(SourceFault) -> SampleText {
        let source = try ByteSource(path: path, name: name, hashing: .none)
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 20)
        defer { block.deallocate() }
        var bytes: [UInt8] = []
        var isWhole = false
        while !isWhole, bytes.count < sizeMax {
            let count = try source.read(into: block)
            bytes.append(contentsOf: block[..<count])
            isWhole = count < block.count
        }
        if isWhole { _ = try source.finish() }
        try requireText(bytes, name: name)
        if !isWhole, let last = bytes.lastIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            bytes.removeSubrange((last + 1)...)
        }
        return SampleText(name, bytes, isWhole: isWhole, isCompressed: source.isCompressed)
    }

    private init(_ name: String, _ bytes: [UInt8], isWhole: Bool, isCompressed: Bool) {
        self.name = name
        self.bytes = bytes
        self.isWhole = isWhole
        self.isCompressed = isCompressed
        (encoding, strayLineCount) = Self.encoding(of: bytes)
    }

    /// Whether every byte is ASCII, so that any encoding fits.
    public var isASCII: Bool { bytes.allSatisfy { $0 < 0x80 } }

    /// What ends the lines: CR where there is no LF.
    public var lineEnd: CSVDialect.LineEnd {
        bytes.contains(0x0A) || !bytes.contains(0x0D) ? .any : .cr
    }

    /// Refuses what is no text that the reader of exports can be told to read.
    private static func requireText(_ bytes: [UInt8], name: String) throws(SourceFault) {
        func fault(_ code: SourceFault.Code, _ finding: String, _ remedy: String) -> SourceFault {
            SourceFault(
                code: code,
                position: SourcePosition(file: name),
                finding: finding,
                remedy: remedy
            )
        }
        let kind = bytes.withUnsafeBufferPointer {
            FileKind(UnsafeBufferPointer(rebasing: $0.prefix(FileKind.decidingSize)))
        }
        if let kind { throw fault(.otherKind, "is \(kind.words), not delimited text", kind.remedy) }
        guard bytes.count > (bytes.starts(with: ByteOrderMark.utf8) ? 3 : 0) else {
            throw fault(
                .empty,
                "has no bytes",
                "The export or the upload failed; get the file again."
            )
        }
        let start = bytes.prefix(4096)
        let zeros = start.count { $0 == 0 }
        let isWide = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
        guard !isWide, zeros * 3 < start.count else {
            throw fault(
                .encodingNotDeclared,
                "is written in UTF-16 or UTF-32, which is not read",
                "Save it as CSV UTF-8, or convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW"
            )
        }
        guard zeros == 0 else {
            throw fault(
                .otherKind,
                "has zero bytes, as no text has",
                "The file is damaged or of another kind; get the export as delimited text (CSV)."
            )
        }
    }

    /// The encoding that the lines of a text show, and the number of those it does not fit.
    private static func encoding(
        of bytes: [UInt8]
    ) -> (encoding: CSVDialect.Encoding, strayLineCount: Int) {
        // The check reads eight bytes beyond the end.
        let padded = bytes + [UInt8](repeating: 0, count: 8)
        return padded.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return (.utf8, 0) }
            func isText(_ encoding: CSVDialect.Encoding, _ range: Range<Int>) -> Bool {
                TextCheck.isText(base, from: range.lowerBound, to: range.upperBound, in: encoding)
            }
            let whole = 0..<bytes.count
            if isText(.utf8, whole) { return (.utf8, 0) }
            let isMarked = bytes.starts(with: ByteOrderMark.utf8)
            // A few damaged lines among many in UTF-8 do not make a file one of another encoding.
            var (fitting, stray) = (0, 0)
            for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
            where line.contains(where: { $0 >= 0x80 }) {
                if isText(.utf8, line.startIndex..<line.endIndex) {
                    fitting += 1
                } else {
                    stray += 1
                }
            }
            if fitting > stray || isMarked { return (.utf8, stray) }
            return (isText(.windows1252, whole) ? .windows1252 : .latin1, 0)
        }
    }
}
