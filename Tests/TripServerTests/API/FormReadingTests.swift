import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import TripServer

@Suite struct FormReadingTests {
    private static func form(
        _ text: [UInt8],
        type: String? = "application/x-www-form-urlencoded"
    ) async throws -> FormReading {
        var headers = HTTPFields()
        headers[.contentType] = type
        let request = Request(
            head: HTTPRequest(
                method: .post,
                scheme: "http",
                authority: "localhost",
                path: "/token",
                headerFields: headers
            ),
            body: RequestBody(buffer: ByteBuffer(bytes: text))
        )
        return try await FormReading(request)
    }

    @Test func fieldsComeWithoutTheirEscapes() async throws {
        let form = try await Self.form(Array("a=b+c&d%20=%C3%A9%2b%26&e&f=&=g&h=i=j".utf8))
        #expect(form["a"] == "b c")
        #expect(form["d "] == "é+&")
        #expect(form["e"] == nil)
        #expect(form["f"] == nil)
        #expect(form["h"] == "i=j")
        #expect(form["k"] == nil)
    }

    @Test(arguments: [
        "a=b&a=c", "a&a", "a=%", "a=%4", "a=%4g", "%=a", "a=%ff", "a=%c0%ae", "a=\u{1}%e2%82",
    ])
    func anIncompleteEscapeIsRefused(text: String) async throws {
        await #expect(throws: Problem.self) { try await Self.form(Array(text.utf8)) }
    }

    @Test func bytesThatAreNoTextAreRefused() async throws {
        await #expect(throws: Problem.self) { try await Self.form([0x61, 0x3d, 0xff]) }
    }

    @Test(arguments: [nil, "", "text/plain", "application/json", "multipart/form-data; boundary=a"])
    func otherMediaTypesAreRefused(type: String?) async throws {
        let problem = try await #require(throws: Problem.self) {
            try await Self.form(Array("a=b".utf8), type: type)
        }
        #expect(problem.status == .unsupportedMediaType)
    }

    @Test func mediaTypeMayHaveParametersAndCapitals() async throws {
        let type = "Application/X-WWW-Form-Urlencoded; charset=UTF-8"
        #expect(try await Self.form(Array("a=b".utf8), type: type)["a"] == "b")
    }

    @Test func moreThanAnyFormOfOursIsRefused() async throws {
        let most = Array("a=".utf8) + Array(repeating: UInt8(ascii: "b"), count: 16 * 1024 - 2)
        #expect(try await Self.form(most)["a"]?.count == 16 * 1024 - 2)
        let problem = try await #require(throws: Problem.self) {
            try await Self.form(most + [UInt8(ascii: "b")])
        }
        #expect(problem.status == .contentTooLarge)
    }

    @Test(arguments: [
        ("a=1&monht=2", "unknown_parameter", "monht", "Did you mean month?"),
        ("month=1&month=2", "unknown_parameter", "month", "twice"),
        ("month=%4", "bad_request", "month", ""),
        ("monthly-report=1", "unknown_parameter", "monthly-report", "knows"),
        ("1008000001V123456=1", "unknown_parameter", nil, "It knows: a, month."),
        ("%3Cscript%3E=1", "unknown_parameter", nil, ""),
        (String(repeating: "x", count: 33), "unknown_parameter", nil, ""),
    ])
    func aProblemNamesItsParameter(
        query: String,
        code: String,
        parameter: String?,
        words: String
    ) throws {
        let request = Request(
            head: HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "localhost",
                path: "/kpi?" + query
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
        let problem = try #require(throws: Problem.self) {
            try FormReading(query: request, known: ["a", "month"])
        }
        #expect(problem.code == code)
        #expect(problem.parameter == parameter)
        #expect(words.isEmpty || problem.detail.contains(words), "\(problem.detail)")
    }
}
