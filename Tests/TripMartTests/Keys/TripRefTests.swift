import Testing

@testable import TripMart

@Suite struct TripRefTests {
    private let keys = MartKeys(secret: [UInt8](repeating: 5, count: 32))

    @Test(arguments: ["T-88120431", "", "é/+ ", "a very long trip id that goes on and on"])
    func referenceOpensToItsTrip(id: String) throws {
        let ref = keys.ref(ofTrip: id)
        #expect(ref == keys.ref(ofTrip: id))
        #expect(try keys.tripID(of: TripRef(text: ref.text)) == id)
        #expect(
            ref.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        )
    }

    @Test func changedReferencesAndThoseOfOtherMartsAreRefused() {
        let ref = keys.ref(ofTrip: "T-88120431").text
        let others = [
            "", "x", "!", String(repeating: "A", count: 22), String(ref.dropLast()), ref + "A",
            "B" + ref.dropFirst(),
            MartKeys(secret: [UInt8](repeating: 6, count: 32)).ref(ofTrip: "T-88120431").text,
        ]
        for text in others where text != ref {
            expectFailure(.sealBroken) { _ = try keys.tripID(of: TripRef(text: text)) }
        }
    }
}
