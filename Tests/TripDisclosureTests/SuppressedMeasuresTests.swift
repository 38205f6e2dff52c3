import TestSupport
import Testing
import TripDomain

@testable import TripDisclosure

/// What is shown of declared measures, as an attacker would read it.
@Suite struct SuppressedMeasuresTests {
    private static func measure(_ kind: DeclaredMeasure.Kind, _ name: String) -> DeclaredMeasure {
        DeclaredMeasure(name: name, kind: kind, column: "c", label: name)
    }

    /// Random trips: their cube, and three measures that are known of most, of half and of all.
    private struct Made {
        var cube: [KPICell] = []
        var groups: [MeasureGroups] = []

        init(seed: UInt64, trips: Int) {
            var dice = SeededDice(seed: seed)
            var cells = DeclaredCells()
            var sums: [[String]: KPISums] = [:]
            let measures = [
                SuppressedMeasuresTests.measure(.mean, "most"),
                SuppressedMeasuresTests.measure(.sum, "half"),
                SuppressedMeasuresTests.measure(.count, "some"),
            ]
            for _ in 0..<trips {
                let key = [
                    "m\(dice.below(3))", "t\(min(dice.below(4), dice.below(4)))",
                    "r\(min(dice.below(4), dice.below(4)))",
                ]
                let group = DeclaredGroup(
                    month: key[0],
                    tripType: key[1],
                    region: key[2],
                    tripClass: .contracted,
                    basis: ""
                )
                let values: [Int64?] = [
                    dice.below(8) == 0 ? nil : 40, dice.below(2) == 0 ? nil : 3,
                    dice.below(5) == 0 ? 1 : 0,
                ]
                for (measure, value) in zip(measures, values) {
                    guard let value else { continue }
                    cells.measures.append(
                        MeasureCell(
                            measure: measure.name,
                            group: group,
                            sums: MeasureSums(knownTrips: 1, sum: value)
                        )
                    )
                }
                for mask in 0..<8 {
                    var cell = key
                    for dimension in 0..<3 where mask >> dimension & 1 == 1 {
                        cell[dimension] = KPICell.all
                    }
                    sums[cell, default: KPISums()].add(
                        tripClass: .contracted,
                        cost: nil,
                        miles: nil
                    )
                }
            }
            cube = sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
                KPICell(month: $0.key[0], tripType: $0.key[1], region: $0.key[2], sums: $0.value)
            }
            groups = measures.map { MeasureGroups($0, cells) }
        }

        func shown(threshold: Int) -> SuppressedMeasures {
            SuppressedMeasures(
                groups,
                cube,
                shown: SuppressedCube(cube, threshold: threshold),
                threshold: threshold
            )
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func noSmallCountIsShownOrLeftBeside(seed: UInt64) {
        let made = Made(seed: seed, trips: 200 + Int(seed) * 60)
        let least: Int64 = 11
        let shown = made.shown(threshold: Int(least))
        let trips = Dictionary(
            uniqueKeysWithValues: made.cube.map { cell in
                (
                    MeasureGroups.Key(
                        month: cell.month,
                        tripType: cell.tripType,
                        region: cell.region
                    ), cell.sums.trips
                )
            }
        )
        for (groups, rows) in zip(made.groups, shown.rows) {
            for row in rows {
                let key = MeasureGroups.Key(
                    month: row.month,
                    tripType: row.tripType,
                    region: row.region
                )
                #expect(row.sums == groups.groups[key]?.sums ?? MeasureSums())
                let all = trips[key] ?? 0
                let isCount = groups.measure.kind == .count
                let behind = isCount ? row.sums.sum : row.sums.knownTrips
                // Neither the trips behind the number nor the other ones are few.
                for count in [behind, all - behind] where row.month != KPICell.all {
                    #expect(count == 0 || count >= least, "\(groups.measure.name) \(row)")
                }
            }
        }
    }

    /// A total less what is shown of its parts is no small count: the plainest attack.
    @Test(arguments: UInt64(0)..<20)
    func noHiddenCountFollowsByOneSubtraction(seed: UInt64) {
        let made = Made(seed: seed, trips: 200 + Int(seed) * 60)
        let shown = made.shown(threshold: 11)
        for (groups, rows) in zip(made.groups, shown.rows) {
            func behind(_ sums: MeasureSums) -> Int64 {
                groups.measure.kind == .count ? sums.sum : sums.knownTrips
            }
            let visible = Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    ([row.month, row.tripType, row.region], behind(row.sums))
                }
            )
            for dimension in 1..<3 {
                for (key, total) in visible where key[dimension] == KPICell.all {
                    let parts = made.cube.filter { cell in
                        var words = [cell.month, cell.tripType, cell.region]
                        guard words[dimension] != KPICell.all else { return false }
                        words[dimension] = KPICell.all
                        return words == key
                    }.map { [$0.month, $0.tripType, $0.region] }
                    guard key[0] != KPICell.all, parts.contains(where: { visible[$0] == nil })
                    else { continue }
                    let rest = total - parts.compactMap { visible[$0] }.reduce(0, +)
                    #expect(rest == 0 || rest >= 11, "\(groups.measure.name) \(key)")
                }
            }
        }
    }

    /// A group shows all measures or none, and none where the cube hides its trips.
    @Test(arguments: UInt64(0)..<8)
    func aGroupShowsAllMeasuresOrNone(seed: UInt64) {
        let made = Made(seed: seed, trips: 400)
        let shown = made.shown(threshold: 11)
        let keys = shown.rows.map { $0.map { [$0.month, $0.tripType, $0.region] } }
        #expect(Set(keys).count == 1)
        let cube = SuppressedCube(made.cube, threshold: 11)
        for month in cube.months {
            for row in month.rows where row.values[KPISum.trips.rawValue] == nil {
                #expect(!keys[0].contains([month.month, row.tripType, row.region]))
            }
        }
        #expect(made.shown(threshold: 0).rows.allSatisfy { $0.count == made.cube.count })
        #expect(keys[0].count < made.cube.count)
    }

    /// The total of all months is shown only where every month shows its own: the rest of a
    /// subtraction is no hidden month.
    @Test(arguments: UInt64(0)..<20)
    func theTotalOfAllMonthsHidesNoMonth(seed: UInt64) {
        let made = Made(seed: seed, trips: 60 + Int(seed) * 40)
        let shown = made.shown(threshold: 11)
        let keys = Set(shown.rows[0].map { [$0.month, $0.tripType, $0.region] })
        let all = KPICell.all
        let months = Set(made.cube.map(\.month)).subtracting([all])
        guard keys.contains([all, all, all]) else { return }
        for month in months { #expect(keys.contains([month, all, all])) }
    }
}
