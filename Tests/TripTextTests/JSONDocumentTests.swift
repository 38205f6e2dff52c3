import Testing
import TripDomain

@testable import TripText

@Suite struct JSONDocumentTests {
    private func read(_ text: String) throws(JSONFault) -> JSONDocument {
        try JSONDocument(Array(text.utf8))
    }

    @Test func everyKindOfValueIsRead() throws {
        let object = try JSONObject(
            Array(
                """
                 {"a": [1, -9223372036854775808, true, false, null], "b": {}, "c": "x\\n\\u00e9\\ud83d\\ude91\\/",
                  "d": [] }
                """.utf8
            )
        )
        #expect(
            try object.list("a") == [
                .integer(1), .integer(.min), .truth(true), .truth(false), .null,
            ]
        )
        #expect(try object.text("c") == "x\né🚑/")
        #expect(try object.list("d").isEmpty)
        #expect(try object.object("b").all.isEmpty)
    }

    @Test(
        arguments: [
            "", "{", "[1,]", "{\"a\" 1}", "{\"a\": 1, \"a\": 2}", "01", "1.5", "1e3", "tru",
            "\"\u{1}\"", "\"\\x\"", "\"\\ud83d\"", "\"\\u12g4\"", "\"open", "1 2", "-",
            "9223372036854775808", "nul", "{1: 2}", String(repeating: "[", count: 40),
        ]
    )
    func whatIsNoJSONIsRefused(text: String) {
        #expect(throws: JSONFault.self, "\(text)") { try read(text) }
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: JSONFault.self) { try JSONDocument([0x22, 0xFF, 0x22]) }
    }

    @Test func everythingThatIsWrittenIsReadAgain() throws {
        let texts = ["", "plain", "a\"b\\c\n\r\t", "\u{0}\u{1F}\u{7F}\u{85}", "é 🚑 \u{202E}"]
        var json = JSONText()
        json.object { json in
            json.array("texts") { json in
                for text in texts { json.value(nil, text) }
            }
            json.value("least", Int.min)
            json.null("none")
        }
        let object = try JSONObject(json.text)
        #expect(try object.texts("texts") == texts)
        #expect(try object.integer("least") == Int64.min)
        #expect(object["none"] == nil)
    }
}
