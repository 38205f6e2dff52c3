import Glibc

/// The system calls on files and folders, with their errors mapped to codes.
enum FileSystem {
    /// Turns an error number into an error of the mart.
    ///
    /// - Parameters:
    ///   - number: The error number of the failed call.
    ///   - file: The file or folder of the call.
    ///   - creating: Whether the call was to create something.
    /// - Returns: The error, with what the operator should do.
    static func error(_ number: Int32, _ file: String, creating: Bool = false) -> MartError {
        switch number {
        case _ where meansFull(number): full(file)
        case ENOTDIR: noFolder(file)
        case EEXIST where creating: noFolder(file)
        case EACCES, EPERM: denied(file, creating: creating)
        case EROFS where creating:
            MartError(
                .cannotCreate,
                file: file,
                remedy:
                    "Let the user of the run write there, or choose another path, then run again."
            )
        case EMFILE, ENFILE:
            MartError(
                .ioFailed,
                file: file,
                remedy: "The system opens no more files for the command: raise the limit of the "
                    + "account (ulimit -n), or run with fewer threads, then run again."
            )
        case ENOENT:
            MartError(.notFound, file: file, remedy: "Check the path; it does not exist.")
        default:
            MartError(
                .ioFailed,
                file: file,
                remedy: "The system refused to read or write (error \(number)). Check the disk, "
                    + "then run again."
            )
        }
    }

    /// The error where a file stands in the place of a folder.
    static func noFolder(_ file: String) -> MartError {
        var path = file
        while !exists(path), let cut = path.lastIndex(of: "/"), cut != path.startIndex {
            path = String(path[..<cut])
        }
        return MartError(
            .notAFolder,
            file: path,
            remedy: "This is a file, where a folder is needed. Name another path, such as the "
                + "folder of a mart with --mart."
        )
    }

    /// The error where another account owns a file or folder.
    ///
    /// - Parameters:
    ///   - file: The file or folder.
    ///   - creating: Whether something was to be created in it.
    /// - Returns: The error; it names both accounts.
    static func denied(_ file: String, creating: Bool = false) -> MartError {
        var status = stat()
        var path = file
        while lstat(path, &status) != 0, let cut = path.lastIndex(of: "/"), cut != path.startIndex {
            path = String(path[..<cut])
        }
        let owner = account(status.st_uid)
        let own = account(geteuid())
        let isOwn = status.st_uid == geteuid()
        return MartError(
            creating ? .cannotCreate : .notPermitted,
            file: file,
            remedy: isOwn
                ? "The permissions of \(path) keep its own account, \(own), out. Correct them "
                    + "with chmod, then run again."
                : "\(path) belongs to the account \(owner), and this is \(own). Run the command "
                    + "as \(owner), or let \(own) in, then run again."
        )
    }

    /// The error where a file is not found: it does not exist, or its folder is closed to this
    /// account.
    static func missing(_ file: String) -> MartError {
        access(file, F_OK) != 0 && errno == EACCES
            ? denied(file) : MartError(.notFound, file: file, remedy: "The file does not exist.")
    }

    /// The name of an account, or its number where it has none.
    private static func account(_ id: uid_t) -> String {
        guard let entry = getpwuid(id), let name = entry.pointee.pw_name else { return "\(id)" }
        return String(cString: name)
    }

    /// The error where the disk, a quota or a size limit allows no more bytes.
    static func full(_ file: String) -> MartError {
        MartError(
            .diskFull,
            file: file,
            remedy: "Free space on the disk, or raise the limit on the size of files, and run "
                + "again. The previous generation stays in service."
        )
    }

    /// Whether an error number means that no more bytes may be written.
    static func meansFull(_ number: Int32) -> Bool {
        [ENOSPC, EDQUOT, EFBIG].contains(number)
    }

