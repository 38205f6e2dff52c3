import Glibc
import Testing

@testable import TripMart

@Suite struct MartLockTests {
    @Test func secondRunGetsTheOwnerOfTheLock() throws {
        let mart = try BuiltMart()
        let lock = try MartLock.acquire(mart.folder, command: "run", now: 1_790_000_000)
        do {
            _ = try MartLock.acquire(mart.folder, command: "run", now: 1_790_000_060)
            Issue.record("two runs hold one lock")
        } catch {
            #expect(error.code == .locked)
            #expect(error.lockOwner?.pid == getpid())
            #expect(error.lockOwner?.startedAt == 1_790_000_000)
            #expect(error.lockOwner?.command == "run")
        }
        #expect(try MartLock.owner(mart.folder)?.pid == getpid())
        lock.release()
        #expect(try MartLock.owner(mart.folder) == nil)
    }

    @Test func lockEndsWithItsOwner() throws {
        let mart = try BuiltMart()
        do {
            let lock = try MartLock.acquire(mart.folder, command: "run", now: 1)
            withExtendedLifetime(lock) {}
        }
        let next = try MartLock.acquire(mart.folder, command: "plan", now: 2)
        #expect(try MartLock.owner(mart.folder)?.command == "plan")
        withExtendedLifetime(next) {}
    }

    /// A child process has copies of all descriptors between fork and exec.
    @Test func copiesOfDescriptorsDoNotHoldTheLock() throws {
        let mart = try BuiltMart()
        var lock: MartLock? = try MartLock.acquire(mart.folder, command: "run", now: 1)
        let runs = try Self.copies(of: mart.folder.lockPath)
        defer { for copy in runs { close(copy) } }
        #expect(lock != nil)
        lock = nil
        _ = try MartLock.acquire(mart.folder, command: "plan", now: 2)

        let path = mart.folder.lockPath + ".queue"
        var queue = try QueueLock.take(path, waiting: 0)
        let works = try Self.copies(of: path)
        defer { for copy in works { close(copy) } }
        #expect(queue != nil)
        queue = nil
        #expect(try QueueLock.take(path, waiting: 0) != nil)
    }

    /// A copy of each open descriptor of a file.
    private static func copies(of path: String) throws -> [Int32] {
        var wanted = stat()
        try #require(stat(path, &wanted) == 0)
        let copies = (0..<Int32(getdtablesize())).filter { descriptor in
            var found = stat()
            return fstat(descriptor, &found) == 0 && found.st_ino == wanted.st_ino
                && found.st_dev == wanted.st_dev
        }.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        try #require(!copies.isEmpty)
        return copies
    }
}
