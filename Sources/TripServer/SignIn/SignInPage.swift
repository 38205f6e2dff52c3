import HTTPTypes
import Hummingbird
import Mustache

/// The page that asks for a name and a password; it needs no script.
struct SignInPage {
    let form: FormReading
    let notice: Notice?

    /// What came of the try before; the same words whoever tried.
    enum Notice: String {
        case wrong = "Name or password is wrong."
        case closed = "Too many tries. Wait a few minutes, then try again."
        case busy = "Many people are signing in. Try again in a moment."
    }

    private static let template = Self.template(PackageResources.sign_in_mustache)
    private static let style = String(decoding: PackageResources.page_css, as: UTF8.self)

    private static func template(_ bytes: [UInt8]) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: String(decoding: bytes, as: UTF8.self))
        } catch {
            preconditionFailure("the page's template is one, as a test sees to")
        }
    }

    /// The page with a word on what came of a try.
    func noticing(_ notice: Notice) -> SignInPage { SignInPage(form: form, notice: notice) }

    /// The answer.
    ///
    /// - Parameters:
    ///   - status: Its status.
    ///   - origin: Where the browser is sent once somebody has signed in, which the form must allow.
    /// - Returns: The page, that nobody keeps.
    func response(_ status: HTTPResponse.Status, _ origin: String) -> Response {
        var policy = PagePolicy(style: PackageResources.page_css)
        policy.allowForm(sentOnTo: origin)
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        ]
        headers[.contentSecurityPolicy] = policy.text
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// The page as HTML; everything that came from outside is escaped by the template.
    var text: String {
        let fields = AuthorizeRoute.fieldNames.compactMap { name in
            form[name].map { ["name": name, "value": $0] }
        }
        var values: [String: Any] = [
            "style": Self.style, "fields": fields, "username": form["username"] ?? "",
        ]
        // A key that is there is a notice, also where it is nil.
        if let notice { values["notice"] = ["text": notice.rawValue] }
        return Self.template.render(values)
    }
}
