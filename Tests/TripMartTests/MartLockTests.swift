import Glibc
import Testing

@testable import TripMart

@Suite struct MartLockTests {
    @Test func secondComerIsToldWhoHoldsTheLock() throws {
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
}
