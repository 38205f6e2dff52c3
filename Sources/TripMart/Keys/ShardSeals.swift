import TripCrypto
import TripDomain

/// What the tasks of a divided run seal with the mart's keys, many values at a time.
///
/// Each of the functions belongs to one thread at a time.
extension MartKeys {
    /// The references of trips as bytes: what ``ref(ofTrip:)`` writes in base64url.
    ///
    /// - Returns: A function that appends the reference of a trip id, in UTF-8, to some bytes.
    public func refWriter() -> (UnsafeRawBufferPointer, inout [UInt8]) -> Void {
        let wrapper = AESKeyWrap.Wrapper(key: tripRef)
        var plain: [UInt8] = []
        return { id, refs in
            plain.removeAll(keepingCapacity: true)
            plain.append(Self.refForm)
            plain.append(contentsOf: id)
            let start = refs.count
            let size = AESKeyWrap.wrappedSize(plain.count)
            refs.append(contentsOf: repeatElement(0, count: size))
            plain.withUnsafeBytes { plain in
                refs.withUnsafeMutableBytes { refs in
                    wrapper.wrap(
                        plain,
                        into: UnsafeMutableRawBufferPointer(rebasing: refs[start...])
                    )
                }
            }
        }
    }

    /// Appends a reference in bytes as the text that ``TripRef`` has.
    ///
    /// - Parameters:
    ///   - ref: The bytes, as ``refWriter()`` writes them.
    ///   - text: Receives letters, digits, `-` and `_`.
    public static func appendText(ofRef ref: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        Base64URL.append(ref, to: &text)
    }

    /// The size of a digest of ``versionDigests()``.
    public static let digestSize = 16

    /// Digests of the values of a version of a trip: equal for equal bytes, and for others with a
    /// chance of one in 2^128.
    ///
    /// The key keeps others from finding values by trying.
    ///
    /// - Returns: A function that appends the digest of some bytes to others.
    public func versionDigests() -> (UnsafeRawBufferPointer, inout [UInt8]) -> Void {
        let code = HMACSHA256(key: versionDigest)
        return { values, digests in
            code.withCode(of: values) { digests.append(contentsOf: $0.prefix(Self.digestSize)) }
        }
    }

    /// The references of patients, as the table `patient` has them.
    ///
    /// - Returns: A function that gives the reference of an identifier as it was read; nil for one
    ///   without a character.
    public func patientReferences() -> (UnsafeRawBufferPointer) -> Int64? {
        let ref = patientRefs()
        return { identifier in
            let normalised = Self.normalised(identifier)
            return normalised.isEmpty ? nil : normalised.withUnsafeBytes(ref)
        }
    }

    /// Seals identifiers of patients as the table `patient` does, by their references.
    ///
    /// - Parameter count: The number of identifiers that are sealed at most.
    /// - Returns: A function that seals one identifier, normalised, under its reference.
    /// - Throws: ``MartError`` with code `sealBroken` where the system returns no random bytes.
    public func patientSealer(count: Int) throws(MartError) -> ValueSealer {
        try ValueSealer(PatientTable.sealer(self, count: count)) { Self.normalised($0) }
    }

    /// Seals the raw records of rejects of a divided run.
    ///
    /// - Parameters:
    ///   - plan: The hash of its plan.
    ///   - count: The number of records that are sealed at most.
    /// - Returns: A function that seals one record under the number of its file and its own.
    /// - Throws: ``MartError`` with code `sealBroken` where the system returns no random bytes.
    public func rejectSealer(plan: String, count: Int) throws(MartError) -> ValueSealer {
        try ValueSealer(
            ColumnSealer(self, table: "shard/" + plan, column: "reject", count: count)
        ) { Array($0) }
    }

    /// Opens the raw record of a reject of a divided run.
    ///
    /// - Parameters:
    ///   - sealed: What ``rejectSealer(plan:count:)`` made of it.
    ///   - plan: The hash of the plan.
    ///   - row: The number it was sealed under.
    /// - Returns: The raw record.
    /// - Throws: ``MartError`` with code `sealBroken` where it was not sealed so.
    public func openReject(
        _ sealed: [UInt8],
        plan: String,
        row: Int64
    ) throws(MartError) -> [UInt8] {
        try open(sealed, table: "shard/" + plan, column: "reject", row: row)
    }

    /// Opens a key file, and refuses any but the one of a plan.
    ///
    /// - Parameters:
    ///   - keyFile: The path of the key file.
    ///   - checkValue: The value that identifies it.
    /// - Returns: The keys.
    /// - Throws: ``MartError`` with code `keyMissing`, `keyWrong`, `keyPermissions`,
    ///   `keyUnreadable` or `keyMalformed`.
    public static func open(
        keyFile: String,
        checkValue: String
    ) throws(MartError) -> MartKeys {
        guard try isThere(keyFile) else {
            throw MartError(
                .keyMissing,
                file: keyFile,
                remedy: "The plan was made with a key file that is not there. Name it with "
                    + "--key-file; a driver passes it as /proc/self/fd/N."
            )
        }
        let keys = try read(keyFile)
        guard keys.checkValue == checkValue else {
            throw MartError(
                .keyWrong,
                file: keyFile,
                remedy: "The plan was made with another key file. Name that one with --key-file."
            )
        }
        return keys
    }
}

/// Seals values of one kind, one after the other.
///
/// Used by one thread at a time.
public struct ValueSealer: ~Copyable {
    private var sealer: ColumnSealer
    private let form: (UnsafeRawBufferPointer) -> [UInt8]

    init(
        _ sealer: consuming ColumnSealer,
        form: @escaping (UnsafeRawBufferPointer) -> [UInt8]
    ) {
        self.sealer = sealer
        self.form = form
    }

    /// Seals a value.
    ///
    /// - Parameters:
    ///   - plain: The value.
    ///   - row: The number it is sealed under; it opens under no other.
    /// - Returns: Nonce, cipher text and tag.
    /// - Throws: ``MartError`` with code `sealBroken`.
    /// - Precondition: At most as many values are sealed as the sealer was made for.
    public mutating func seal(
        _ plain: UnsafeRawBufferPointer,
        row: Int64
    ) throws(MartError) -> [UInt8] {
        let value = form(plain)
        return try value.withUnsafeBufferPointer { value throws(MartError) in
            try sealer.seal(UnsafeRawBufferPointer(value), row: row)
        }
    }
}
