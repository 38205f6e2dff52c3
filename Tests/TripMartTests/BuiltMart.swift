import Testing
import TripDomain

@testable import TripMart

/// A mart of one test, with its key file beside it.
struct BuiltMart {
    let temporary = TemporaryFolder()
    let folder: MartFolder
    let keys: MartKeys

    init() throws {
        folder = MartFolder(path: temporary.path + "/mart")
        try folder.create()
        keys = try MartKeys.create(keyFile: temporary.path + "/key")
    }

    var keyFile: String { temporary.path + "/key" }

    var writer: GenerationWriter {
        GenerationWriter(folder: folder, keys: keys, programVersion: "test")
    }

    /// Writes a generation without publishing it.
    func build(_ reference: ReferenceGeneration, batchSize: Int = 64) throws -> BuiltGeneration {
        try writer.write(reference.contents(number: folder.nextNumber(), batchSize: batchSize))
    }

    /// Writes, checks and publishes a generation.
    @discardableResult
    func publish(_ reference: ReferenceGeneration) throws -> ServedMart {
        let built = try build(reference)
        try GenerationChecker.require(built.path)
        try Publication(folder).publish(built)
        return try ServedMart.open(folder)
    }

    /// All rows of a query as text; nil for NULL.
    static func rows(_ path: String, _ sql: String) throws -> [[String?]] {
        let connection = try RawConnection(path: path, mode: .immutable)
        let statement = try connection.prepare(sql)
        var rows: [[String?]] = []
        while try statement.step() {
            rows.append(
                (0..<statement.columnCount).map {
                    statement.value($0) == .null ? nil : statement.text($0)
                }
            )
        }
        return rows
    }

    /// Changes a finished file without the mart's knowledge.
    static func tamper(_ path: String, _ sql: String) throws {
        let connection = try RawConnection(path: path, mode: .create)
        try connection.execute(sql)
        try connection.close()
    }
}

/// Runs a body that must fail with a code of the mart.
func expectFailure(
    _ code: MartError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("expected \(code.rawValue)", sourceLocation: sourceLocation)
    } catch let error as MartError {
        #expect(error.code == code, sourceLocation: sourceLocation)
    } catch {
        Issue.record("expected an error of the mart", sourceLocation: sourceLocation)
    }
}
