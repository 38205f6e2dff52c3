/// A list of two-character codes in one cell, such as the modifiers of a claim line.
///
///     RHQN   RH QN   rh,qn   RH-QN        are all the codes RH and QN
///
/// Exports write the codes with or without marks between them. As one text, `TQNH` seems to hold
/// QN; as a list it is TQ and NH. Hence every list is stored in one form, with a blank between two
/// codes: there a search for a code finds that code and nothing else.
public enum CodeList {
    /// The number of characters of a code.
    static let codeSize = 2

    /// The codes of a text, in capitals, one blank between two of them.
    ///
    /// - Parameter text: The text of a cell.
    /// - Returns: The codes, empty where the text holds marks alone; nil where the text cannot be
    ///   divided: letters or digits between two marks that are odd in number, or another character.
    public static func codes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var codes: [UInt8] = []
        var isInside = false
        for byte in text {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
                if !isInside, !codes.isEmpty { codes.append(0x20) }
                codes.append((0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
                isInside.toggle()
            case 0x09, 0x20, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x3B, 0x7C:
                // Between codes: a tab, a blank, or one of `,-./:;|`.
                guard !isInside else { return nil }
            default: return nil
            }
        }
        return isInside ? nil : codes
    }

    /// The codes of a text that is no cell, such as a value in an example of a rule.
    ///
    /// - Parameter text: The text.
    /// - Returns: The codes, as those of a cell; nil where the text cannot be divided.
    public static func codes(_ text: String) -> String? {
        codes(text.utf8).map { String(decoding: $0, as: UTF8.self) }
    }
}
