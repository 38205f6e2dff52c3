import Crypto
import HTTPTypes
import Hummingbird
import Mustache
import TripDomain
import TripIdentity
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

    private static let style = EmbeddedFiles.text("SignIn/Pages/page.css")
    private static let script = EmbeddedFiles.text("SignIn/Pages/passkey.js")
    private static let templates = Self.library()

    /// The library's own goes by Swift's characters, where an accent after a `<` hides it.
    private struct EscapedBytes: MustacheContentType {
        func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
    }

    private static func library() -> MustacheLibrary {
        MustacheContentTypes.register(EscapedBytes(), named: "BYTES")
        let sources: KeyValuePairs = [
            "layout": EmbeddedFiles.text("SignIn/Pages/layout.mustache"),
            Name.signIn.rawValue: EmbeddedFiles.text("SignIn/Pages/sign-in.mustache"),
            Name.account.rawValue: EmbeddedFiles.text("SignIn/Pages/account.mustache"),
            Name.forgotten.rawValue: EmbeddedFiles.text("SignIn/Pages/forgotten.mustache"),
            Name.newPassword.rawValue: EmbeddedFiles.text("SignIn/Pages/new-password.mustache"),
            Name.word.rawValue: EmbeddedFiles.text("SignIn/Pages/word.mustache"),
        ]
        do {
            let templates = try sources.map { name, text in
                (name, try MustacheTemplate(string: "{{% CONTENT_TYPE:BYTES}}" + text))
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
        var policy = PagePolicy(style: Self.style)
        if hasScript { policy.allow(script: Self.script) }
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

/// What a page may do in a browser: nothing but what is in it (Content Security Policy, level 3).
struct PagePolicy {
    private var parts = [
        "default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
    ]

    /// A page with exactly this style.
    init(style: String) {
        parts.append("style-src '\(Self.hash(style))'")
    }

    /// The header's value.
    var text: String { parts.joined(separator: "; ") }

    /// Lets exactly this script of the page run.
    mutating func allow(script: String) { parts.append("script-src '\(Self.hash(script))'") }

    /// Lets the page's script ask this server; no form of the page is sent.
    mutating func allowRequests() { parts += ["connect-src 'self'", "form-action 'none'"] }

    /// Lets the page's forms be sent to this server, which may send the browser on.
    mutating func allowForm(sentOnTo origin: String?) {
        parts.append("form-action 'self'" + (origin.map { " " + $0 } ?? ""))
    }

    static func hash(_ text: String) -> String {
        "sha256-" + base64(Array(SHA256.hash(data: Array(text.utf8))))
    }

    /// Base64 with padding (RFC 4648 §4).
    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var characters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                let digit = digits[bits >> (18 - 6 * index) & 63]
                characters.append(index <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}

/// The page that asks for a name and a password, or for a passkey.
struct SignInPage {
    let form: FormReading
    /// Where its forms go: `authorize`, with what the client asked with, or `account`.
    let action: String
    let ways: WaysIn
    /// Whether its accounts are those of a demo, which it names.
    var isDemo = false
    /// The result of the try before; the same text for every account.
    var notice: Notice?

    /// The ways to sign in beside a password.
    struct WaysIn {
        /// The relying party of passkeys, and the challenge they sign; nil where there are none.
        var passkey: (party: String, challenge: String)?
        /// Whether a password can be reset by e-mail.
        var canForget: Bool
        /// Whether it links to the account page.
        var leadsToAccount: Bool
    }

    /// Seconds for which a name is closed at most; one that is closed for longer waits for a new
    /// password.
    static let closingMax: Int64 = 900

    /// The result of a try.
    enum Notice: String {
        case wrong = "Name or password is wrong."
        case wrongPasskey = "The passkey was not accepted. Try again, or use your password."
        case wrongPasskeys = "The passkey was not accepted three times. Use your password."
        case passkeyFirst =
            "A password alone is not enough here. Sign in with a passkey; add your first one under Passkeys and password."
        /// The same also where the name is closed until a new password, and where no account has
        /// it.
        case closed =
            "Too many tries. Wait a few minutes, then try again. If it goes on, ask your administrator."
        case busy = "Many users are signing in. Try again in a moment."
        case late = "That took too long. Sign in again."
    }

    /// The notice after a password or passkey that is wrong.
    var refusal: Notice {
        guard form["challenge"] != nil else { return .wrong }
        return ways.passkey == nil ? .wrongPasskeys : .wrongPasskey
    }

    /// The answer where a sign-in is refused.
    ///
    /// - Parameters:
    ///   - notice: The reason.
    ///   - origin: Where the browser is sent after a sign-in; nil for nowhere.
    ///   - seconds: After how long to try again, where that is known.
    /// - Returns: The page again.
    func refusing(_ notice: Notice, _ origin: String?, seconds: Int64? = nil) -> Response {
        var page = self
        page.notice = notice
        switch notice {
        case .wrong, .wrongPasskey, .wrongPasskeys, .passkeyFirst, .late:
            return page.response(.forbidden, origin)
        case .closed:
            let wait = seconds.map { min($0, Self.closingMax) }
            return page.response(.tooManyRequests, origin, retryAfter: wait)
        case .busy: return page.response(.serviceUnavailable, origin, retryAfter: 10)
        }
    }

    /// The answer.
    func response(
        _ status: HTTPResponse.Status,
        _ origin: String?,
        retryAfter seconds: Int64? = nil
    ) -> Response {
        page.response(status, sentOnTo: origin, retryAfter: seconds)
    }

    /// The page as it is.
    var page: Page {
        let fields = AuthorizeRoute.fieldNames.compactMap { name in
            form[name].map { ["name": name, "value": $0] }
        }
        var values: [String: Any] = [
            "action": action, "fields": fields, "username": form["username"] ?? "",
            "forgotten": ways.canForget, "account": ways.leadsToAccount,
            "isForAccount": !ways.leadsToAccount,
        ]
        if let passkey = ways.passkey {
            values["passkey"] = ["party": passkey.party, "challenge": passkey.challenge]
        }
        if isDemo {
            values["demo"] = [
                "text": DemoAccounts.notice, "password": DemoAccounts.password,
                "accounts": DemoAccounts.all.map {
                    ["name": $0.name, "role": $0.role.rawValue, "purpose": $0.purpose]
                },
            ]
        }
        return Page(
            .signIn,
            notice: notice?.rawValue,
            hasScript: ways.passkey != nil,
            values
        )
    }
}
