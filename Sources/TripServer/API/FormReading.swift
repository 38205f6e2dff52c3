import Hummingbird
import NIOCore

/// The fields of a form (`application/x-www-form-urlencoded`), read strictly and within limits.
struct FormReading {
    /// Every field, by its name.
    let fields: [String: String]

    /// Bytes at most: no form of ours has a twentieth of that.
    private static let byteCountMax = 16 * 1024
    /// How long a form may take to arrive.
    private static let deadline = Duration.seconds(10)

    /// Reads the body of a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``Problem`` where it is no form, too large, too slow, or has a field twice.
    init(_ request: Request) async throws {
        let type = request.headers[.contentType]?.split(separator: ";").first
        guard type?.lowercased() == "application/x-www-form-urlencoded" else {
            throw Problem.unsupportedMediaType
        }
        self.init(fields: try Self.fields(try await Self.body(request)))
    }

    /// Reads fields out of the query of a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``Problem`` where one is there twice, or an escape is not whole.
    init(query request: Request) throws(Problem) {
        self.init(fields: try Self.fields(request.uri.query ?? ""))
    }

    /// Reads the query of a request to a page that knows some fields alone.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - known: The fields there may be.
    /// - Throws: ``Problem`` where another is there, one is there twice, or an escape is not whole.
    init(query request: Request, known: Set<String>) throws(Problem) {
        try self.init(query: request)
        guard known.isSuperset(of: fields.keys) else {
            throw .unknownParameter(among: fields.keys, known: known)
        }
    }

    private init(fields: [String: String]) { self.fields = fields }

    /// Some of the fields, where they are there.
    func keeping(_ names: Set<String>) -> FormReading {
        FormReading(fields: fields.filter { names.contains($0.key) })
    }

    /// A field; nil where it is not there or empty.
    subscript(_ name: String) -> String? {
        fields[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func body(_ request: Request) async throws -> String {
        let bytes = try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            let body = request.body
            group.addTask { try await body.collect(upTo: byteCountMax) }
            group.addTask {
                try await Task.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            do {
                return try await group.next() ?? nil
            } catch is NIOTooManyBytesError {
                throw Problem.tooLarge
            } catch {
                // Every error here is the client's: cut off, or no HTTP.
                throw Problem.badRequest
            }
        }
        guard let bytes else { throw Problem.tooSlow }
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
            throw Problem.badRequest
        }
        return text
    }

    private static func fields(_ text: some StringProtocol) throws(Problem) -> [String: String] {
        // Most have fewer.
        var fields = [String: String](minimumCapacity: 8)
        for part in Substring(text).utf8.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = decoded(part[..<end]) else { throw .badRequest }
            guard let value = decoded(part[end...].dropFirst()) else {
                throw .unreadableParameter(name)
            }
            guard fields[name] == nil else { throw .repeatedParameter(name) }
            fields[name] = value
        }
        return fields
    }

    /// A name or value without its escapes; nil where they are not whole or not UTF-8.
    private static func decoded(_ text: Substring.UTF8View) -> String? {
        let hasEscapes = text.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        guard hasEscapes else { return String(Substring(text)) }
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
