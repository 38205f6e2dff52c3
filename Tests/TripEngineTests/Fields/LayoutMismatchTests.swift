import Testing
import TripDomain

@testable import TripEngine

/// The explanations of a header that is not the expected one.
@Suite struct LayoutMismatchTests {
    private func text(_ header: String) -> String {
        let mismatch = #expect(throws: LayoutMismatch.self) {
            try ExportReaderTests.read(header + "\nx\n")
        }
        return mismatch?.text ?? ""
    }

    @Test(arguments: [
        ("ID,at,station,paid,miles", "missing 'id', which the header writes 'ID'"),
        ("id ,at,station,paid,miles", "missing 'id', which the header writes 'id '"),
        ("id,at,Station,paid,miles", "missing 'station', which the header writes 'Station'"),
        ("ID,AT,STATION,PAID,MILES", "missing 'miles', which the header writes 'MILES'"),
        ("id,at,statoin,paid,miles", "nearest to 'station' is 'statoin' (column 3)"),
        ("id,at,station\u{A0},paid,miles", "which the header writes 'station\\u{00A0}'"),
        ("id,at,station\u{200B},paid,miles", "which the header writes 'station\\u{200B}'"),
        ("id,at,station,paid,miles,,", "columns 6 and 7 have no name"),
        ("id,at,station,paid,miles,,,\"\"", "columns 6, 7 and 8 have no name"),
        ("id,at,station,paid,miles,paid", "columns 4 and 6 have one name, 'paid'"),
        ("id,at,station,paid,miles,x,x,x", "columns 6, 7 and 8 have one name"),
        ("id,at,station,paid,miles,x", "column 6 is unknown"),
        ("id;at;station;paid;miles", "divided by semicolons it has 5 of the 5"),
        ("id\tat\tstation\tpaid\tmiles", "`dialect: {delimiter: tab}`"),
        ("id|at|station|cost|miles", "divided by vertical bars it has 4 of the 5"),
    ])
    func aHeaderNearTheExpectedOneIsExplained(header: String, words: String) {
        let text = text(header)
        #expect(text.contains(words), "\(text)")
    }

    @Test(arguments: [
        "T-1;2026-05-03T10:00;528;1234567890V123456;1", "T-1,2026-05-03T10:00,Doe,528,1",
        "1234567890V123456,at,station,paid,miles", "id,at,station,paid,miles,Doe",
        "id,at,station,paid,miles,Doe,Doe", "id,at,Doe,paid,miles", "id,at,Doesation,paid,miles",
        "Do,at,station,paid,miles", "id,Doe,station,paid,Dole",
        "id,at,station,paid,miles,Doe,,Doe",
    ])
    func dataInTheLineOfTheHeaderIsNeverPrinted(header: String) {
        let text = text(header)
        #expect(!text.contains("1234567890V123456") && !text.contains("Do"), "\(text)")
    }

    @Test func aHeaderOfManyColumnsIsExplainedSoon() {
        let header = (0..<20_000).map { "column\($0)" }.joined(separator: ",")
        #expect(text("id,at,statoin,paid,miles," + header).contains("'statoin' (column 3)"))
    }
}
