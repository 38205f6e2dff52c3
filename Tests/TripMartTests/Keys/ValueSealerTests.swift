import Testing
import TripDomain

@testable import TripMart

/// What the tasks of a divided run seal, compared with what a run on one machine seals.
@Suite struct ValueSealerTests {
    private let keys = MartKeys(secret: [UInt8](repeating: 5, count: 32))

    @Test func manyReferencesAreThoseOfEachTrip() throws {
        let write = keys.refWriter()
        var all: [UInt8] = []
        for id in ["T-88120431", "", "é/+ ", "a very long trip id that goes on and on", "T-1"] {
            let start = all.count
            Array(id.utf8).withUnsafeBytes { write($0, &all) }
            var text: [UInt8] = []
            all[start...].withUnsafeBytes { MartKeys.appendText(ofRef: $0, to: &text) }
            #expect(TripRef(text: String(decoding: text, as: UTF8.self)) == keys.ref(ofTrip: id))
        }
    }

    @Test func digestsDifferWhereValuesOrKeysDo() {
        func digest(_ values: [UInt8], _ keys: MartKeys) -> [UInt8] {
            let write = keys.versionDigests()
            var digest: [UInt8] = []
            values.withUnsafeBytes { write($0, &digest) }
            return digest
        }
        let other = MartKeys(secret: [UInt8](repeating: 6, count: 32))
        #expect(digest([1, 2], keys).count == MartKeys.digestSize)
        #expect(digest([1, 2], keys) == digest([1, 2], keys))
        #expect(digest([1, 2], keys) != digest([1, 3], keys))
        #expect(digest([1, 2], keys) != digest([1, 2], other))
        #expect(digest([], keys) != digest([0], keys))
    }

    @Test func aPatientOpensAsInTheTableOfPatients() throws {
        let ref = keys.patientReferences()
        let read = Array(" 1012345678v123456 ".utf8)
        let number = try #require(read.withUnsafeBytes(ref))
        let normalised = Array("1012345678V123456".utf8)
        #expect(normalised.withUnsafeBytes(ref) == number)
        var sealer = try keys.patientSealer(count: 1)
        let sealed = try read.withUnsafeBytes { try sealer.seal($0, row: number) }
        #expect(
            try keys.open(sealed, table: "patient", column: "sealed", row: number) == normalised
        )
        #expect(Array("  ".utf8).withUnsafeBytes(ref) == nil)
    }

    @Test func aRejectOpensInItsPlanAndRowAlone() throws {
        var sealer = try keys.rejectSealer(plan: "a", count: 1)
        let sealed = try Array("T-1,odd".utf8).withUnsafeBytes { try sealer.seal($0, row: 7) }
        #expect(try keys.openReject(sealed, plan: "a", row: 7) == Array("T-1,odd".utf8))
        expectFailure(.sealBroken) { _ = try keys.openReject(sealed, plan: "b", row: 7) }
        expectFailure(.sealBroken) { _ = try keys.openReject(sealed, plan: "a", row: 8) }
    }
}
