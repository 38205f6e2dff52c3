import TripDomain

@testable import TripEngine
@testable import TripRules

/// Compares expressions with SQLite and counts the differences.
struct SQLiteOracleComparison {
    private let trips: SQLiteOracleTrips
    private let scope: ExpressionScope
    private let referee = SQLiteOracle()
    /// The trips cut into batches in every way that is compared, with the first row of each.
    private let cuts: [[(start: Int, frame: Frame)]]

    private(set) var pairCount = 0
    private(set) var expressionCount = 0
    /// Expressions of at least four levels.
    private(set) var deepCount = 0
    /// Expressions refused because they overflow or are NULL for every trip, as SQLite confirms.
    private(set) var refusedCount = 0
    /// Pairs whose sum left 64 bits: NULL and a mark here, REAL or an error in SQLite.
    private(set) var overflowCount = 0
    /// Pairs for which SQLite gives an error where an untaken branch here leaves no mark.
    private(set) var unjudgedCount = 0
    private(set) var nullCount = 0
    private(set) var faults: [String] = []

    init(trips: SQLiteOracleTrips) {
        self.trips = trips
        scope = trips.scope
        trips.load(into: referee)
        let count = SQLiteOracleTrips.rowCount
        cuts = [(count, true), (count, false), (7, true), (1, false)].map { size, isCoded in
            stride(from: 0, to: count, by: size).map { start in
                (start, trips.frame(start..<min(start + size, count), isCoded: isCoded))
            }
        }
    }

    var summary: String {
        "\(pairCount) pairs of \(expressionCount) expressions, "
            + "\(deepCount) of at least four levels; "
            + "\(nullCount) results NULL; \(overflowCount) pairs overflow here and are REAL in "
            + "SQLite; \(refusedCount) expressions refused for a constant overflow or NULL; "
            + "\(unjudgedCount) pairs not judged by SQLite"
    }

    /// Compares one expression on every trip, for every way of cutting them into batches.
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - overflowTests: Conditions in SQL that hold where one of its sums leaves 64 bits.
    ///   - magnitudeTests: The same for abs(), which SQLite ends with an error.
    ///   - depth: How deep it nests.
    ///   - isSum: Whether the expression is one sum, so that an overflow must make it NULL.
    mutating func play(
        _ text: String,
        overflowTests: [String] = [],
        magnitudeTests: [String] = [],
        depth: Int = 0,
        isSum: Bool = false
    ) {
        guard let (results, overflows) = ours(text, overflowTests + magnitudeTests) else { return }
        let theirs = theirs(text, overflowTests, magnitudeTests)
        expressionCount += 1
        if depth >= 4 { deepCount += 1 }
        for row in 0..<SQLiteOracleTrips.rowCount {
            pairCount += 1
            let fault =
                overflows[row]
                ? judgeOverflow(theirs[row], isNull: !isSum || results[row] == .null)
                : judge(results[row], theirs[row])
            if let fault { fail("\(text)\n  trip \(row): \(fault)") }
        }
    }

    /// The difference in a result that is marked as resting on an overflow; nil where there is
    /// none.
    private mutating func judgeOverflow(
        _ theirs: (value: SQLiteOracle.Value?, isOverflow: Bool),
        isNull: Bool
    ) -> String? {
        overflowCount += 1
        if !theirs.isOverflow { return "overflow here, not in SQLite" }
        return isNull ? nil : "overflow here, and a value instead of NULL"
    }

    /// The difference in a result; nil where there is none.
    private mutating func judge(
        _ ours: SQLiteOracle.Value,
        _ theirs: (value: SQLiteOracle.Value?, isOverflow: Bool)
    ) -> String? {
        guard let value = theirs.value else {
            unjudgedCount += 1
            return theirs.isOverflow ? nil : "SQLite gives an error"
        }
        if value == .null { nullCount += 1 }
        return value == ours ? nil : "\(shown(ours)) here, \(shown(value)) in SQLite"
    }

    private mutating func fail(_ fault: String) {
        faults.append(fault)
    }

    private func shown(_ value: SQLiteOracle.Value) -> String {
        if case .text(let bytes) = value {
            return "'\(String(decoding: bytes, as: UTF8.self))'"
        }
        return "\(value)"
    }

    // MARK: This engine

    /// Why an expression is refused; nil where it is not.
    func fault(of text: String) -> ExpressionFault? {
        do {
            _ = try scope.compile(ParsedExpression(parsing: text), expecting: .value)
            return nil
        } catch {
            return error
        }
    }

