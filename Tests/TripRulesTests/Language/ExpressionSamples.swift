import TripDomain

@testable import TripEngine
@testable import TripRules

/// A small scope with one of everything, for tests of single facts.
enum ExpressionSamples {
    static let stations = ReferenceTable(
        lookup: "site",
        file: "stations.csv",
        columnNames: ["region", "beds", "opened"],
        columnKinds: [.text, .integer, .date],
        columns: [
            .text(TextColumn(codes: [0, 1, 2], pool: TextPool(["08", "10"]))),
            .integer(IntegerColumn(values: [0, 120, 0], nulls: [true, false, true])),
            .integer(IntegerColumn(values: [0, 20_000, 20_100], nulls: [true, false, false])),
        ],
        lineNumbers: [0, 2, 3]
    )

    static let contracts = ReferenceTable(
        lookup: "award",
        file: "contracts.csv",
        columnNames: ["number"],
        columnKinds: [.text],
        columns: [.text(TextColumn(codes: [0, 1], pool: TextPool(["C-1"])))],
        lineNumbers: [0, 2]
    )

    static let scope = ExpressionScope(
        columns: [
            ScopeColumn(name: "owner", kind: .text),
            ScopeColumn(name: "crew", kind: .text),
            ScopeColumn(name: "paid_cents", kind: .money),
            ScopeColumn(name: "has_qm", kind: .boolean),
            ScopeColumn(name: "rate", kind: .decimal),
            ScopeColumn(name: "pickup_date", kind: .date),
            ScopeColumn(name: "pickup_at", kind: .timestamp),
            ScopeColumn(name: "patient", kind: .patient),
        ],
        lookups: [
            ScopeLookup(table: stations), ScopeLookup(table: contracts, mayMatchSeveral: true),
        ]
    )

    /// A batch of the scope's columns, each value given by trip.
    static func frame(
        owner: [String?],
        crew: [String?]? = nil,
        paidCents: [Int64?]? = nil,
        pickupDay: [Int64]? = nil,
        siteRows: [UInt32]? = nil,
        awardCounts: [Int64]? = nil
    ) -> Frame {
        let count = owner.count
        let paid = paidCents ?? Array(repeating: nil, count: count)
        let days = pickupDay ?? Array(repeating: 20_500, count: count)
        let awards = awardCounts ?? Array(repeating: 0, count: count)
        return Frame(
            rowCount: count,
            columns: [
                text(owner), text(crew ?? Array(repeating: nil, count: count)),
                .integer(
                    IntegerColumn(values: paid.map { $0 ?? 0 }, nulls: paid.map { $0 == nil })
                ),
                .integer(IntegerColumn(values: Array(repeating: 0, count: count))),
                .real(RealColumn(values: Array(repeating: 0.5, count: count))),
                .integer(IntegerColumn(values: days)),
                .integer(IntegerColumn(values: days.map { $0 * 86_400 + 3_661 })),
                text(Array(repeating: nil, count: count)),
            ],
            matches: [
                MatchedRows(rows: siteRows ?? Array(repeating: 0, count: count)),
                MatchedRows(rows: awards.map { $0 > 0 ? 1 : 0 }, counts: awards),
            ]
        )
    }

    private static func text(_ values: [String?]) -> Column {
        var pool = TextPool()
        let codes = values.map { value in value.map { pool.append($0) } ?? 0 }
        return .text(TextColumn(codes: codes, pool: pool))
    }

    /// The fault of a text that cannot be compiled; nil for one that can.
    static func fault(
        _ text: String,
        expecting: ExpressionScope.Expectation = .condition
    ) -> ExpressionFault? {
        do {
            _ = try scope.compile(ParsedExpression(parsing: text), expecting: expecting)
            return nil
        } catch {
            return error
        }
    }
}
