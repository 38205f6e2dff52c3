import Glibc
import Testing
import TripDomain

@testable import TripMart

/// Changes the bytes of a file as a failing disk would.
enum FileDamage {
    /// Flips the lowest bit of one byte.
    static func flip(_ path: String, at offset: Int64) throws {
        try change(path, at: offset, count: 1) { $0 ^ 1 }
    }

    /// Overwrites a range of bytes.
    static func overwrite(_ path: String, at offset: Int64, count: Int) throws {
        try change(path, at: offset, count: count) { _ in 0xA5 }
    }

    private static func change(
        _ path: String,
        at offset: Int64,
        count: Int,
        _ body: (UInt8) -> UInt8
    ) throws {
        let descriptor = open(path, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        try #require(pread(descriptor, &bytes, count, off_t(offset)) == count)
        bytes = bytes.map(body)
        try #require(pwrite(descriptor, &bytes, count, off_t(offset)) == count)
    }
}

extension SumFile {
    /// Gives a published file that a test has altered the sums of its bytes, as a program that
    /// writes nonsense would; a file without sums stays without.
    static func renew(for path: String) throws {
        let sums = SumFile.path(for: path)
        guard FileSystem.exists(sums) else { return }
        try FileSystem.remove(sums)
        try write(for: path, to: sums)
    }
}

extension ServingFolder {
    /// The first change that an inspection reports; none where no file is damaged.
    var inspected: Change { inspect().first { !$0.isNone } ?? .none }
}

extension ServingFolder.Change {
    /// Whether another generation is served.
    func isMoved(to number: Int) -> Bool {
        if case .moved(let generation) = self { generation.header.number == number } else { false }
    }

    /// Whether a generation cannot be served; nil where the link names none.
    func isFailed(at number: Int?) -> Bool {
        if case .failed(let generation, _) = self { generation == number } else { false }
    }

    var isNone: Bool { if case .none = self { true } else { false } }
}
