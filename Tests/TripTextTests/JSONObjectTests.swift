import Testing

@testable import TripText

@Suite struct JSONObjectTests {
    private enum Word: String, CaseIterable {
        case first
        case second
    }

    private func fault(
        _ text: String,
        _ body: (JSONObject) throws(JSONFault) -> Void
    ) -> String {
        do throws(JSONFault) {
            try body(JSONObject(Array(text.utf8)))
            return "no fault"
        } catch {
            return "\(error.place): \(error.finding)"
        }
    }

    @Test func faultsNameTheWayToTheValue() {
        let text = "{\"files\": [{\"size\": 1}, {\"size\": \"x\", \"word\": \"third\"}]}"
        let size = fault(text) { object throws(JSONFault) in
            _ = try object.objects("files") { file throws(JSONFault) in try file.integer("size") }
        }
        #expect(size == "files[1].size: is a text, expected a number")
        let word = fault(text) { object throws(JSONFault) in
            _ = try object.objects("files") { file throws(JSONFault) in
                file["word"] == nil ? .first : try file.word("word", Word.self)
            }
        }
        #expect(word == "files[1].word: is an unknown word, expected `first`, `second`")
    }

    @Test func whatIsMissingIsNamed() {
        #expect(
            fault("{}") { object throws(JSONFault) in _ = try object.text("a") } == "a: is missing"
        )
        #expect(
            fault("{\"a\": null}") { object throws(JSONFault) in _ = try object.count("a") }
                == "a: is missing"
        )
        #expect(
            fault("{\"a\": -1}") { object throws(JSONFault) in _ = try object.count("a") }
                == "a: is negative, expected 0 or more"
        )
        #expect(fault("[]") { _ in } == "the text: is an array, expected an object")
    }
}
