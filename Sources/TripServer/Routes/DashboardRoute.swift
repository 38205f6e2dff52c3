import Crypto
import HTTPTypes
import Hummingbird

/// `GET /`, `/app` and what lies below it, `/assets/…` and `/service-worker.js`: the dashboard.
///
/// Its files are a part of the program. Each has a part of its hash in its name, so that browsers
/// keep it for good; the import map of the page tells modules these names.
struct DashboardRoute {
    /// The dashboard within the program: its page is made once a process, at the first use.
    static let embedded = DashboardRoute()

    private let files: [String: FixedAnswer]
    private let page: FixedAnswer
    private let worker: FixedAnswer
    private let policy: String

    private static let folder = "Dashboard/"

    private static let mediaTypes = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml", "json": "application/json",
        "webmanifest": "application/manifest+json",
    ]

    /// Files that are no assets: what the style sheet is made from, and what has a path of its own.
    private static let others = [
        "design-tokens.json", "index.html", "manifest.webmanifest", "service-worker.js",
    ]

    /// Names the files and makes the page.
    private init() {
        func text(_ path: String) -> String { EmbeddedFiles.text(Self.folder + path) }
        var files: [String: FixedAnswer] = [:]
        var names: [String: String] = [:]
        func add(_ path: String, _ text: String) {
            let hash = SHA256.hash(data: Array(text.utf8)).prefix(5)
            let digits = hash.map { Self.hexadecimal($0) }.joined()
            let dot = path.lastIndex(of: ".") ?? path.endIndex
            let name = "/assets/" + path[..<dot] + "." + digits + path[dot...]
            names["/assets/" + path] = name
            let kind = path[dot...].dropFirst()
            files[name] = FixedAnswer(
                Array(text.utf8),
                mediaType: Self.mediaTypes[String(kind)] ?? "text/plain; charset=utf-8"
            )
        }
        for (path, text) in EmbeddedFiles.texts.sorted(by: { $0.key < $1.key })
        where path.hasPrefix(Self.folder) {
            let path = String(path.dropFirst(Self.folder.count))
            if !Self.others.contains(path) { add(path, text) }
        }
        func renamed(_ text: String) -> String {
            names.reduce(text) { text, name in
                text.replacing("\"\(name.key)\"", with: "\"\(name.value)\"")
            }
        }
        add("manifest.webmanifest", renamed(text("manifest.webmanifest")))
        let map = Self.importMap(names)
        let page = renamed(text("index.html"))
        let version = SHA256.hash(data: Array((map + page).utf8)).prefix(5)
            .map { Self.hexadecimal($0) }.joined()
        let whole = page.replacing("data-version=\"dev\"", with: "data-version=\"\(version)\"")
            .replacing("<!-- import map -->", with: "<script type=\"importmap\">\(map)</script>")
        self.page = FixedAnswer(Array(whole.utf8), mediaType: "text/html; charset=utf-8")
        worker = FixedAnswer(
            Array(text("service-worker.js").utf8),
            mediaType: "text/javascript; charset=utf-8"
        )
        self.files = files
        policy = Self.policy(map)
    }

    /// The page, whatever screen is asked for: the screens are told apart in the browser.
    ///
    /// - Parameter request: The request.
    /// - Returns: The page.
    func page(_ request: Request) -> Response {
        var response = page.response(to: request)
        response.headers[.contentSecurityPolicy] = policy
        return response
    }

    /// The worker that keeps the dashboard's files for a start without a network.
    ///
    /// - Parameter request: The request.
    /// - Returns: Its text.
    func worker(_ request: Request) -> Response {
        var response = worker.response(to: request)
        response.headers[.contentSecurityPolicy] = "default-src 'none'; connect-src 'self'"
        return response
    }

    /// A file under its hashed name.
    ///
    /// - Parameter request: The request.
    /// - Returns: The file.
    /// - Throws: `Problem` where no file of this version has the name.
    func file(_ request: Request) throws(Problem) -> Response {
        guard let file = files[request.uri.path] else { throw .notFound }
        var response = file.response(to: request)
        response.headers[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }

    /// The names of modules and of the JSON they import.
    private static func importMap(_ names: [String: String]) -> String {
        // Paths of the program's own files: nothing in them is to be escaped.
        let imports = names.sorted { $0.key < $1.key }
            .filter { $0.key.hasSuffix(".js") || $0.key.hasSuffix(".json") }
            .map { "\"\($0.key)\":\"\($0.value)\"" }
        return "{\"imports\":{" + imports.joined(separator: ",") + "}}"
    }

    private static func policy(_ map: String) -> String {
        let hash = PagePolicy.hash(map)
        return [
            "default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
            "script-src 'self' '\(hash)'", "style-src 'self'", "img-src 'self'",
            "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "form-action 'self'",
            "require-trusted-types-for 'script'", "trusted-types triptych",
        ].joined(separator: "; ")
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
