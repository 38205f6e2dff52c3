import HTTPTypes
import Hummingbird
import NIOCore
import Testing
import TripIdentity

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

    private static func page(
        _ form: FormReading,
        notice: SignInPage.Notice? = nil,
        passkey: (String, String)? = nil
    ) -> String {
        let ways = SignInPage.WaysIn(passkey: passkey, canForget: false, leadsToAccount: true)
        return SignInPage(form: form, action: "authorize", ways: ways, notice: notice).page.text
    }

    @Test func passkeysAreAskedForWhereThereMayBeSome() throws {
        let form = try Self.form("client_id=a")
        #expect(!Self.page(form).contains("<script"))
        let page = Self.page(form, passkey: ("triptych.test", "a challenge"))
        #expect(page.contains("data-party=\"triptych.test\" data-challenge=\"a challenge\""))
        #expect(page.ranges(of: "name=\"client_id\" value=\"a\"").count == 2)
        let script = EmbeddedFiles.text("SignIn/Pages/passkey.js")
        #expect(page.contains("<script>" + script + "</script>"))
    }

    @Test func theFormCarriesAlongWhatTheClientAskedWith() throws {
        let form = try Self.form(
            "client_id=a&state=%22%3E%3Cb%3E&other=c&redirect_uri=https://d.test/"
        )
        let text = Self.page(form)
        #expect(text.contains("<input type=\"hidden\" name=\"client_id\" value=\"a\">"))
        #expect(text.contains("name=\"state\" value=\"&quot;&gt;&lt;b&gt;\""))
        #expect(text.contains("name=\"redirect_uri\" value=\"https://d.test/\""))
        #expect(!text.contains("other"))
    }

    @Test func aDemoSaysWhatItShowsAndWhoMaySignIn() throws {
        let form = try Self.form("client_id=a")
        #expect(!Self.page(form).contains("demo"))
        let ways = SignInPage.WaysIn(passkey: nil, canForget: false, leadsToAccount: true)
        let page = SignInPage(form: form, action: "authorize", ways: ways, isDemo: true).page.text
        #expect(page.contains("This is a demo. Its trips are synthetic"))
        #expect(page.contains("<code>\(DemoAccounts.password)</code>"))
        for account in DemoAccounts.all {
            #expect(page.contains("<li><code>\(account.name)</code> (\(account.role.rawValue)): "))
        }
        #expect(page.ranges(of: "<li>").count == DemoAccounts.all.count)
    }

    @Test func aNoticeIsThereWhereThereIsOne() throws {
        let form = try Self.form("")
        #expect(!Self.page(form).contains("role=\"alert\""))
        let noticed = Self.page(form, notice: .wrong)
        #expect(noticed.contains("role=\"alert\">Name or password is wrong.</p>"))
    }

    @Test func aPasswordNeverComesBack() throws {
        let form = try Self.form("username=someone&password=a+secret")
        let text = Self.page(form, notice: .wrong)
        #expect(text.contains("value=\"someone\""))
        #expect(!text.contains("secret"))
    }

    /// After a hundred failures the name is closed for good: the page then must not tell whether an
    /// account has it.
    @Test(arguments: ["/authorize", "/account"])
    func aNameThatIsClosedForGoodIsToldTheSameWhoeverHasIt(path: String) async throws {
        let server = try await SignInUnderTest()
        try await server.authentication.add(
            try AccountName("someone"),
            password: "a long way to the river",
            access: Access(roles: [.viewer])
        )
        var pages: Set<String> = []
        for name in ["someone", "stranger"] {
            for _ in 0..<100 {
                let answer = try await server.signIn(at: path, as: name, "wrong")
                #expect(answer.status == .forbidden)
                server.advance(by: 1000)
            }
            let answer = try await server.signIn(at: path, as: name, "a+long+way+to+the+river")
            #expect(answer.status == .tooManyRequests)
            #expect(answer.headers[.retryAfter] == "900")
            pages.insert(answer.body.replacing(name, with: "NAME"))
        }
        #expect(pages.count == 1)
        #expect(
            pages.first?.contains("If it goes on, ask your administrator.") == true
        )
        let closed = server.log.filter { $0.contains("closed until a new password is set") }
        #expect(closed.count == 2)
        #expect(!server.log.contains { $0.contains("someone") || $0.contains("stranger") })
    }

    @Test func thePageBeforeTheAccountSaysWhatItIsFor() throws {
        let ways = SignInPage.WaysIn(passkey: nil, canForget: false, leadsToAccount: false)
        let text = SignInPage(form: try Self.form(""), action: "account", ways: ways).page.text
        #expect(text.contains("<h1>Sign in to your account</h1>"))
        #expect(text.contains("Sign in to look after your passkeys and your password."))
        let other = Self.page(try Self.form(""))
        #expect(other.contains("<h1>Sign in</h1>"))
        #expect(!other.contains("look after"))
    }

    /// The style is in the page exactly: browsers compare it with the hash in the header.
    @Test func theStyleIsTheOneItsPolicyAllows() throws {
        let style = EmbeddedFiles.text("SignIn/Pages/page.css")
        #expect(Self.page(try Self.form("")).contains("<style>" + style + "</style>"))
    }
}
