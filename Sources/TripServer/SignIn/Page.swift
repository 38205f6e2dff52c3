import HTTPTypes
import Hummingbird
import Mustache
import TripDomain
import TripText

/// A page of the server's own, from its template; what comes from outside is escaped by it.
struct Page {
    /// Which one.
    enum Name: String, CaseIterable {
        case signIn = "sign-in"
        case account
        case forgotten
        case newPassword = "new-password"
        case word
    }

    let name: Name
    let notice: String?
    /// Whether the notice says that something was done.
    let isSuccess: Bool
    /// The values of the template.
    let values: [String: Any]
    /// Whether it has the script by which browsers are asked for passkeys.
    let hasScript: Bool

    /// Names a page and what it shows.
    init(
        _ name: Name,
        notice: String? = nil,
        isSuccess: Bool = false,
        hasScript: Bool = false,
        _ values: [String: Any] = [:]
    ) {
        (self.name, self.notice, self.isSuccess) = (name, notice, isSuccess)
        (self.hasScript, self.values) = (hasScript, values)
    }

    /// The link of a page with one message.
    enum Way {
        case account
        case forgotten

        fileprivate var link: [String: String] {
            switch self {
            case .account: ["address": "account", "name": "Back to your account"]
            case .forgotten: ["address": "forgotten", "name": "Ask for another e-mail"]
            }
        }
    }

    /// A page with one message, and perhaps a link.
    static func word(_ heading: String, _ text: String, way: Way? = nil) -> Page {
        var values: [String: Any] = ["heading": heading, "text": text]
        if let way { values["way"] = way.link }
        return Page(.word, values)
    }

    private static let style = String(decoding: PackageResources.page_css, as: UTF8.self)
    private static let script = String(decoding: PackageResources.passkey_js, as: UTF8.self)
    private static let templates = Self.library()

    /// The library's own goes by Swift's characters, where an accent after a `<` hides it.
    private struct EscapedBytes: MustacheContentType {
        func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
    }

    private static func library() -> MustacheLibrary {
        MustacheContentTypes.register(EscapedBytes(), named: "BYTES")
        let sources: KeyValuePairs = [
            "layout": PackageResources.layout_mustache,
            Name.signIn.rawValue: PackageResources.sign_in_mustache,
            Name.account.rawValue: PackageResources.account_mustache,
            Name.forgotten.rawValue: PackageResources.forgotten_mustache,
            Name.newPassword.rawValue: PackageResources.new_password_mustache,
            Name.word.rawValue: PackageResources.word_mustache,
        ]
        do {
            let templates = try sources.map { name, bytes in
                let text = "{{% CONTENT_TYPE:BYTES}}" + String(decoding: bytes, as: UTF8.self)
                return (name, try MustacheTemplate(string: text))
            }
            return MustacheLibrary(templates: Dictionary(uniqueKeysWithValues: templates))
        } catch {
            preconditionFailure("the pages' templates can be parsed, as a test checks")
        }
    }

    /// The page as HTML.
    var text: String {
        var values = values
        values["style"] = Self.style
        // A key that is there is a notice, also where it is nil.
        if let notice { values["notice"] = ["text": notice, "tone": isSuccess ? " good" : ""] }
        if hasScript { values["script"] = ["text": Self.script] }
        guard let text = Self.templates.render(values, withTemplate: name.rawValue) else {
            preconditionFailure("every page has its template, as a test checks")
        }
        return text
    }

    /// The answer.
    ///
    /// - Parameters:
    ///   - status: Its status.
    ///   - origin: Where the browser may be sent on from its form; nil for nowhere.
    ///   - seconds: After how long to try again; nil where that makes no difference.
    ///   - isLast: Whether the connection is closed after it: bytes that follow on it are not to be
    ///     read.
    /// - Returns: The page, which is not cached.
    func response(
        _ status: HTTPResponse.Status,
        sentOnTo origin: String? = nil,
        retryAfter seconds: Int64? = nil,
        isLast: Bool = false
    ) -> Response {
        var policy = PagePolicy(style: PackageResources.page_css)
        if hasScript { policy.allow(script: PackageResources.passkey_js) }
        policy.allowForm(sentOnTo: origin)
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        ]
        headers[.contentSecurityPolicy] = policy.text
        if let seconds { headers[.retryAfter] = "\(seconds)" }
        if isLast { headers[.connection] = "close" }
        let text = text
        return Response(
            status: status,
            headers: headers,
            body: isLast
                ? .last(Array(text.utf8)) : ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
