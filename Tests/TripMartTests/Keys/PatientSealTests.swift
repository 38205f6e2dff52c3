import Testing

@testable import TripMart

@Suite struct PatientSealTests {
    private let keys = MartKeys(secret: [UInt8](repeating: 3, count: 32))

    private func seal(_ text: String, row: Int64 = 1) throws -> [UInt8] {
        var sealer = try ColumnSealer(keys, table: "patient", column: "sealed", count: 1)
        return try Array(text.utf8).withUnsafeBytes { try sealer.seal($0, row: row) }
    }

    @Test func sealedValueOpensInItsRowAndColumnAlone() throws {
        let sealed = try seal("1012345678V123456")
        let opened = try keys.open(sealed, table: "patient", column: "sealed", row: 1)
        #expect(opened == Array("1012345678V123456".utf8))
        for (table, column, row) in [
            ("reject", "sealed", Int64(1)), ("patient", "text", 1), ("patient", "sealed", 2),
        ] {
            expectFailure(.sealBroken) {
                _ = try keys.open(sealed, table: table, column: column, row: row)
            }
        }
    }

    @Test func everyFlippedBitIsFound() throws {
        let sealed = try seal("1012345678V123456")
        for bit in 0..<(8 * sealed.count) {
            var broken = sealed
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            expectFailure(.sealBroken) {
                _ = try keys.open(broken, table: "patient", column: "sealed", row: 1)
            }
        }
    }

    @Test func equalValuesAreSealedDifferently() throws {
        #expect(try seal("same") != seal("same"))
        var sealer = try ColumnSealer(keys, table: "patient", column: "sealed", count: 100)
        let nonces = try (0..<100).map { _ in
            try Array("same".utf8).withUnsafeBytes { Array(try sealer.seal($0, row: 1).prefix(12)) }
        }
        #expect(Set(nonces).count == 100)
    }

    @Test func emptyValueCanBeSealed() throws {
        #expect(
            try keys.open(seal(""), table: "patient", column: "sealed", row: 1).isEmpty
        )
    }
}
