import Glibc
import Testing
import TripDomain

@testable import TripEngine

@Suite struct ByteSourceTests {
    /// A folder that is removed at the end of a test.
    final class Folder {
        let path: String

        init() {
            var template = Array("/tmp/triptych-bytes-XXXXXX".utf8CString)
            path = template.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress, mkdtemp(base) != nil else {
                    preconditionFailure("/tmp is writable")
                }
                return String(cString: base)
            }
        }

        deinit {
            guard let folder = opendir(path) else { return }
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink(path + "/" + name)
            }
            closedir(folder)
            rmdir(path)
        }

        func write(_ bytes: [UInt8], _ name: String, mode: String = "w") -> String {
            let filePath = path + "/" + name
            let file = fopen(filePath, mode)
            fwrite(bytes, 1, bytes.count, file)
            if let file { fclose(file) }
            return filePath
        }
    }

    static func code(_ work: () throws -> Void) -> SourceFault.Code? {
        do {
            try work()
            return nil
        } catch {
            return (error as? SourceFault)?.code
        }
    }

    static let text = Array("a,b\n1,2\n".utf8)

    @Test func hashesDeliveredAndExpandedBytes() throws {
        // The reference values are those of `printf 'a,b\n1,2\n' | sha256sum`.
        let hash = "492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470"
        let folder = Folder()
        let plain = try Reading(
            ByteSource(path: folder.write(Self.text, "a.csv"), name: "a.csv"),
            dialect: CSVDialect(),
            slicing: Slicing(threads: 2)
        )
        #expect(plain.scan.digest.contentHash == hash)
        #expect(plain.scan.digest.archiveHash == hash)
        let packed = GzipFile().member(Self.text)
        let gzip = try Reading(
            ByteSource(path: folder.write(packed, "a.csv.gz"), name: "a.csv.gz"),
            dialect: CSVDialect(),
            slicing: Slicing(threads: 2)
        )
        #expect(gzip.scan.digest.contentHash == hash)
        #expect(gzip.scan.digest.archiveHash != hash)
        #expect(gzip.scan.digest.archiveSize == packed.count)
        #expect(gzip.scan.digest.expandedSize == Self.text.count)
        #expect(gzip.records == plain.records)
    }

    /// Reads the text as a plain or a gzip file, depending on its name, with the requested hashes.
    private func reading(_ name: String, _ hashing: Hashing) throws -> Reading {
        let folder = Folder()
        let path = folder.write(
            name.hasSuffix("gz") ? GzipFile().member(Self.text) : Self.text,
            name
        )
        return try Reading(
            ByteSource(path: path, name: name, hashing: hashing),
            dialect: CSVDialect(),
            slicing: Slicing(threads: 1)
        )
    }

    @Test(arguments: ["a.csv", "a.csv.gz"])
    func hashingDoesNotChangeTheBytes(name: String) throws {
        let hashed = try reading(name, .all)
        let bare = try reading(name, .none)
        #expect(bare.records == hashed.records)
        #expect(bare.scan.counts == hashed.scan.counts)
        #expect(bare.scan.digest.archiveHash == nil)
        #expect(bare.scan.digest.contentHash == nil)
        #expect(bare.scan.digest.archiveSize == hashed.scan.digest.archiveSize)
        #expect(bare.scan.digest.expandedSize == hashed.scan.digest.expandedSize)
    }

    @Test(arguments: ["a.csv", "a.csv.gz"])
    func theContentHashIsTheSameWithoutTheArchiveHash(name: String) throws {
        let digest = try reading(name, .content).scan.digest
        #expect(digest.archiveHash == nil)
        #expect(digest.contentHash == ContentHash.of(Self.text))
    }

    @Test func theNameDecidesOnlyARefusal() throws {
        let packed = GzipFile().member(Self.text)
        #expect(try Reading(packed, name: "a.csv").records == [["1", "2"]])
        #expect(Self.code { _ = try Reading(Self.text, name: "A.CSV.GZ") } == .notGzip)
        #expect(Self.code { _ = try Reading(Self.text, name: "a.csv") } == nil)
    }

    @Test func refusesAPathThatIsNoRegularFile() throws {
        let folder = Folder()
        let pipe = folder.path + "/pipe"
        mkfifo(pipe, 0o600)
        for path in [folder.path, pipe, "/dev/null"] {
            #expect(Self.code { _ = try ByteSource(path: path, name: "x") } == .notRegularFile)
        }
        let missing = folder.path + "/missing"
        #expect(Self.code { _ = try ByteSource(path: missing, name: "x") } == .cannotOpen)
    }

    @Test func followsSymbolicLinks() throws {
        let folder = Folder()
        symlink(folder.write(Self.text, "a.csv"), folder.path + "/link.csv")
        let source = try ByteSource(path: folder.path + "/link.csv", name: "link.csv")
        let reading = try Reading(source, dialect: CSVDialect(), slicing: Slicing(threads: 1))
        #expect(reading.records == [["1", "2"]])
    }

    @Test func noticesAFileThatGrowsWhileItIsRead() throws {
        let folder = Folder()
        let path = folder.write(Self.text, "a.csv")
        let source = try ByteSource(path: path, name: "a.csv")
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)
        defer { buffer.deallocate() }
        #expect(try source.read(into: buffer) == Self.text.count)
        _ = folder.write(Self.text, "a.csv", mode: "a")
        #expect(Self.code { _ = try source.finish() } == .changedWhileRead)
    }
}
