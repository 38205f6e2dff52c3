import TripDomain
import TripEngine

/// The numbers of all reports, which are added up without looking for overflow afterwards.
enum ReportedNumbers {
    /// Refuses numbers that cannot be added up.
    ///
    /// - Parameters:
    ///   - files: The reports of files.
    ///   - rejects: The rejects of each of them.
    ///   - parts: The reports of parts, with their cells.
    ///   - folder: Where they lie, for messages.
    /// - Throws: ``RunError`` with code `noUsableInput` for the first report with which the sum of
    ///   all numbers, without their signs, leaves 63 bits: then no sum of some of them does.
    /// - Complexity: O(*n*) in the numbers.
    static func require(
        _ files: [FileReport],
        _ rejects: [[ShardReject]],
        _ parts: [PartitionReport],
        _ folder: String
    ) throws(RunError) {
        var total: UInt64 = 0
        func take(_ numbers: [Int64], _ name: String) throws(RunError) {
            for number in numbers {
                let (sum, isOver) = total.addingReportingOverflow(number.magnitude)
                guard !isOver, sum <= UInt64(Int64.max) else {
                    throw ShardFile.unfit(
                        folder + "/" + name,
                        "the numbers",
                        "are so large that those of all reports cannot be added up"
                    )
                }
                total = sum
            }
        }
        for (index, file) in files.enumerated() {
            try take(
                file.numbers + rejects[index].flatMap(\.numbers),
                ShardResults.reportName(index)
            )
        }
        for (index, part) in parts.enumerated() {
            try take(part.numbers, ShardResults.partReportName(index))
        }
    }
}

extension LedgerAmount {
    fileprivate var numbers: [Int64] { [items, cents, unpriced] }
}

extension ShardReject {
    fileprivate var numbers: [Int64] { [Int64(reject.itemCount), reject.amountCents ?? 0] }
}

extension FileReport {
    fileprivate var numbers: [Int64] {
        read.numbers + rejected.numbers + valid.numbers
            + [
                archiveSize, expandedSize, records, rejects, listedRejects, lines, blankLines,
                repeated, unitless, countedTrips, regionsKnown, regionsDifferent, overflows,
            ] + lookups.flatMap { [$0.keyed, $0.unmatched] } + (sums?.numbers ?? [])
    }
}

extension FinestSums {
    fileprivate var numbers: [Int64] {
        amount.numbers + [uncountedCents] + months.map(\.trips) + statuses.map(\.trips)
            + cells.flatMap(\.numbers)
    }
}

extension FinestCell {
    fileprivate var numbers: [Int64] {
        sums.costs.numbers
            + [
                sums.milesKnownTrips, sums.milesHundredths, sums.costedMilesTrips,
                sums.costWithMilesCents, sums.costedMilesHundredths,
            ]
            + measures.flatMap { [$0.sums.knownTrips, $0.sums.sum] + $0.values.map(\.trips) }
            + dimensions.flatMap(\.sums.numbers)
    }
}

extension CostSums {
    fileprivate var numbers: [Int64] { [trips, costedTrips, costCents] }
}

extension PartitionReport {
    fileprivate var numbers: [Int64] {
        [rows, leftOut] + accounts.flatMap(\.numbers) + sharedIDs.map(\.count)
            + replacements.map(\.count) + sums.numbers
            + overridden.compactMap(\.cell).flatMap(\.numbers)
    }

    /// What names something that the plan has not; nil where nothing does.
    ///
    /// - Parameter plan: The plan.
    /// - Returns: The place, and what was found there.
    func misfit(_ plan: ShardPlan) -> (place: String, finding: String)? {
        var files = accounts.map { ("accounts", $0.file) }
        for (name, pairs) in [("shared_ids", sharedIDs), ("replacements", replacements)] {
            files += pairs.flatMap { [(name, $0.earlier), (name, $0.later)] }
        }
        for account in accounts {
            guard let first = account.firstWithin else { continue }
            files += [("first_within", first.earlier.file), ("first_within", first.later.file)]
        }
        if let first = firstRepetition {
            files += [("first_repetition", first.earlier.file)]
            files += [("first_repetition", first.later.file)]
        }
        files += overridden.map { ("overridden", $0.place.file) }
        files += knownRejects.map { ("known_rejects", $0.file) }
        if let (place, file) = files.first(where: { !plan.files.indices.contains($0.1) }) {
            return (place, "has the file \(file), and the plan the files below \(plan.files.count)")
        }
        guard let trip = overridden.first(where: { !plan.overrides.indices.contains($0.override) })
        else { return nil }
        return (
            "overridden",
            "has the override \(trip.override), and the plan those below \(plan.overrides.count)"
        )
    }
}

extension PartitionReport.Account {
    fileprivate var numbers: [Int64] {
        accepted.numbers + superseded.numbers + duplicate.numbers + [ids, replacedWithin]
    }
}
