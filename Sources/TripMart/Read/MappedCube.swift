import Glibc
public import TripDomain

/// The numbers of a generation, added up by other regions than those it was published with.
///
/// They are in a temporary file, which has no name once it is open and is freed with this value.
public final class MappedCube: SummaryReading {
    /// The open file.
    public let file: MartFile
    /// The generation's own row.
    public let header: GenerationHeader

    /// Writes the numbers and opens them for queries.
    ///
    /// - Parameters:
    ///   - trips: The trips of the generation.
    ///   - summary: The totals of the trips; files, inputs and checks may be left out.
    /// - Throws: ``MartError`` of the files.
    public init(_ trips: StoredTrips, _ summary: GenerationSummary) throws(MartError) {
        header = summary.header
        let folder = try Self.temporaryFolder()
        defer { rmdir(folder) }
        let path = folder + "/cube.sqlite"
        defer { unlink(path) }
        try GenerationFile.writeSummary(
            path: path,
            SummarySource(summary, months: try trips.months(), bridge: []),
            meta: []
        )
        file = try MartFile(path: path)
    }

    private static func temporaryFolder() throws(MartError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/triptych-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileSystem.error(errno, parent, creating: true)
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
