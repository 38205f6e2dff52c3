/// Forms of cells that no type tells: why amounts, days and ids cannot be read, and who is named.
enum CellForm: CaseIterable {
    /// An amount with two decimals, or one with a dollar sign.
    case wholeCents
    /// An amount with two decimals or more, or one with a dollar sign.
    case centsOrFiner
    /// A comma before one or two last digits, as in `12,50`.
    case decimalComma
    /// A minus behind an amount, as in `12.50-`.
    case minusBehind
    /// The number that a spreadsheet has for a day from 1954 to 2118, as `46309.27`.
    case spreadsheetDay
    /// A number that a spreadsheet shortened, as `1.23E+11`.
    case shortenedNumber
    /// Nine digits written as a Social Security number.
    case socialSecurity
    /// A last and a first name with a comma between them.
    case personName
    /// No digit.
    case wordsAlone

    /// Whether a cell has the form.
    ///
    /// - Parameter text: The cell's text, trimmed and not empty.
    /// - Returns: True where it has.
    func fits(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .wholeCents: Self.isWholeCents(text)
        case .centsOrFiner: Self.isCentsOrFiner(text)
        case .decimalComma: Self.hasDecimalComma(text)
        case .minusBehind: text.count > 1 && text.last == 0x2D && Self.isDigit(text[0])
        case .spreadsheetDay: Self.isSpreadsheetDay(text)
        case .shortenedNumber: Self.isShortened(text)
        case .socialSecurity: Self.isSocialSecurity(text)
        case .personName: Self.isPersonName(text)
        case .wordsAlone: !text.contains(where: Self.isDigit)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWholeCents(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if text.contains(0x24) { return true }
        let decimals = text.suffix(2)
        return text.count >= 4 && text[text.count - 3] == 0x2E && decimals.allSatisfy(isDigit)
    }

    private static func isCentsOrFiner(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if text.contains(0x24) { return true }
        guard let point = text.lastIndex(of: 0x2E) else { return false }
        let decimals = text[(point + 1)...].prefix(while: isDigit)
        return decimals.count >= 2
    }

    private static func hasDecimalComma(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let comma = text.lastIndex(of: 0x2C) else { return false }
        let decimals = text[(comma + 1)...]
        return (1...2).contains(decimals.count) && decimals.allSatisfy(isDigit)
            && text.allSatisfy { $0 <= 0x39 }
    }

    private static func isSpreadsheetDay(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let days = text.prefix { $0 != 0x2E }
        return days.count == 5 && days.allSatisfy(isDigit) && (0x32...0x37).contains(text[0])
            && text.dropFirst(6).allSatisfy(isDigit)
    }

    private static func isShortened(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let mark = text.lastIndex(of: 0x2B), mark >= 2 else { return false }
        return text[mark - 1] | 0x20 == 0x65 && isDigit(text[0])
            && text[(mark + 1)...].allSatisfy(isDigit)
            && text[..<(mark - 1)].allSatisfy { isDigit($0) || $0 == 0x2E }
    }

    private static func isSocialSecurity(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count == 11
            && text.indices.allSatisfy { index in
                index == 3 || index == 6 ? text[index] == 0x2D : isDigit(text[index])
            }
    }

    /// Words after the comma in the name of a company.
    private static let companyWords: Set = ["inc", "llc", "ltd", "corp", "co", "lp", "pc", "plc"]

    private static func isPersonName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= 60, text.count(where: { $0 == 0x2C }) == 1 else { return false }
        let sides = String(decoding: text, as: UTF8.self).split(separator: ",")
            .map { $0.split(separator: " ") }
        guard sides.count == 2, (1...3).contains(sides[0].count), (1...3).contains(sides[1].count)
        else { return false }
        let isName = sides.joined().allSatisfy { word in
            word.allSatisfy { $0.isLetter || "-'.’".contains($0) } && word.first?.isLetter == true
        }
        let given = sides[1][0]
        // `Transfer, urgent` is no name.
        let areCapitals = [sides[0].last, given].allSatisfy { $0?.first?.isUppercase ?? false }
        // `Reno, NV` is a place.
        let isState = sides[1].count == 1 && given.count == 2 && given == given.uppercased()
        return isName && areCapitals && !isState
            && !companyWords.contains(given.lowercased().filter { $0 != "." })
    }
}
