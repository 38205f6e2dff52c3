import Foundation
import Testing
import TripDomain

@testable import TripMart

/// Compares the pairs of trips of two generations with those found by SQL.
@Suite struct TripPairsTests {
    private static func numbers(_ mart: ServedMart) throws -> [String: UInt32] {
        var numbers: [String: UInt32] = [:]
        for row in try BuiltMart.rows(mart.file.path, "SELECT trip_id, trip_number FROM trip_row") {
            numbers[row[0] ?? ""] = UInt32(row[1] ?? "")
        }
        return numbers
    }

    /// Two generations that share some of their trips.
    private static func marts(
        _ mart: BuiltMart,
        _ first: ReferenceGeneration,
        _ second: ReferenceGeneration
    ) throws -> (ServedMart, ServedMart) {
        let one = try mart.publish(first)
        let two = try mart.publish(second)
        try BuiltMart.tamper(
            two.file.path,
            "UPDATE trip_row SET trip_id = 'A' || trip_id || 'z' WHERE trip_number % 5 = 0"
        )
        return (one, try ServedMart.open(mart.folder))
    }

    @Test(arguments: [1, 2, 64], [1, 2, 5])
    func everyIDFindsItsPartner(leaves: Int, threads: Int) throws {
        let built = try BuiltMart()
        let (first, second) = try Self.marts(
            built,
            ReferenceGeneration(seed: 3, count: 2400),
            ReferenceGeneration(seed: 4, count: 1700)
        )
        let (one, two) = try (Self.numbers(first), Self.numbers(second))
        let pairs = try TripPairs(first, second, threadCount: threads, leavesOfPiece: leaves)
        #expect(pairs.second.count == 2400 && pairs.first.count == 1700)
        for (id, number) in one { #expect(pairs.second[Int(number) - 1] == two[id] ?? 0) }
        for (id, number) in two { #expect(pairs.first[Int(number) - 1] == one[id] ?? 0) }
        let shared = Set(one.keys).intersection(two.keys)
        #expect(!shared.isEmpty && shared.count < two.count && shared.count < one.count)
        let back = try TripPairs(second, first, threadCount: threads, leavesOfPiece: leaves)
        #expect(back.first == pairs.second && back.second == pairs.first)
    }

    @Test(arguments: [(0, 0), (0, 30), (30, 0)])
    func generationsWithoutTripsHaveNoPairs(counts: (Int, Int)) throws {
        let built = try BuiltMart()
        let (first, second) = try Self.marts(
            built,
            ReferenceGeneration(seed: 3, count: counts.0),
            ReferenceGeneration(seed: 3, count: counts.1)
        )
        let pairs = try TripPairs(first, second, threadCount: 2)
        #expect(pairs.second == [UInt32](repeating: 0, count: counts.0))
        #expect(pairs.first == [UInt32](repeating: 0, count: counts.1))
    }

    /// An id out of order would misalign the merge, and all later trips would look withdrawn and
    /// new.
    @Test func anIDOutOfOrderIsDamage() throws {
        let built = try BuiltMart()
        let (first, second) = try Self.marts(
            built,
            ReferenceGeneration(seed: 3, count: 900),
            ReferenceGeneration(seed: 4, count: 700)
        )
        let path = first.file.path
        let whole = try FileSystem.readAll(path)
        let ids = try BuiltMart.rows(
            path,
            "SELECT trip_id FROM trip_row WHERE trip_number IN (9, 400)"
        )
        var found = 0
        for id in ids.compactMap({ $0[0] }) {
            let bytes = Array(id.utf8)
            let offsets = whole.indices.filter { whole[$0...].starts(with: bytes) }
            #expect(offsets.count >= 2)
            for offset in offsets {
                var damaged = whole
                damaged[offset] = 0x7E
                try Data(damaged).write(to: URL(fileURLWithPath: path))
                do throws(MartError) {
                    _ = try TripPairs(first, second, threadCount: 2, leavesOfPiece: 1)
                } catch {
                    #expect(error.code == .damaged && error.position?.file == path)
                    found += 1
                }
            }
        }
        #expect(found >= 2)
    }
}
