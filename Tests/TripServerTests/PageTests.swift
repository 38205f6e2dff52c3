import HTTPTypes
import Hummingbird
import Testing

@testable import TripServer

@Suite struct PageTests {
    @Test(arguments: Page.Name.allCases)
    func everyPageIsWhole(name: Page.Name) {
        let text = Page(name, notice: "a notice", hasScript: true, ["heading": "a heading"]).text
        #expect(text.hasPrefix("<!DOCTYPE html>"))
        #expect(text.ranges(of: "</html>").count == 1)
        #expect(text.contains("role=\"alert\">a notice</p>"))
        #expect(!text.contains("{{"))
        #expect(text.ranges(of: "<h1>").count == 1)
        #expect(text.ranges(of: "<script>").count == 1)
    }

    @Test func whatComesFromOutsideIsEscaped() {
        let text = Page(.newPassword, notice: "<b>", ["token": "\"><script>"]).text
        #expect(text.contains("&lt;b&gt;"))
        #expect(text.contains("value=\"&quot;&gt;&lt;script&gt;\""))
        #expect(!text.contains("<script>"))
    }

    @Test func nobodyKeepsAPage() {
        let response = Page(.forgotten).response(.ok, retryAfter: 5)
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.retryAfter] == "5")
        let policy = response.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.hasSuffix("form-action 'self'"))
        #expect(!policy.contains("script-src"))
    }

    @Test func goodNewsLooksLikeIt() {
        #expect(
            Page(.account, notice: "done", isGoodNews: true).text.contains("class=\"notice good\"")
        )
        #expect(Page(.account, notice: "not done").text.contains("class=\"notice\""))
    }
}