    /// The value and overflow mark per trip; nil where the expression is refused.
    private mutating func ours(
        _ text: String,
        _ tests: [String]
    ) -> (values: [SQLiteOracle.Value], overflows: [Bool])? {
        let program: Program
        do {
            program = try scope.compile(ParsedExpression(parsing: text), expecting: .value)
        } catch {
            switch error.code {
            case .overflow: refuseRightly(text, tests)
            case .typeMismatch where error.message.hasPrefix("the expression is always NULL"):
                refuseNullRightly(text)
            default: fail(error.rendered(in: text))
            }
            return nil
        }
        let (values, count) = run(program, cuts[0])
        var overflows: [Bool] = []
        for (index, cut) in cuts.enumerated().dropFirst() {
            let (others, otherCount) = run(program, cut)
            if others != values || otherCount != count {
                fail("\(text)\n  the way in which trips are cut into batches changes the result")
            }
            // The last way of cutting has a batch per trip, whose count shows which trips overflow.
            if index == cuts.count - 1 {
                overflows = cut.map { program.evaluate($0.frame).overflowCount > 0 }
            }
        }
        return (values, overflows)
    }

    /// Checks that SQLite leaves 64 bits too in an expression that is refused for it.
    private mutating func refuseRightly(_ text: String, _ tests: [String]) {
        refusedCount += 1
        for test in tests {
            let answer = referee.query("SELECT max(\(test)) FROM \(SQLiteOracleTrips.from)")
            if answer.error != nil || answer.rows.first?.first == .integer(1) { return }
        }
        fail("\(text)\n  refused for an overflow that SQLite does not see")
    }

    /// Checks that an expression that is refused as always NULL is always NULL in SQLite too.
    private mutating func refuseNullRightly(_ text: String) {
        refusedCount += 1
        let answer = referee.query("SELECT count(\(text)) FROM \(SQLiteOracleTrips.from)")
        // abs() of the least integer is an error in SQLite even where its value does not matter.
        if answer.error == nil, answer.rows.first?.first != .integer(0) {
            fail("\(text)\n  refused for being always NULL, which it is not in SQLite")
        }
    }

    private func run(
        _ program: Program,
        _ cut: [(start: Int, frame: Frame)]
    ) -> (values: [SQLiteOracle.Value], overflowCount: Int) {
        var values: [SQLiteOracle.Value] = []
        var overflowCount = 0
        for (_, frame) in cut {
            let result = program.evaluate(frame)
            overflowCount += result.overflowCount
            for row in 0..<frame.rowCount {
                values.append(Self.value(result.column, row))
            }
        }
        return (values, overflowCount)
    }

    static func value(_ column: Column, _ row: Int) -> SQLiteOracle.Value {
        switch column {
        case .integer(let column): column.value(row).map { .integer($0) } ?? .null
        case .real(let column): column.isNull(row) ? .null : .real(column.values[row])
        case .text(let column):
            column.codes[row] == 0 ? .null : .text(Array(column.pool.slice(column.codes[row])))
        }
    }

    // MARK: SQLite

    /// SQLite's value per trip, nil where it gives an error, and whether it left 64 bits.
    private func theirs(
        _ text: String,
        _ overflowTests: [String],
        _ magnitudeTests: [String]
    ) -> [(value: SQLiteOracle.Value?, isOverflow: Bool)] {
        let test = overflowTests.isEmpty ? "0" : overflowTests.joined(separator: " OR ")
        var results: [(value: SQLiteOracle.Value?, isOverflow: Bool)] = []
        while results.count < SQLiteOracleTrips.rowCount {
            let answer = referee.query(
                "SELECT \(text), \(test) FROM \(SQLiteOracleTrips.from) WHERE trip.id "
                    + "> \(results.count) ORDER BY trip.id"
            )
            results += answer.rows.map { ($0[0], $0[1] == .integer(1)) }
            guard answer.error != nil else { break }
            // abs() of the least integer is an error; a query for this trip alone shows whether it
            // is that.
            let id = results.count + 1
            let isOverflow = (overflowTests + magnitudeTests).contains { test in
                let answer = referee.query(
                    "SELECT \(test) FROM \(SQLiteOracleTrips.from) WHERE trip.id = \(id)"
                )
                return answer.rows.first?.first == .integer(1)
            }
            results.append((nil, isOverflow))
        }
        return results
    }
}
