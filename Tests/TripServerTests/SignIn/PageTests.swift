import HTTPTypes
import Hummingbird
import Testing
import TripIdentity

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

    @Test func outsideTextIsEscaped() {
        let text = Page(.newPassword, notice: "<b>", ["token": "\"><script>"]).text
        #expect(text.contains("&lt;b&gt;"))
        #expect(text.contains("value=\"&quot;&gt;&lt;script&gt;\""))
        #expect(!text.contains("<script>"))
    }

    /// An accent on a mark of HTML, or one that stands before it, makes another character of it in
    /// Swift and none to a browser.
    @Test(arguments: Page.Name.allCases, ["\u{600}", "\u{301}", "\u{200D}"])
    func accentsHideNoMarks(name: Page.Name, accent: String) {
        let text = "<>\"'&".map { accent + String($0) + accent }.joined()
        let fields = [["name": text, "value": text]]
        let page = Page(
            name,
            notice: text,
            [
                "action": text, "fields": fields, "username": text, "ticket": text,
                "passkeys": [["id": text, "added": text, "used": text, "place": text]],
                "hasPasskeys": true, "hasSessions": true,
                "sessions": [["handle": text, "client": text, "began": text, "used": text]],
                "passkey": ["party": text, "challenge": text],
                "invitation": [
                    "party": text, "challenge": text, "handle": text, "algorithms": text,
                    "known": text,
                ],
                "token": text, "heading": text, "text": text,
                "demo": [
                    "text": text, "password": text,
                    "accounts": [["name": text, "role": text, "purpose": text]],
                ],
            ]
        )
        let bytes = Array(page.text.utf8)
        for mark in ["<", ">", "\"", "'"] {
            #expect(bytes.firstRange(of: Array((accent + mark + accent).utf8)) == nil)
        }
        #expect(bytes.firstRange(of: Array((accent + "&lt;" + accent).utf8)) != nil)
    }

    /// Whether or not passkeys can be made here, the page of an account says so, and leads back.
    @Test func theAccountSaysWhyNoPasskeyCanBeAdded() {
        let without = Page(.account, [:]).text
        #expect(without.contains("None can be added at this address"))
        #expect(without.contains("<a href=\"/\">Back to the dashboard</a>"))
        let with = Page(.account, ["invitation": ["party": "localhost"]]).text
        #expect(with.contains("<p data-without=\"passkeys\">None can be added here"))
        #expect(!with.contains("at this address"))
    }

    @Test func aPageIsNotCached() {
        let response = Page(.forgotten).response(.ok, retryAfter: 5)
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.retryAfter] == "5")
        let policy = response.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.hasSuffix("form-action 'self'"))
        #expect(!policy.contains("script-src"))
    }

    @Test func goodNewsLooksLikeIt() {
        #expect(
            Page(.account, notice: "done", isSuccess: true).text.contains("class=\"notice good\"")
        )
        #expect(Page(.account, notice: "not done").text.contains("class=\"notice\""))
    }

    @Test func aWordLeadsOnWhereItIsTold() {
        #expect(!Page.word("a heading", "a text").text.contains("<nav>"))
        let text = Page.passwordIsSet().text
        #expect(text.contains("<nav><a href=\"account\">Back to your account</a></nav>"))
    }

    /// The same words stand in pages and, after another beginning, in what commands print.
    @Test func aPasswordThatIsRefusedIsAWholeSentence() {
        #expect(
            PasswordRules.Violation.tooFewCharacters.notice
                == "The password was not set: it has fewer than six different characters. Choose one with more of them."
        )
    }

    @Test func theLastPageEndsTheConnection() {
        let page = Page.word("a heading", "a text")
        let response = page.response(.contentTooLarge, isLast: true)
        #expect(response.headers[.connection] == "close")
        #expect(response.body.contentLength == page.text.utf8.count)
        #expect(page.response(.ok).headers[.connection] == nil)
    }
}
