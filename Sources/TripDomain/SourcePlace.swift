/// Where something was found in an export.
///
/// Names places, never content.
public struct SourcePlace: Sendable, Hashable {
    /// The file's path below the input folder.
    public let file: String
    /// The record, from 1; 0 where the place is not inside a record.
    public let recordNumber: Int
    /// The physical line, from 1; 0 where unknown.
    public let lineNumber: Int
    /// The byte in the expanded file, from 0.
    public let byteOffset: Int

    /// Names one place.
    public init(file: String, recordNumber: Int = 0, lineNumber: Int = 0, byteOffset: Int = 0) {
        self.file = file
        self.recordNumber = recordNumber
        self.lineNumber = lineNumber
        self.byteOffset = byteOffset
    }

    /// `file, record 18,204, line 18,205` in plain digits.
    public var text: String {
        var parts = [file]
        if recordNumber > 0 { parts.append("record \(recordNumber)") }
        if lineNumber > 0 { parts.append("line \(lineNumber)") }
        return parts.joined(separator: ", ")
    }
}
