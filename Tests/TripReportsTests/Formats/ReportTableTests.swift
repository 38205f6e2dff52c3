import Testing

@testable import TripReports

@Suite struct ReportTableTests {
    private typealias Row = (name: String?, trips: Int64, cents: Int64?)

    private static var table: ReportTable<Row> {
        ReportTable([
            TableColumn("title", "name", .left) { .text($0.name) },
            TableColumn("trips", "trips") { .count($0.trips) },
            TableColumn("cost", "cost_cents") { .dollars($0.cents) },
            TableColumn(nil, "is_large") { .truth($0.trips > 999, "yes", "no") },
            TableColumn("large", nil, .left) { .truth($0.trips > 999, "yes", "no") },
        ])
    }

    private static let rows: [Row] = [("a", 1204, 120), (nil, 3, nil)]

    @Test func peopleSeeTitlesAndFormattedValues() {
        #expect(
            Self.table.text(Self.rows, .table, on: .usual) == """
                title  trips       cost  large
                a      1,204      $1.20  yes
                –          3  not known  no
                """
        )
    }

    @Test func programsSeeNamesAndPlainValues() {
        #expect(
            Self.table.text(Self.rows, .csv, on: .usual) == """
                name,trips,cost_cents,is_large
                a,1204,120,true
                ,3,,false
                """
        )
        #expect(
            Self.table.text(Self.rows, .json, on: .usual) == """
                [
                  {"name": "a", "trips": 1204, "cost_cents": 120, "is_large": true},
                  {"name": null, "trips": 3, "cost_cents": null, "is_large": false}
                ]
                """
        )
    }
}
