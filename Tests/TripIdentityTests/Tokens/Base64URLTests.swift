import Foundation
import Testing

@testable import TripIdentity

@Suite struct Base64URLTests {
    /// The reference: the same text by another library.
    private static func slowText(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    @Test func textAgreesWithAnotherLibraryAndIsReadBack() {
        for count in 0..<200 {
            let bytes = RandomText.bytes(count)
            let text = Base64URL.text(bytes)
            #expect(text == Self.slowText(bytes))
            #expect(Base64URL.bytes(text) == bytes)
        }
    }

    /// Each sequence of bytes has one text only.
    @Test(arguments: ["A", "AB", "AAB", "AA==", "AA=", "A+", "A/", "AA AA", "AAAAA", "Å", "AA\n"])
    func otherTextsAreRefused(text: String) {
        #expect(Base64URL.bytes(text) == nil)
    }
}
