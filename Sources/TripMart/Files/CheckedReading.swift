import CSQLite
import Glibc
import Synchronization

/// Lets SQLite read a ``CheckedFile``: no page of a published file reaches a query before its block
/// was compared with its check sum.
///
/// SQLite reads files through a table of functions, which it calls a VFS. This one reads the main
/// file of a connection and writes none; everything else, as temporary files of a sort, is left to
/// the usual one.
enum CheckedReading {
    /// The name by which a connection asks for it.
    static let name = "triptych-checked"
    /// The parameter of the file's URI that names the content.
    static let parameter = "content"

    private struct Offers {
        var last = 0
        var contents: [Int: CheckedFile] = [:]
    }

    private static let offers = Mutex(Offers())

    /// Offers a content to the connection that is opened next.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - open: Opens the connection by the parameter's value.
    /// - Returns: The result of opening it.
    static func offer(_ content: CheckedFile, _ open: (Int) -> Int32) -> Int32 {
        guard isRegistered else { return SQLITE_CANTOPEN }
        let number = offers.withLock { offers in
            offers.last += 1
            offers.contents[offers.last] = content
            return offers.last
        }
        defer { offers.withLock { $0.contents[number] = nil } }
        return open(number)
    }

    private static func offered(_ name: UnsafePointer<CChar>) -> CheckedFile? {
        guard let value = sqlite3_uri_parameter(name, parameter),
            let number = Int(String(cString: value))
        else { return nil }
        return offers.withLock { $0.contents[number] }
    }

    /// An open file, as SQLite sees it: its functions, and then what they work on.
    private struct OpenFile {
        let file: sqlite3_file
        let content: Unmanaged<CheckedFile>
    }

    private static func content(_ file: UnsafeMutablePointer<sqlite3_file>?) -> CheckedFile? {
        UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: OpenFile.self).pointee.content
            .takeUnretainedValue()
    }

    /// Registers the functions once in the process.
    private static let isRegistered: Bool = {
        guard let usual = sqlite3_vfs_find(nil) else { return false }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: usual.pointee)
        vfs.pointee.zName = UnsafePointer(strdup(name))
        vfs.pointee.szOsFile = max(usual.pointee.szOsFile, Int32(MemoryLayout<OpenFile>.size))
        vfs.pointee.xOpen = { _, name, file, flags, outFlags in
            guard let usual = sqlite3_vfs_find(nil), let file else { return SQLITE_CANTOPEN }
            guard flags & SQLITE_OPEN_MAIN_DB != 0 else {
                return usual.pointee.xOpen(usual, name, file, flags, outFlags)
            }
            file.pointee.pMethods = nil
            guard let name, let content = CheckedReading.offered(name) else {
                return SQLITE_CANTOPEN
            }
            UnsafeMutableRawPointer(file).initializeMemory(
                as: OpenFile.self,
                to: OpenFile(
                    file: sqlite3_file(pMethods: CheckedReading.methods),
                    content: Unmanaged.passRetained(content)
                )
            )
            outFlags?.pointee = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
            return SQLITE_OK
        }
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK
    }()

    /// The functions of an open file; no process changes it, so that locks mean nothing.
    ///
    /// They are written here once, and only read from then on.
    private nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 1
        methods.pointee.xClose = { file in
            UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: OpenFile.self).pointee.content
                .release()
            return SQLITE_OK
        }
        methods.pointee.xRead = { file, buffer, count, offset in
            CheckedReading.read(file, buffer, Int(count), Int(offset))
        }
        methods.pointee.xFileSize = { file, size in
            size?.pointee = Int64(CheckedReading.content(file)?.size ?? 0)
            return SQLITE_OK
        }
        methods.pointee.xWrite = { _, _, _, _ in SQLITE_READONLY }
        methods.pointee.xTruncate = { _, _ in SQLITE_READONLY }
        methods.pointee.xSync = { _, _ in SQLITE_OK }
        methods.pointee.xLock = { _, _ in SQLITE_OK }
        methods.pointee.xUnlock = { _, _ in SQLITE_OK }
        methods.pointee.xCheckReservedLock = { _, isLocked in
            isLocked?.pointee = 0
            return SQLITE_OK
        }
        methods.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.pointee.xSectorSize = { _ in 4096 }
        methods.pointee.xDeviceCharacteristics = { _ in SQLITE_IOCAP_IMMUTABLE }
        return UnsafePointer(methods)
    }()

    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ buffer: UnsafeMutableRawPointer?,
        _ count: Int,
        _ offset: Int
    ) -> Int32 {
        guard let content = content(file), let buffer else { return MartError.readFailed }
        // Behind the end of the file SQLite expects zeros.
        let there = max(0, min(count, content.size - offset))
        memset(buffer + there, 0, count - there)
        do throws(MartError) {
            try content.read(
                into: UnsafeMutableRawBufferPointer(start: buffer, count: there),
                at: offset
            )
        } catch {
            return error.code == .damaged ? MartError.wrongSum : MartError.readFailed
        }
        return there == count ? SQLITE_OK : MartError.shortRead
    }
}
