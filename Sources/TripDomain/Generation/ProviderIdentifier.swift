/// The National Provider Identifier: ten digits, the first 1 or 2, the last a check digit.
///
/// - SeeAlso: 45 CFR 162.406; the check digit is Luhn's over `80840` and the first nine digits.
public enum ProviderIdentifier {
    /// The part of Luhn's sum that the prefix `80840` contributes.
    public static let prefixSum = 24

    /// Whether ten digits form a valid identifier.
    ///
    /// Inlinable: the reader calls it once per cell, and unspecialized it costs a tenth of a trip.
    @inlinable public static func isValid(_ text: some Collection<UInt8>) -> Bool {
        guard text.count == 10, let first = text.first, first == 0x31 || first == 0x32 else {
            return false
        }
        var sum = prefixSum
        for (index, byte) in text.enumerated() {
            guard byte >= 0x30, byte <= 0x39 else { return false }
            let digit = Int(byte - 0x30)
            // Counted from the right, every second digit is doubled: here the even indexes.
            let weighted = index % 2 == 0 ? digit * 2 : digit
            sum += weighted > 9 ? weighted - 9 : weighted
        }
        return sum % 10 == 0
    }
}
