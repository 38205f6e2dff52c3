/// An object of a JSON text, read member by member; faults name the way to the member.
public struct JSONObject: Sendable {
    /// The names that lead to it, such as `files[3]`; empty at the top.
    public let place: String
    private let members: [JSONDocument.Member]

    /// Reads a JSON text whose value is an object.
    ///
    /// - Parameter bytes: The text.
    /// - Throws: ``JSONFault`` where it is none.
    public init(_ bytes: [UInt8]) throws(JSONFault) {
        try self.init(try JSONDocument(bytes), place: "")
    }

    /// Takes a value as an object.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - place: The names that lead to it.
    /// - Throws: ``JSONFault`` where it is something else.
    public init(_ value: JSONDocument, place: String) throws(JSONFault) {
        guard case .object(let members) = value else {
            throw Self.fault(place, value, expecting: "an object")
        }
        self.members = members
        self.place = place
    }

    /// The value of a member; nil where it is missing or null.
    public subscript(name: String) -> JSONDocument? {
        let found = members.first { $0.name == name }?.value
        return found == .null ? nil : found
    }

    /// Its members, in order.
    public var all: [JSONDocument.Member] { members }

    /// A text; a fault where it is missing.
    public func text(_ name: String) throws(JSONFault) -> String {
        guard let text = try optionalText(name) else { throw missing(name) }
        return text
    }

    /// A text; nil where it is missing or null.
    public func optionalText(_ name: String) throws(JSONFault) -> String? {
        switch self[name] {
        case .text(let text): return text
        case nil: return nil
        case let other?: throw Self.fault(path(name), other, expecting: "a text")
        }
    }

    /// A whole number; a fault where it is missing.
    public func integer(_ name: String) throws(JSONFault) -> Int64 {
        guard let value = try optionalInteger(name) else { throw missing(name) }
        return value
    }

    /// A whole number; nil where it is missing or null.
    public func optionalInteger(_ name: String) throws(JSONFault) -> Int64? {
        switch self[name] {
        case .integer(let value): return value
        case nil: return nil
        case let other?: throw Self.fault(path(name), other, expecting: "a number")
        }
    }

    /// A count or an index, which is never negative; a fault where it is missing.
    public func count(_ name: String) throws(JSONFault) -> Int {
        let value = try integer(name)
        guard value >= 0 else {
            throw JSONFault(place: path(name), finding: "is negative, expected 0 or more")
        }
        return Int(value)
    }

    /// A truth; a fault where it is missing.
    public func truth(_ name: String) throws(JSONFault) -> Bool {
        switch self[name] {
        case .truth(let value): return value
        case nil: throw missing(name)
        case let other?: throw Self.fault(path(name), other, expecting: "true or false")
        }
    }

    /// An object; a fault where it is missing.
    public func object(_ name: String) throws(JSONFault) -> JSONObject {
        guard let object = try optionalObject(name) else { throw missing(name) }
        return object
    }

    /// An object; nil where it is missing or null.
    public func optionalObject(_ name: String) throws(JSONFault) -> JSONObject? {
        guard let value = self[name] else { return nil }
        return try JSONObject(value, place: path(name))
    }

    /// The values of an array; a fault where it is missing.
    public func list(_ name: String) throws(JSONFault) -> [JSONDocument] {
        switch self[name] {
        case .list(let values): return values
        case nil: throw missing(name)
        case let other?: throw Self.fault(path(name), other, expecting: "an array")
        }
    }

    /// The objects of an array, each made into a value; a fault where the array is missing.
    public func objects<Value>(
        _ name: String,
        _ make: (JSONObject) throws(JSONFault) -> Value
    ) throws(JSONFault) -> [Value] {
        var made: [Value] = []
        for (index, value) in try list(name).enumerated() {
            made.append(try make(JSONObject(value, place: path(name) + "[\(index)]")))
        }
        return made
    }

    /// The texts of an array; a fault where it is missing.
    public func texts(_ name: String) throws(JSONFault) -> [String] {
        var texts: [String] = []
        for (index, value) in try list(name).enumerated() {
            guard case .text(let text) = value else {
                throw Self.fault(path(name) + "[\(index)]", value, expecting: "a text")
            }
            texts.append(text)
        }
        return texts
    }

    /// A member whose text is one of some words; a fault for any other.
    ///
    /// - Parameters:
    ///   - name: The member.
    ///   - type: The words, as a type.
    /// - Returns: The word.
    /// - Throws: ``JSONFault`` where the member is missing or no such word.
    public func word<Word: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(JSONFault) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: try text(name)) else {
            let known = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw JSONFault(place: path(name), finding: "is an unknown word, expected \(known)")
        }
        return word
    }

    /// A fault about a member.
    ///
    /// - Parameters:
    ///   - name: The member.
    ///   - finding: What was found and what was expected.
    /// - Returns: The fault.
    public func fault(_ name: String, _ finding: String) -> JSONFault {
        JSONFault(place: path(name), finding: finding)
    }

    private func path(_ name: String) -> String { place.isEmpty ? name : place + "." + name }

    private func missing(_ name: String) -> JSONFault {
        JSONFault(place: path(name), finding: "is missing")
    }

    private static func fault(
        _ place: String,
        _ value: JSONDocument,
        expecting: String
    ) -> JSONFault {
        JSONFault(
            place: place.isEmpty ? "the text" : place,
            finding: "is \(value.kind), expected \(expecting)"
        )
    }
}
