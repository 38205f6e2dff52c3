import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import TripServer

@Suite struct SignInPageTests {
    private static func form(_ query: String) throws -> FormReading {
        let head = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "localhost",
            path: "/authorize?" + query
        )
        return try FormReading(query: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
    }

    @Test func theFormCarriesAlongWhatTheClientAskedWith() throws {
        let form = try Self.form(
            "client_id=a&state=%22%3E%3Cb%3E&other=c&redirect_uri=https://d.test/"
        )
        let text = SignInPage(form: form, notice: nil).text
        #expect(text.contains("<input type=\"hidden\" name=\"client_id\" value=\"a\">"))
        #expect(text.contains("name=\"state\" value=\"&quot;&gt;&lt;b&gt;\""))
        #expect(text.contains("name=\"redirect_uri\" value=\"https://d.test/\""))
        #expect(!text.contains("other"))
    }

    @Test func aNoticeIsThereWhereThereIsOne() throws {
        let page = SignInPage(form: try Self.form(""), notice: nil)
        #expect(!page.text.contains("role=\"alert\""))
        let noticed = page.noticing(.wrong).text
        #expect(noticed.contains("role=\"alert\">Name or password is wrong.</p>"))
    }

    @Test func aPasswordNeverComesBack() throws {
        let form = try Self.form("username=someone&password=a+secret")
        let text = SignInPage(form: form, notice: .wrong).text
        #expect(text.contains("value=\"someone\""))
        #expect(!text.contains("secret"))
    }

    /// The style is in the page to the letter: browsers compare it with the hash in the header.
    @Test func theStyleIsTheOneItsPolicyAllows() throws {
        let style = String(decoding: PackageResources.page_css, as: UTF8.self)
        let page = SignInPage(form: try Self.form(""), notice: nil)
        #expect(page.text.contains("<style>" + style + "</style>"))
        let contract = String(decoding: PackageResources.contract_html, as: UTF8.self)
        let script = String(decoding: PackageResources.try_js, as: UTF8.self)
        #expect(contract.contains("<style>" + style + "</style>"))
        #expect(contract.contains("<script>" + script + "</script>"))
        #expect(contract.ranges(of: "<script").count == 1)
        #expect(contract.ranges(of: "<style").count == 1)
    }
}
