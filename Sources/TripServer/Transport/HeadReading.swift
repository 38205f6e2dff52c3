import NIOHTTP1
import TripDomain

/// The parts of a request's head that RFC 9112 depends on: the host, the length, and whether the
/// request is the last.
///
/// It reads each header once, since it reads every request; nothing is copied.
struct HeadReading {
    /// Whether nothing that follows the request on its connection is to be read.
    let isLast: Bool
    /// Whether it is of HTTP/1.0, which knows neither chunks nor expectations, and need not name a
    /// host.
    private let isOld: Bool
    private let authority: Substring.UTF8View?
    private var host: String?
    private var hostCount = 0
    private var coding: String?
    private var codingCount = 0
    private var expectation: String?
    private var hasBody = false

    /// Reads a head.
    init(_ head: HTTPRequestHead) {
        isOld = head.version.minor == 0
        authority = Self.authority(in: head.uri)
        // HTTP/1.0 keeps a connection open by a header that a proxy between may not know.
        isLast = isOld || !head.isKeepAlive
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 4 where Self.isWord(name.utf8[...], "host"):
                host = value
                hostCount += 1
            case 6 where Self.isWord(name.utf8[...], "expect"):
                expectation = value
            case 14 where Self.isWord(name.utf8[...], "content-length"):
                hasBody = hasBody || value != "0"
            case 17 where Self.isWord(name.utf8[...], "transfer-encoding"):
                coding = value
                codingCount += 1
                hasBody = true
            default: break
            }
        }
    }

    /// Why the request is not answered; nil where it may be.
    ///
    /// - Parameter hosts: Those the server answers for; nil for any.
    /// - Returns: The problem.
    func problem(_ hosts: HostNames?) -> Problem? {
        // Where a body ends under another coding, a proxy in front may see otherwise (RFC 9112
        // §6.1).
        if let coding, isOld || codingCount > 1 || !Self.isWord(Self.trimmed(coding), "chunked") {
            return .badRequest
        }
        guard hostCount == 1 || isOld && hostCount == 0 else { return .badRequest }
        if let host, let problem = Self.problem(of: Self.trimmed(host), hosts) { return problem }
        // A target that is a whole address names the host (RFC 9112 §3.2.2).
        if let authority, let problem = Self.problem(of: authority, hosts) { return problem }
        return isOld || expectation == nil || expectsToGoOn ? nil : .expectationFailed
    }

    /// Why a host is refused; nil where it is not.
    private static func problem(of authority: Substring.UTF8View, _ hosts: HostNames?) -> Problem? {
        guard let name = HostNames.host(in: authority) else { return .badRequest }
        return hosts?.contains(name) ?? true ? nil : .misdirected
    }

    /// The host and the port in a target that is a whole address; nil in a path.
    private static func authority(in target: String) -> Substring.UTF8View? {
        let slash = UInt8(ascii: "/")
        guard target.utf8.first != slash else { return nil }
        // As the library parses it: another reading of the target would answer for another host.
        var rest = target.utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[colon...].dropFirst()
            guard rest.starts(with: [slash, slash]) else { continue }
            return rest.dropFirst(2)
                .prefix { ![slash, UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        }
        return nil
    }

    /// Whether the client sends the body only after a 100 answer (RFC 9110 §10.1.1).
    var waitsToGoOn: Bool { !isOld && hasBody && expectsToGoOn }

    private var expectsToGoOn: Bool {
        expectation.map { Self.isWord(Self.trimmed($0), "100-continue") } ?? false
    }

    private static func trimmed(_ value: String) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        }
        var rest = value.utf8.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    /// Whether a text is a word of small letters, however it is written.
    private static func isWord(_ text: Substring.UTF8View, _ word: String) -> Bool {
        text.elementsEqual(word.utf8) { $0 | 0x20 == $1 }
    }
}
