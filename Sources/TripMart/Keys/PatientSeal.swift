import TripCrypto
import TripDomain

extension MartKeys {
    /// An identifier in the form in which it is compared: without surrounding blanks, in upper case
    /// (ASCII).
    static func normalised(_ identifier: some Collection<UInt8>) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = identifier.drop(while: isBlank)
        var bytes = start.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Whether an identifier is already normalised: no blank and no lower-case letter.
    static func isNormalised(_ identifier: UnsafeBufferPointer<UInt8>) -> Bool {
        identifier.allSatisfy { $0 > 0x20 && !(0x61...0x7A).contains($0) }
    }

    /// Computes the reference of a patient in the `trip` table: the first 63 bits of
    /// HMAC-SHA256(look-up key, normalised identifier); never negative.
    ///
    /// - Returns: A function for many identifiers, which one thread at a time may call: it sets
    ///   the key once.
    func patientRefs() -> (UnsafeRawBufferPointer) -> Int64 {
        let code = HMACSHA256(key: lookUp)
        return { normalised in
            code.withCode(of: normalised) {
                Int64(UInt64(bigEndian: $0.load(as: UInt64.self)) >> 1)
            }
        }
    }

    /// Opens a value that was sealed for one row and column of one table.
    func open(
        _ sealed: [UInt8],
        table: String,
        column: String,
        row: Int64
    ) throws(MartError) -> [UInt8] {
        var cell = SealedCell(table: table, column: column)
        guard
            let plain = AESGCM.open(sealed, key: sealing, authenticating: cell.bytes(row: row))
        else {
            throw MartError(
                .sealBroken,
                remedy: "A sealed value does not open. The file is damaged: verify it, and roll "
                    + "back to an undamaged generation."
            )
        }
        return plain
    }
}

/// The data that is authenticated with a sealed value, `table/column/row`, so that a value that was
/// moved to another row or column does not open.
private struct SealedCell {
    private var text: [UInt8]
    private let prefixSize: Int

    init(table: String, column: String) {
        text = Array("\(table)/\(column)/".utf8)
        prefixSize = text.count
    }

    mutating func bytes(row: Int64) -> [UInt8] {
        text.removeSubrange(prefixSize...)
        text.append(contentsOf: String(row).utf8)
        return text
    }
}

/// Seals values of one column: nonce, cipher text and tag in one blob.
///
/// It cannot be copied: two copies would seal under the same nonces.
struct ColumnSealer: ~Copyable {
    private var sealer: AESGCM.Sealer
    private var cell: SealedCell
    // Drawn in advance: asking the system for each nonce took a third of the time of sealing.
    private let nonces: [UInt8]
    private var used = 0

    /// - Parameters:
    ///   - keys: The mart's keys.
    ///   - table: The table the values belong to.
    ///   - column: Their column.
    ///   - count: The number of values that will be sealed.
    /// - Throws: ``MartError`` with code `sealBroken` where the system returns no random bytes.
    init(_ keys: MartKeys, table: String, column: String, count: Int) throws(MartError) {
        sealer = AESGCM.Sealer(key: keys.sealing)
        cell = SealedCell(table: table, column: column)
        do throws(CryptoFault) {
            nonces = try RandomBytes.make(AESGCM.nonceSize * count)
        } catch {
            throw MartError(.sealBroken, remedy: error.remedy, cause: error)
        }
    }

    /// Seals the value of a row.
    ///
    /// - Precondition: At most as many values are sealed as the sealer was created for.
    mutating func seal(_ plain: UnsafeRawBufferPointer, row: Int64) throws(MartError) -> [UInt8] {
        let range = used..<used + AESGCM.nonceSize
        used += AESGCM.nonceSize
        let (nonces, cell) = (nonces, cell.bytes(row: row))
        do throws(CryptoFault) {
            return try nonces.withUnsafeBufferPointer { nonces throws(CryptoFault) in
                try sealer.seal(
                    plain,
                    nonce: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: nonces[range])),
                    authenticating: cell
                )
            }
        } catch {
            throw MartError(.sealBroken, remedy: error.remedy, cause: error)
        }
    }
}
