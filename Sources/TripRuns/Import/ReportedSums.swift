import TripDomain
import TripEngine
import TripText

extension ShardResults {
    /// The report of a part with its cells.
    ///
    /// - Parameters:
    ///   - index: The part.
    ///   - count: The number of all parts.
    ///   - plan: The plan.
    ///   - decision: Which of its files are in force.
    /// - Returns: The report.
    /// - Throws: ``RunError`` with code `noUsableInput` where the report or the list of cells is
    ///   missing, does not read, or is not that of this plan.
    func part(
        _ index: Int,
        of count: Int,
        _ plan: ShardPlan,
        _ decision: ShardFiles
    ) throws -> PartitionReport {
        let path = folder + "/" + Self.partReportName(index)
        var part = try partReport(index, plan, decision)
        guard part.partCount == count else {
            throw ShardFile.unfit(
                path,
                "parts",
                "is \(part.partCount), and that of part 0 is \(count)"
            )
        }
        if let misfit = part.misfit(plan) {
            throw ShardFile.unfit(path, misfit.place, misfit.finding)
        }
        part.sums.cells = try cells(index, of: part)
        return part
    }

    /// The report of a part, without its cells.
    ///
    /// - Parameters:
    ///   - index: The part.
    ///   - plan: The plan.
    ///   - decision: Which of its files are in force.
    /// - Returns: The report.
    /// - Throws: ``RunError`` with code `noUsableInput` where it is missing, does not read, or is
    ///   not that of this plan and part.
    func partReport(
        _ index: Int,
        _ plan: ShardPlan,
        _ decision: ShardFiles
    ) throws -> PartitionReport {
        let path = folder + "/" + Self.partReportName(index)
        let part = try ShardFile.read(path) { text throws(JSONFault) in
            try PartitionReport(text)
        }
        guard part.plan == plan.hash else {
            throw ShardFile.unfit(path, "plan", "is the hash of another plan")
        }
        guard part.files == decision.hash else {
            throw ShardFile.unfit(
                path,
                "files",
                "is the hash of another `\(ImportedResults.decisionName)`"
            )
        }
        guard part.part == index, (1...Int(UInt32.max)).contains(part.partCount) else {
            throw ShardFile.unfit(
                path,
                "part",
                "is \(part.part) of \(part.partCount), expected \(index)"
            )
        }
        return part
    }

    private func cells(_ index: Int, of part: PartitionReport) throws -> [FinestCell] {
        let path = folder + "/" + Self.cellsName(index)
        let text = try ShardFile.bytes(path)
        let lines = text.split(separator: 0x0A)
        guard lines.count == part.cellCount, ContentHash.of(text) == part.cellsHash else {
            let found =
                lines.count == part.cellCount
                ? "its bytes are others" : "found \(Counted.text(lines.count, "cell"))"
            throw ShardFile.unfit(
                path,
                "the list",
                "is not the one of the report beside it, with "
                    + "\(Counted.text(part.cellCount, "cell")): \(found)"
            )
        }
        return try ShardFile.read(path, text) { _ throws(JSONFault) in
            var cells: [FinestCell] = []
            for line in lines { cells.append(try FinestCell(Array(line))) }
            return cells
        }
    }

    /// Refuses a part whose sums do not add up to its accepted trips.
    ///
    /// - Parameters:
    ///   - part: Its report, with its cells.
    ///   - index: The part.
    /// - Throws: ``RunError`` with code `noUsableInput`.
    func requireSums(of part: PartitionReport, _ index: Int) throws(RunError) {
        let misfit = part.sums.misfit(
            accepted: part.accounts.reduce(LedgerAmount()) { $0 + $1.accepted },
            others: part.overridden.compactMap(\.cell)
        )
        guard let misfit else { return }
        throw ShardFile.unfit(
            folder + "/" + Self.partReportName(index),
            misfit.place,
            misfit.finding
        )
    }

    /// Refuses a file whose sums do not add up to its trips.
    ///
    /// - Parameter report: Its report.
    /// - Throws: ``RunError`` with code `noUsableInput`.
    func requireSums(of report: FileReport) throws(RunError) {
        guard let sums = report.sums else { return }
        var misfit = sums.misfit(accepted: report.valid, others: [])
        let counted = sums.cells.reduce(0) { $0 + $1.sums.costs.trips }
        if misfit == nil, counted != report.countedTrips {
            misfit = ("counted_trips", "is \(report.countedTrips), and the cells have \(counted)")
        }
        guard let misfit else { return }
        throw ShardFile.unfit(
            folder + "/" + Self.reportName(report.file),
            misfit.place,
            misfit.finding
        )
    }
}

extension FinestSums {
    /// What does not add up in these sums; nil where all does.
    ///
    /// - Parameters:
    ///   - accepted: The accepted trips by the account, counted or not.
    ///   - others: Cells that stand elsewhere: those of trips decided by hand.
    /// - Returns: The place, and what was found there.
    /// - Complexity: O(*n*) in the cells.
    func misfit(
        accepted: LedgerAmount,
        others: [FinestCell]
    ) -> (place: String, finding: String)? {
        func compare(
            _ place: String,
            _ found: Int64,
            _ unit: String,
            _ expected: Int64,
            _ of: String
        ) -> (place: String, finding: String)? {
            guard found != expected else { return nil }
            return (place, "adds up to \(found) \(unit), expected \(expected): \(of)")
        }
        let counted = (cells + others).reduce(into: CostSums()) { $0 += $1.sums.costs }
        let uncounted = statuses.reduce(Int64(0)) { $0 + ($1.isCounted ? 0 : $1.trips) }
        let inAll = "those of the accepted versions"
        return compare("sums.amount", amount.items, "trips", accepted.items, inAll)
            ?? compare("sums.amount", amount.cents, "cents", accepted.cents, inAll)
            ?? compare(
                "sums.months",
                months.reduce(0) { $0 + $1.trips },
                "trips",
                amount.items,
                "those of `sums.amount`"
            )
            ?? compare(
                "sums.statuses",
                statuses.reduce(0) { $0 + $1.trips },
                "trips",
                amount.items,
                "those of `sums.amount`"
            )
            ?? compare(
                "the cells",
                counted.trips,
                "trips",
                amount.items - uncounted,
                "those that count of `sums.amount`"
            )
            ?? compare(
                "the cells",
                counted.costCents,
                "cents",
                amount.cents - uncountedCents,
                "those of `sums.amount` that count"
            )
    }
}
