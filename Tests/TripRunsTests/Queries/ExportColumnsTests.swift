import Testing
import TripEngine

@testable import TripRuns

@Suite struct ExportColumnsTests {
    private static let layouts = [
        LayoutDefinition(
            name: "native",
            fields: [
                FieldDefinition(name: "paid", type: .money, columns: ["paid_amount"]),
                FieldDefinition(name: "trip_id", type: .text, columns: ["Base", "Run"]),
                FieldDefinition(name: "pickup_at", type: .timestamp, columns: ["At"]),
                FieldDefinition(name: "status", type: .text, columns: []),
            ]
        ),
        LayoutDefinition(
            name: "legacy",
            fields: [
                FieldDefinition(name: "paid", type: .money, columns: ["Amt Paid"]),
                FieldDefinition(name: "pickup_at", type: .timestamp, columns: ["At"]),
            ]
        ),
    ]

    @Test(arguments: [
        ("paid_cents", ["paid_amount", "Amt Paid"]), ("trip_id", ["Base and Run"]),
        ("pickup_date", ["At"]), ("status", []), ("paid", []),
    ])
    func aColumnOfRulesIsNamedAsTheExportsNameIt(column: String, names: [String]) {
        #expect(ExportColumns(Self.layouts).names(of: column) == names)
    }
}
