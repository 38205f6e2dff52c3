import Testing

@testable import TripRuns

@Suite struct CellFormTests {
    @Test(arguments: [
        (CellForm.wholeCents, "12.50"), (.wholeCents, "$12"), (.wholeCents, "-1,204.00"),
        (.decimalComma, "12,5"), (.decimalComma, "1.204,50"), (.minusBehind, "12.50-"),
        (.spreadsheetDay, "46309"), (.spreadsheetDay, "46309.2708"),
        (.shortenedNumber, "1.23457E+11"), (.shortenedNumber, "2e+05"),
        (.socialSecurity, "123-45-6789"), (.personName, "Quillfeather, Ada"),
        (.personName, "VAN OMBERSLEY, ADA B."), (.personName, "de la Zell, Ada"),
        (.wordsAlone, "BLS"), (.personName, "O'Zell-Ash, Jo"),
    ])
    func aCellHasItsForm(form: CellForm, text: String) {
        #expect(Self.fits(form, text))
    }

    @Test(arguments: [
        (CellForm.wholeCents, "12.5"), (.wholeCents, "12.505"), (.wholeCents, ".50"),
        (.decimalComma, "1,204"), (.decimalComma, "1,204.50"), (.decimalComma, "a,50"),
        (.minusBehind, "-"), (.minusBehind, "-12.50"), (.minusBehind, "M-"),
        (.spreadsheetDay, "12345"), (.spreadsheetDay, "463090"), (.spreadsheetDay, "46309.2.7"),
        (.spreadsheetDay, "4630.27"), (.shortenedNumber, "1.2E11"), (.shortenedNumber, "A+11"),
        (.shortenedNumber, "E+11"), (.socialSecurity, "123-456-789"), (.personName, "Reno, NV"),
        (.personName, "Birch EMS, Inc."), (.personName, "Quillfeather"), (.personName, "a, b, c"),
        (.personName, "Transfer, urgent"), (.wordsAlone, "M7"),
        (.personName, "Unit 7, spare"), (.personName, "One, two three four five"),
    ])
    func anotherCellHasNot(form: CellForm, text: String) {
        #expect(!Self.fits(form, text))
    }

    private static func fits(_ form: CellForm, _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { form.fits($0) }
    }
}
