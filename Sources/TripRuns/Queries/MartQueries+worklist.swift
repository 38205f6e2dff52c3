public import TripDomain
import TripEngine
public import TripMart
import TripPipeline
public import TripRules

extension MartQueries {
    /// `kpi --worklist`: the undetermined trips of a generation, by missing value, with what would
    /// classify them.
    ///
    /// - Parameters:
    ///   - query: Which trips; months, regions and trip types alone.
    ///   - generation: A generation whose trips are kept; nil is the served one.
    ///   - options: Where the mart is, and the threads to use.
    ///   - progress: Where progress is reported.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published, and of the file; ``RunError`` where a
    ///   filter names a value that the generation does not have, or its trips are no longer kept.
    public func worklist(
        _ query: KPIQuery,
        of generation: Int?,
        _ options: RunOptions,
        progress: Progress
    ) throws -> PublishedWorklist {
        guard let generation else {
            return try answer {
                try worklist(query, of: $0, isServed: true, options, progress: progress)
            }
        }
        let kept = try kept(generation, remedy: "Name one of these, or leave out --as-published.")
        return try worklist(query, of: kept, isServed: false, options, progress: progress)
    }

    private func worklist(
        _ query: KPIQuery,
        of served: ServedMart,
        isServed: Bool,
        _ options: RunOptions,
        progress: Progress
    ) throws -> PublishedWorklist {
        let query = try known(query, in: [served])
        let undetermined = try UndeterminedTrips(
            served,
            query,
            threadCount: options.threadCount,
            progress: progress
        )
        let refs = try options.refs(
            of: undetermined.worklist.all.flatMap { entry in
                ([entry.group.sums, entry.group.unsettled] + entry.group.settlements.values)
                    .compactMap(\.sample)
            },
            in: served
        )
        return PublishedWorklist(
            header: served.header,
            isServed: isServed,
            askedMonths: query.months,
            months: try served.months().map(\.month),
            undetermined: undetermined,
            refs: refs,
            martFlags: options.martFlags
        )
    }
}

/// The undetermined trips of one generation, with what would classify them.
public struct PublishedWorklist: Sendable {
    /// The generation.
    public let header: GenerationHeader
    /// Whether it is the served one.
    public let isServed: Bool
    /// The months that were asked for; nil for all.
    public let askedMonths: ClosedRange<Month>?
    /// All months that have trips, in order.
    public let months: [Month]
    /// The trips.
    public let undetermined: UndeterminedTrips
    /// References of sample trips, by number; none where the key is not available.
    public let refs: [Int64: String]
    /// The flags that name the mart in a command, after a blank each.
    public let martFlags: String
}

/// The undetermined trips of a generation, by their missing values.
public struct UndeterminedTrips: Sendable {
    /// The missing values.
    public let worklist: Worklist
    /// The conditions of the rules that left them undetermined.
    public let ruleSet: RuleSet
    /// The rules, by number.
    public let rules: [RuleEntry]
    /// All counted trips that match the query.
    public let counted: Int64
    private let columns: ExportColumns

    /// Reads the trips.
    ///
    /// - Parameters:
    ///   - served: The generation.
    ///   - query: Which trips; months, regions and trip types alone.
    ///   - threadCount: Threads to use; the result does not depend on it.
    ///   - leavesOfBatch: Leaf pages read at a time; fewer in tests.
    ///   - progress: Where progress is reported.
    /// - Throws: `MartError` of the file; ``RunError`` where the generation's inputs can no longer
    ///   be read.
    init(
        _ served: ServedMart,
        _ query: KPIQuery,
        threadCount: Int,
        leavesOfBatch: Int = StoredTrips.usualLeavesOfBatch,
        progress: Progress
    ) throws {
        let kept = try PublishedInputs.readable(served).kept
        let classifier = try CompiledPipeline(
            kept.pipeline,
            references: kept.references,
            dataThrough: nil
        ).classifier
        let shape = served.shape
        let reader = WorklistReader(classifier)
        rules = try served.rules()
        let classes = [.undetermined] + rules.map(\.tripClass)
        // After the pipeline's rules come those of overrides.
        let ruleCount = kept.pipeline.rules.count
        let stored = try StoredTrips(
            served,
            columns: classifier.fieldsRead.union(shape.columnsOfKPIs),
            leavesOfBatch: leavesOfBatch
        )
        let done = BatchProgress(
            progress,
            stage: "examining",
            batchCount: stored.batchCount
        )
        let parts = Parallel.map(stored.batchCount, threads: threadCount) { index in
            Result { () throws(MartError) in
                let batch = try stored.batch(index)
                defer { done.add(trips: batch.trips.count) }
                let matches = query.matching(of: batch.trips, shape)
                let rows = (0..<batch.trips.count).filter { row in
                    batch.trips.counted[row]
                        && classes[Int(batch.trips.ruleNumbers[row])] == .undetermined
                        && matches(row)
                }
                let byHand = rows.filter { Int(batch.trips.ruleNumbers[$0]) > ruleCount }
                let byRules = rows.filter { Int(batch.trips.ruleNumbers[$0]) <= ruleCount }
                func numbers(_ rows: [Int]) -> [Int64] {
                    rows.map { batch.firstNumber + Int64($0) }
                }
                var worklist = reader.read(
                    batch.trips.gathered(byRules),
                    numbers: numbers(byRules)
                )
                worklist.add(
                    reader.readOverridden(
                        batch.trips.gathered(byHand),
                        numbers: numbers(byHand)
                    )
                )
                return worklist
            }
        }
        var worklist = Worklist()
        for part in parts { worklist.add(try part.get()) }
        done.end()
        let sums = try served.kpi(query).total.sums
        guard worklist.sums.costs.trips == sums.undeterminedTrips else { throw served.damaged }
        counted = sums.trips
        self.worklist = worklist
        ruleSet = classifier.ruleSet
        columns = ExportColumns(kept.pipeline.sources.flatMap(\.layouts))
    }

    /// The columns of the exports that fill one that rules can name.
    ///
    /// - Parameter column: A column that rules can name.
    /// - Returns: The names in all layouts, each once.
    public func exportColumns(of column: String) -> [String] { columns.names(of: column) }
}

extension KPIQuery {
    /// A test whether trips of a batch match the months, regions and trip types of the query.
    fileprivate func matching(of trips: TripBatch, _ shape: TripShape) -> (Int) -> Bool {
        func codes(_ column: Int, _ words: [String]) -> (Int) -> Bool {
            guard !words.isEmpty else { return { _ in true } }
            let texts = trips.columns[column].texts
            let wanted = Set(words.map { Array($0.utf8) })
            let isWanted = (0..<UInt32(texts.pool.count)).map {
                wanted.contains(Array(texts.pool.slice($0)))
            }
            return { isWanted[Int(texts.codes[$0])] }
        }
        let isOfRegion = codes(shape.regionIndex, regions)
        let isOfType = codes(shape.tripTypeIndex, tripTypes)
        let pickups = trips.columns[shape.pickupIndex].integers.values
        return { [months] row in
            let month = CivilTime.date(ofSeconds: pickups[row]).month
            return (months?.contains(month) ?? true) && isOfRegion(row) && isOfType(row)
        }
    }
}
