/// A CBOR value (RFC 8949) as authenticators write it: definite lengths, and only these types.
enum CBORValue: Sendable, Hashable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case list([CBORValue])
    case map([CBORValue: CBORValue])
    case bool(Bool)
    case null

    /// The value of a map for a text key; nil where this is not a map, or lacks the key.
    subscript(_ name: String) -> CBORValue? {
        guard case .map(let members) = self else { return nil }
        return members[.text(name)]
    }

    /// The value of a map for a number key; nil where this is not a map, or lacks the key.
    subscript(_ number: Int64) -> CBORValue? {
        guard case .map(let members) = self else { return nil }
        return members[.integer(number)]
    }

    /// The bytes of a byte string; nil for other types.
    var byteString: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }
}

/// Reads CBOR values one after another.
///
/// A value that is malformed, incomplete, nested too deeply or has a key twice is nil, and nothing
/// after it is read.
struct CBORReading {
    private var rest: ArraySlice<UInt8>

    /// Authenticators nest values four deep at most (CTAP 2.1, §8).
    private static let depthMax = 4

    /// Begins at the first byte.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The bytes that are not read yet.
    var unread: ArraySlice<UInt8> { rest }

    /// The next value.
    ///
    /// - Returns: The value; nil where there is none.
    mutating func value() -> CBORValue? { value(depth: 0) }

    private mutating func value(depth: Int) -> CBORValue? {
        guard depth <= Self.depthMax, let head = rest.popFirst(),
            let argument = argument(head & 31)
        else { return nil }
        switch head >> 5 {
        case 0: return Int64(exactly: argument).map(CBORValue.integer)
        case 1: return Int64(exactly: argument).map { .integer(-1 - $0) }
        case 2: return bytes(argument).map { .bytes(Array($0)) }
        case 3:
            return bytes(argument).flatMap { String(validating: $0, as: UTF8.self) }
                .map(CBORValue.text)
        case 4: return list(argument, depth: depth)
        case 5: return map(argument, depth: depth)
        case 7: return simple(head & 31)
        default: return nil
        }
    }

    /// The number that a head byte contains or that follows it.
    private mutating func argument(_ short: UInt8) -> UInt64? {
        switch short {
        case 0..<24: UInt64(short)
        case 24...27:
            bytes(1 << UInt64(short - 24)).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        default: nil
        }
    }

    private mutating func bytes(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(rest.count) else { return nil }
        let bytes = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return bytes
    }

    private mutating func list(_ count: UInt64, depth: Int) -> CBORValue? {
        // Every value takes at least one byte, so that a greater count is malformed.
        guard count <= UInt64(rest.count) else { return nil }
        var values: [CBORValue] = []
        for _ in 0..<count {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
        }
        return .list(values)
    }

    private mutating func map(_ count: UInt64, depth: Int) -> CBORValue? {
        guard count <= UInt64(rest.count / 2) else { return nil }
        var members: [CBORValue: CBORValue] = [:]
        for _ in 0..<count {
            guard let name = value(depth: depth + 1), let value = value(depth: depth + 1),
                members.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return .map(members)
    }

    private func simple(_ number: UInt8) -> CBORValue? {
        switch number {
        case 20: .bool(false)
        case 21: .bool(true)
        case 22: .null
        default: nil
        }
    }
}
