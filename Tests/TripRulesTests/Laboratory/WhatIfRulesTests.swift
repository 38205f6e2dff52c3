import Testing
import TripDomain

@testable import TripEngine
@testable import TripRules

/// The rule that would decide with one other value, compared with evaluating all rules again.
struct WhatIfRulesTests {
    private static let conditions = [
        "owner = 'VA'", "owner IS NULL", "owner <> 'VA'", "crew = 'VENDOR'", "crew IS NOT NULL",
        "site.region = '08'", "site.matched = 0", "site.beds > 100", "paid_cents > 0",
        "paid_cents IS NULL", "award.match_count > 1", "(owner = 'VA' OR site.region = '10')",
        "owner = crew", "coalesce(crew, site.region) = '08'",
    ]

    private static func ruleSet(_ dice: inout ExpressionDice) throws -> RuleSet {
        var definitions: [RuleDefinition] = []
        for number in 1...8 {
            let parts = (0...dice.roll(3)).map { _ in dice.pick(conditions) }
            definitions.append(
                RuleDefinition(
                    id: "r\(number)",
                    tripClass: dice.pick([.inHouse, .contracted, .undetermined]),
                    condition: parts.joined(separator: " AND "),
                    validFrom: dice.oneIn(3) ? CivilDate(dayNumber: 20_500) : nil
                )
            )
        }
        return try RuleSet(
            definitions: definitions,
            scope: ExpressionSamples.scope,
            pickupDate: "pickup_date"
        )
    }

    private static func value(_ kind: ColumnKind, _ dice: inout ExpressionDice) -> ExpressionValue {
        switch kind {
        case .text, .patient: dice.pick([.null, .text("VA"), .text("VENDOR"), .text("08")])
        case .decimal: .real(0.5)
        case .date: .text(dice.pick(["2026-02-10", "2026-02-20"]))
        case .timestamp: .text("2026-02-10 00:00:00")
        case .boolean: dice.pick([.integer(0), .integer(1)])
        case .integer, .money, .miles: dice.pick([.null, .integer(0), .integer(150)])
        }
    }

    @Test(arguments: 0..<60)
    func deciderIsTheOneThatAllRulesGive(seed: UInt64) throws {
        var dice = ExpressionDice(seed: seed)
        let ruleSet = try Self.ruleSet(&dice)
        let scope = ruleSet.flatScope
        let trips = (0..<40).map { _ in scope.columns.map { Self.value($0.kind, &dice) } }
        let flat = FlatTrips.frame(trips, scope)
        let whatIf = WhatIfRules(ruleSet, flat)
        for source in ["owner", "crew", "paid_cents", "site", "award"] {
            let rules = whatIf.source(source)
            let columns = scope.columns.indices.filter { index in
                let name = scope.columns[index].name
                return name == source || name.hasPrefix(source + ".")
            }
            for _ in 0..<4 {
                var tried = flat
                for column in columns {
                    let kind = scope.columns[column].kind
                    let value = Self.value(kind, &dice)
                    tried.columns[column] = FlatTrips.column(
                        [ExpressionValue](repeating: value, count: trips.count),
                        kind
                    )
                }
                let rows = trips.indices.filter { _ in !dice.oneIn(4) }
                var found = [Int](repeating: 0, count: trips.count)
                for (row, rule) in whatIf.deciders(rules, tried, rows) { found[row] = rule }
                let all = ruleSet.classifyFlat(tried).ruleNumbers
                for row in rows { #expect(found[row] == Int(all[row]), "\(source) \(row)") }
            }
        }
    }
}
