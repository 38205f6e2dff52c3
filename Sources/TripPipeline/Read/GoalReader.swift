import TripDomain

/// Reads `goal` of `kpis`.
enum GoalReader {
    private static let example = "`goal: [{from: 2025-10, in_house_pct: 55}]`"

    static func read(_ value: YAMLValue) throws(PipelineFault) -> [Goal] {
        let entries = try value.list("`goal`")
        guard !entries.isEmpty else {
            throw value.fault(
                "`goal` has no entry; expected one for each month from which another goal holds",
                suggestion: "Leave it out, or write for example \(example)."
            )
        }
        var goals: [Goal] = []
        for entry in entries {
            value.faults.noting { () throws(PipelineFault) in
                goals.append(try goal(entry, after: goals.last))
            }
        }
        return goals
    }

    private static func goal(
        _ entry: YAMLValue,
        after before: Goal?
    ) throws(PipelineFault) -> Goal {
        var map = try YAMLMap(entry, "a goal")
        let from = try map.required("from", "from: 2025-10")
        let percent = try map.required("in_house_pct", "in_house_pct: 55")
        let faults = entry.faults
        faults.noting(map.finish)
        let text = try from.text("`from`")
        guard let month = Month(text: text), MonthFilter.possible.contains(month) else {
            throw from.fault("`from` is '\(text)'; expected a month, YYYY-MM such as `2025-10`")
        }
        if let before, month <= before.from {
            throw from.fault(
                "the goal from \(month.text) stands behind that from \(before.from.text); "
                    + "expected each month once, in order"
            )
        }
        let number = try percent.text("`in_house_pct`")
        guard let hundredths = hundredths(number) else {
            throw percent.fault(
                "`in_house_pct` is '\(number)'; expected a percentage from 0 to 100 with at most "
                    + "two decimals, such as `55` or `52.5`"
            )
        }
        return Goal(from: month, inHousePercentHundredths: hundredths)
    }

    /// Reads `55`, `52.5` or `52.25`, exactly; nil for anything else.
    private static func hundredths(_ text: String) -> Int64? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in
            !part.isEmpty && part.count <= 3 && part.allSatisfy { (0x30...0x39).contains($0) }
        }
        let decimals = parts.count == 2 ? String(parts[1]) ?? "" : ""
        guard isNumber, (1...2).contains(parts.count), decimals.utf8.count <= 2,
            let whole = Int64(String(parts[0]) ?? ""),
            let part = Int64(decimals + String(repeating: "0", count: 2 - decimals.utf8.count))
        else { return nil }
        let hundredths = 100 * whole + part
        return Goal.possible.contains(hundredths) ? hundredths : nil
    }
}