    /// Creates a folder and its parents where they are missing.
    static func makeFolder(_ path: String, mode: mode_t) throws(MartError) {
        if isFolder(path) { return }
        if let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")), cut != path.startIndex {
            try makeFolder(String(path[..<cut]), mode: mode)
        }
        guard mkdir(path, mode) == 0 || (errno == EEXIST && isFolder(path)) else {
            throw error(errno, path, creating: true)
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// The names in a folder, sorted; none where the folder does not exist.
    static func names(in folder: String) throws(MartError) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw error(errno, folder)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // Only the error number tells the end of the folder from a failure.
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw error(errno, folder) }
                return names.sorted()
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// The target of a symbolic link; nil where there is no link, or a file in its place.
    static func linkTarget(_ path: String) throws(MartError) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        if count < 0 {
            if errno == ENOENT || errno == EINVAL { return nil }
            throw error(errno, path)
        }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path of a file with all links resolved; nil where it leads to no file.
    static func resolved(_ path: String) -> String? {
        guard let buffer = realpath(path, nil) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    /// Whether anything has a path, a link that leads nowhere included.
    static func isPresent(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether something other than a symbolic link has a path: a copy that follows links leaves a
    /// file in place of each.
    static func isOccupied(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFLNK
    }

    /// Replaces the target of a symbolic link atomically: a reader sees the old target or the new
    /// one.
    ///
    /// Nothing but a link is replaced.
    static func swapLink(_ path: String, to target: String) throws(MartError) {
        let temporary = path + ".new"
        for path in [path, temporary] where isOccupied(path) {
            throw MartError(
                .cannotCreate,
                file: path,
                remedy: "A link belongs here, and what has its name is none. Move it away, then "
                    + "run again."
            )
        }
        try remove(temporary)
        guard symlink(target, temporary) == 0 else {
            throw error(errno, temporary, creating: true)
        }
        try move(temporary, to: path)
    }

    /// Renames a file, and replaces an existing file of the new name.
    static func move(_ from: String, to: String) throws(MartError) {
        guard rename(from, to) == 0 else { throw error(errno, to) }
    }

    /// Gives a file its final name, which must not exist yet.
    ///
    /// A hard link fails where the name exists, which a rename would silently replace.
    static func moveToNewName(_ from: String, _ to: String) throws(MartError) {
        guard link(from, to) == 0 else {
            if errno == EEXIST { throw taken(to) }
            throw error(errno, to, creating: true)
        }
        try remove(from)
    }

    /// The error of a number that has a file already.
    static func taken(_ path: String) -> MartError {
        MartError(
            .numberTaken,
            file: path,
            remedy: "A file of this number already exists. Run again: the next run takes the next "
                + "number."
        )
    }

    /// Removes a file; a missing file is no error.
    static func remove(_ path: String) throws(MartError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw error(errno, path) }
    }

    /// Waits until a file's bytes, or a folder's entries, are on the disk.
    static func sync(_ path: String) throws(MartError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(errno, path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw error(errno, path) }
    }

    /// The size in bytes and the time of the last change, in seconds since 1970.
    static func status(_ path: String) throws(MartError) -> (size: Int64, changedAt: Int64) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw error(errno, path) }
        return (Int64(status.st_size), Int64(status.st_mtim.tv_sec))
    }

    /// Writes a new file and waits until it is on the disk.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - path: The path; no file may exist there yet.
    ///   - mode: Who may read and write it.
    /// - Throws: ``MartError`` of the file.
    static func writeNew(_ bytes: [UInt8], to path: String, mode: mode_t) throws(MartError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw error(errno, path, creating: true) }
        defer { close(descriptor) }
        try writeAll(bytes, to: descriptor, path)
        guard fsync(descriptor) == 0 else { throw error(errno, path) }
    }

    /// Writes all of the bytes, in as many calls as needed.
    static func writeAll(
        _ bytes: [UInt8],
        to descriptor: Int32,
        _ path: String
    ) throws(MartError) {
        try bytes.withUnsafeBufferPointer { buffer throws(MartError) in
            try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor, path)
        }
    }

    /// Writes all of a buffer, in as many calls as needed.
    static func writeAll(
        _ buffer: UnsafeRawBufferPointer,
        to descriptor: Int32,
        _ path: String
    ) throws(MartError) {
        var offset = 0
        while offset < buffer.count {
            let count = write(
                descriptor,
                buffer.baseAddress?.advanced(by: offset),
                buffer.count - offset
            )
            if count < 0 {
                if errno == EINTR { continue }
                throw error(errno, path)
            }
            offset += count
        }
    }

    /// Reads a file block by block.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The bytes to read, as far as the file goes.
    ///   - blockSize: The size of every block except the last.
    ///   - body: Called with each block, in order.
    /// - Throws: ``MartError`` of the file, or what the body throws.
    static func readBlocks(
        _ path: String,
        range: Range<Int> = 0..<Int.max,
        blockSize: Int,
        _ body: (UnsafeRawBufferPointer) throws(MartError) -> Void
    ) throws(MartError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(errno, path) }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 64)
        defer { buffer.deallocate() }
        var start = range.lowerBound
        while start < range.upperBound {
            let size = min(blockSize, range.upperBound - start)
            var filled = 0
            while filled < size {
                let count = pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: filled),
                    size - filled,
                    start + filled
                )
                if count < 0 {
                    if errno == EINTR { continue }
                    throw error(errno, path)
                }
                if count == 0 { break }
                filled += count
            }
            if filled == 0 { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
            if filled < size { return }
            start += filled
        }
    }

    /// Copies a file; an existing file of the new name is replaced.
    ///
    /// - Parameters:
    ///   - from: The file.
    ///   - to: The copy, which is not synced.
    ///   - mode: Who may read and write it.
    /// - Throws: ``MartError`` of the files.
    static func copy(_ from: String, to: String, mode: mode_t) throws(MartError) {
        try remove(to)
        let descriptor = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw error(errno, to, creating: true) }
        defer { close(descriptor) }
        try readBlocks(from, blockSize: 1 << 20) { block throws(MartError) in
            try writeAll(block, to: descriptor, to)
        }
    }

    /// Reads a whole small file.
    static func readAll(_ path: String) throws(MartError) -> [UInt8] {
        var bytes: [UInt8] = []
        try readBlocks(path, blockSize: 1 << 16) { block throws(MartError) in
            bytes.append(contentsOf: block)
        }
        return bytes
    }
}

/// Metadata of a file that changes when it is written or replaced, and its permissions.
public struct FileMark: Sendable, Equatable {
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int
    /// Whether users other than its owner may read or write it.
    public let isOpenToOthers: Bool

    /// Reads the metadata of a file; nil where it does not exist or may not be read.
    ///
    /// - Parameter path: The file.
    public init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        isOpenToOthers = status.st_mode & 0o077 != 0
    }
}
