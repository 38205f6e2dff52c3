import Testing

@testable import TripMart

/// Compares `docs/SCHEMA.md` with the files.
@Suite struct SchemaTests {
    @Test func everyTableAndColumnIsDescribed() throws {
        let mart = try BuiltMart()
        let reference = ReferenceGeneration(seed: 1, count: 50)
        let built = try mart.build(reference)
        _ = try RunLog(mart.folder)
        let plan = try PlanFile.save(
            PlanFileTests.binding("0a1b2c3d"),
            PlanFileTests.effects(trips: 1),
            in: mart.folder
        )
        let text = try Self.document()
        let words = Set(text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
        // A pipeline's own columns are described as a whole, as are the columns of its lookups.
        let own = Set(
            ReferenceGeneration.columns.map(\.0) + ["pickup_date", "station", "from", "rate"]
        )
        let elsewhere = try BuiltMart()
        let other = try elsewhere.writer.write(
            TripLocationTests.contents(ReferenceGeneration(seed: 1, count: 50))
        )
        let files = [
            built.path, built.historyPath, built.kpiPath, mart.folder.runLogPath, plan, other.path,
            other.historyPath,
        ]
        for path in files {
            let columns = try BuiltMart.rows(
                path,
                """
                SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
                WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite_%'
                """
            )
            #expect(!columns.isEmpty)
            for row in columns {
                let (table, column) = (row[0] ?? "", row[1] ?? "")
                #expect(table.hasPrefix("reference_") || words.contains(table), "\(table)")
                #expect(own.contains(column) || words.contains(column), "\(table).\(column)")
            }
        }
    }

    @Test func everyIndexIsDescribed() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 1, count: 50))
        let text = try Self.document()
        let indexes = try BuiltMart.rows(
            built.path,
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        )
        for index in indexes.compactMap({ $0[0] }) {
            #expect(text.contains("`\(index)`"), "\(index)")
        }
    }

    @Test func suppressedFileHoldsNothingFinerThanTheCube() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 1, count: 50))
        let tables = try BuiltMart.rows(
            built.kpiPath,
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        )
        #expect(
            tables.compactMap { $0[0] } == [
                "generation", "kpi_cube", "month", "region", "trip_type",
            ]
        )
    }

    @Test func cubeHasTheColumnsReadersRelyOn() throws {
        let mart = try BuiltMart()
        let built = try mart.build(ReferenceGeneration(seed: 1, count: 50))
        let columns = try BuiltMart.rows(
            built.path,
            "SELECT name FROM pragma_table_info('kpi_cube')"
        ).compactMap { $0[0] }
        // Later ones come after them.
        #expect(
            columns.starts(with: [
                "month", "trip_type", "region", "trips", "in_house_trips", "contracted_trips",
                "undetermined_trips", "cost_cents", "in_house_cost_cents",
                "contracted_cost_cents", "undetermined_cost_cents", "in_house_costed_trips",
                "contracted_costed_trips", "undetermined_costed_trips",
                "loaded_miles_hundredths", "miles_known_trips", "cost_with_miles_cents",
                "costed_miles_hundredths", "costed_miles_trips",
            ])
        )
    }

    private static func document() throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return String(decoding: try FileSystem.readAll("/\(root)/docs/SCHEMA.md"), as: UTF8.self)
    }
}
