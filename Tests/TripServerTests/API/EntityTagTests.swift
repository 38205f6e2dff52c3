import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import TripServer

@Suite struct EntityTagTests {
    private static func request(_ value: String) -> Request {
        Request(
            head: HTTPRequest(
                method: .get,
                scheme: nil,
                authority: nil,
                path: "/",
                headerFields: [.ifNoneMatch: value]
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
    }

    @Test func listsOfPartsThatLookAlikeHaveTwoTags() {
        let lists = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"]]
        let tags = Set(lists.map { EntityTag(number: 1, parts: $0).text })
        #expect(tags.count == lists.count)
        #expect(
            EntityTag(number: 2, parts: ["abc"]) != EntityTag(number: 1, parts: ["abc"])
        )
    }

    @Test func aTagIsFoundInListsAndBehindTheMarkOfWeakOnes() {
        let tag = EntityTag(number: 7, parts: ["x"])
        for known in [
            tag.text, "W/" + tag.text, "\"a\", \(tag.text)", "\"a\" ,\t\(tag.text) ", "*",
        ] {
            #expect(tag.known(to: Self.request(known)) == tag.text)
        }
        #expect(tag.known(to: Self.request("W/" + tag.gzipText)) == tag.gzipText)
        for other in ["\"a\"", "", tag.text.dropLast() + "x\"", "w/" + tag.text] {
            #expect(tag.known(to: Self.request(String(other))) == nil)
        }
    }
}
