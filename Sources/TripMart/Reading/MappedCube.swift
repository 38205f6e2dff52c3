import Glibc
public import TripDomain

/// The numbers of a generation, added up by other regions than it was published with.
///
/// They lie in a file of their own, which has no name once it is open and goes with this value.
public final class MappedCube: SummaryReading {
    /// The open file.
    public let file: MartFile
    /// The generation's own row.
    public let header: GenerationHeader

    /// Writes the numbers and opens them for questions.
    ///
    /// - Parameters:
    ///   - trips: The trips of the generation.
    ///   - summary: What it says of them together; files, inputs and checks may be left out.
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
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((place + "/triptych-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileSystem.error(errno, place, creating: true)
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
