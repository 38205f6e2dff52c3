import Glibc
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

    /// Puts a file into the archive.
    func archive(_ name: String) throws {
        let shelf = folder.archivePath + "/ab"
        try FileSystem.makeFolder(shelf, mode: 0o700)
        guard !FileSystem.exists(shelf + "/" + name) else { return }
        try FileSystem.writeNew([1], to: shelf + "/" + name, mode: 0o600)
    }

    /// Puts the exports of a generation into the archive.
    func archiveExports(of reference: ReferenceGeneration) throws {
        for hash in reference.files().map(\.archiveHash) {
            let shelf = folder.archivePath + "/" + hash.prefix(2)
            try FileSystem.makeFolder(shelf, mode: 0o700)
            let path = shelf + "/" + hash + ".csv"
            guard !FileSystem.exists(path) else { continue }
            try FileSystem.writeNew([1], to: path, mode: 0o600)
        }
    }

    /// The names of all files, with their sizes.
    func content() throws -> [String] {
        try [folder.path, folder.generationsPath, folder.historyPath].flatMap { path in
            try FileSystem.names(in: path).map { name in
                let status = try? FileSystem.status(path + "/" + name)
                return "\(path)/\(name) \(status?.size ?? 0)"
            }
        }
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

    /// Changes a finished file without the mart's knowledge; its sums are those of the new bytes.
    static func tamper(_ path: String, _ sql: String) throws {
        let connection = try RawConnection(path: path, mode: .create)
        try connection.execute(sql)
        try connection.close()
        try SumFile.renew(for: path)
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

/// A folder of one test, removed with the last reference to it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/triptych-mart-XXXXXX".utf8CString)
        let isMade = mkdtemp(&template) != nil
        precondition(isMade, "tests can make folders below /tmp")
        path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, let stream = opendir(path) else {
            unlink(path)
            return
        }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove(path + "/" + name) }
        }
        closedir(stream)
        rmdir(path)
    }
}

/// A file's tables as text, in the order in which `verify` compares them, without the values that
/// differ between two runs over the same input: sealed values and the marks of the run.
enum Dump {
    static func text(of path: String) throws -> [String] {
        let tables = try BuiltMart.rows(
            path,
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
        )
        var lines: [String] = []
        for table in tables.compactMap({ $0[0] }) {
            let columns = try BuiltMart.rows(path, "SELECT name FROM pragma_table_info('\(table)')")
                .compactMap { $0[0] }
                .filter { !["sealed", "sealed_text"].contains($0) }
            let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            let order = (1...columns.count).map(String.init).joined(separator: ", ")
            for row in try BuiltMart.rows(
                path,
                "SELECT \(list) FROM \"\(table)\" ORDER BY \(order)"
            ) {
                lines.append(
                    table + "|" + row.map { $0 ?? "NULL" }.joined(separator: "|")
                )
            }
        }
        return lines
    }
}
