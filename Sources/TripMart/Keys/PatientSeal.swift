import Crypto
public import TripDomain

extension MartKeys {
    /// An identifier as it is compared: without blanks around it, in upper case (ASCII).
    static func normalised(_ identifier: some Collection<UInt8>) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = identifier.drop(while: isBlank)
        var bytes = start.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Whether an identifier is already as it is compared: no blank and no lower-case letter.
    static func isNormalised(_ identifier: UnsafeBufferPointer<UInt8>) -> Bool {
        identifier.allSatisfy { $0 > 0x20 && !(0x61...0x7A).contains($0) }
    }

    /// What stands for a patient in the `trip` table: the first 63 bits of
    /// HMAC-SHA256(look-up key, normalised identifier); never negative.
    func patientRef(_ normalised: UnsafeRawBufferPointer) -> Int64 {
        var code = lookUp
        code.update(data: normalised)
        return code.finalize().withUnsafeBytes { digest in
            Int64(UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)) >> 1)
        }
    }

    /// What stands for a patient in the `trip` table.
    ///
    /// - Parameter identifier: The identifier as written; blanks and case do not matter.
    /// - Returns: The reference that the patient's trips carry.
    public func patientRef(_ identifier: Masked<String>) -> Int64 {
        Self.normalised(Array(identifier.revealed().utf8)).withUnsafeBytes { patientRef($0) }
    }

    /// Seals a value for one place of one table: nonce, cipher text and tag in one blob.
    ///
    /// The place is authenticated with it, so that a sealed value moved to another row or column
    /// does not open.
    func seal(
        _ plain: UnsafeRawBufferPointer,
        table: String,
        column: String,
        row: Int64
    ) throws(MartError) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(
                plain,
                using: sealing,
                authenticating: Self.place(table: table, column: column, row: row)
            )
            return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw MartError(.sealBroken, remedy: "Sealing failed. Run again.", cause: error)
        }
    }

    /// Opens a value sealed for one place of one table.
    func open(
        _ sealed: [UInt8],
        table: String,
        column: String,
        row: Int64
    ) throws(MartError) -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return Array(
                try AES.GCM.open(
                    box,
                    using: sealing,
                    authenticating: Self.place(table: table, column: column, row: row)
                )
            )
        } catch {
            throw MartError(
                .sealBroken,
                remedy: "A sealed value does not open. The file is damaged: verify it, and roll "
                    + "back to a generation that is whole."
            )
        }
    }

    private static func place(table: String, column: String, row: Int64) -> [UInt8] {
        Array("\(table)/\(column)/\(row)".utf8)
    }
}
