/// The position of a finding in an export.
///
/// It never holds content.
public struct SourcePosition: Sendable, Hashable {
    /// The file's path below the input folder.
    public let file: String
    /// The record, from 1; 0 where the position is not inside a record.
    public let recordNumber: Int
    /// The physical line, from 1; 0 where unknown.
    public let lineNumber: Int
    /// The byte in the expanded file, from 0.
    public let byteOffset: Int

    /// Describes one position.
    public init(file: String, recordNumber: Int = 0, lineNumber: Int = 0, byteOffset: Int = 0) {
        self.file = file
        self.recordNumber = recordNumber
        self.lineNumber = lineNumber
        self.byteOffset = byteOffset
    }

    /// `file, record 18,204, line 18,205` in plain digits.
    public var text: String {
        var parts = [UnseenCharacters.named(in: file)]
        if recordNumber > 0 { parts.append("record \(recordNumber)") }
        if lineNumber > 0 { parts.append("line \(lineNumber)") }
        return parts.joined(separator: ", ")
    }
}
