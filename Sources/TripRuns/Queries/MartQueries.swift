public import TripDomain
public import TripMart
import TripPipeline

/// The queries of the commands to a mart, each answered with the values that were found.
public struct MartQueries {
    /// The mart's folder, as the command names it.
    public var martPath: String { folder.path }
    let folder: MartFolder
    /// The damage that an answer went around; empty where there was none.
    public let fallback = Fallback()
    /// The flags that name the mart in a command, after a blank each.
    public let martFlags: String
    private let keyPath: String

    /// Prepares queries to a mart.
    ///
    /// - Parameters:
    ///   - martPath: The mart's folder.
    ///   - keyPath: Its key file; nil stands for the mart's path with `.key` after it.
    public init(martPath: String, keyPath: String?) {
        folder = MartFolder(path: martPath)
        martFlags = folder.flags(keyPath: keyPath)
        self.keyPath = keyPath ?? RunOptions.defaultKeyPath(martPath: martPath)
    }

    /// `kpi`: the KPIs of the served generation, or of one as it was published.
    ///
    /// - Parameters:
    ///   - query: The filters and the grouping.
    ///   - generation: A generation as published; nil is the served one.
    ///   - day: The day whose regions all trips are assigned to; nil keeps the region of each trip.
    ///   - threadCount: Threads to use where trips are read; the answer does not depend on it.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published or the generation is unknown; ``RunError``
    ///   where a filter names a value that the generation does not have, or where `day` needs trips
    ///   that are no longer kept.
    public func kpi(
        _ query: KPIQuery,
        asPublished generation: Int?,
        regionsAsOf day: CivilDate? = nil,
        threadCount: Int = 2
    ) throws -> PublishedKPIs {
        try asking(generation, regionsAsOf: day, threadCount: threadCount) {
            try kpi(query, of: $0, regionsAsOf: day)
        }
    }

    /// An answer from the numbers of a generation.
    ///
    /// - Parameters:
    ///   - generation: A generation as published; nil is the served one.
    ///   - day: The day whose regions all trips are assigned to; nil keeps the region of each trip.
    ///   - threadCount: Threads to use where trips are read.
    ///   - ask: Answers from the numbers.
    /// - Returns: The answer.
    /// - Throws: As ``kpi(_:asPublished:regionsAsOf:threadCount:)``; the errors of `ask`.
    func asking<Value>(
        _ generation: Int?,
        regionsAsOf day: CivilDate?,
        threadCount: Int,
        _ ask: (any SummaryReading) throws -> Value
    ) throws -> Value {
        guard let generation else {
            return try answer { served in
                let map = try day.map { try RegionMap(served, asOf: $0) }
                return try ask(map.map { try $0.cube(threadCount: threadCount) } ?? served)
            }
        }
        guard let day else {
            try requireKnown(generation)
            // Where its history file is lost, its own file may still be here.
            return try ask(
                try folder.historyNumbers().contains(generation)
                    ? PublishedCube.open(folder, generation: generation)
                    : ServedMart.open(folder, generation: generation)
            )
        }
        let kept = try kept(generation, remedy: "Name one of these, or leave out --regions-as-of.")
        return try ask(try RegionMap(kept, asOf: day).cube(threadCount: threadCount))
    }

    /// The KPIs of some numbers.
    private func kpi(
        _ query: KPIQuery,
        of source: any SummaryReading,
        regionsAsOf day: CivilDate?
    ) throws -> PublishedKPIs {
        let query = try known(query, in: [source])
        var byMonth = query
        (byMonth.by, byMonth.declared) = ([.month], nil)
        let months = try source.kpi(byMonth).rows
        let shown = months.compactMap { Month(text: $0.keys[0]) }
        return PublishedKPIs(
            header: source.header,
            query: query,
            table: try source.kpi(query),
            openMonths: months.filter(\.isOpen).compactMap { Month(text: $0.keys[0]) },
            // A class or basis alone has no share.
            goal: query.needsBasis ? nil : try source.goals().inForce(throughout: shown),
            regionsAsOf: day,
            hasCosts: try source.kpi(KPIQuery()).total.sums.costs.costedTrips > 0,
            months: try source.months().map(\.month),
            labels: try ValueLabels(query.by, in: source)
        )
    }

    /// An answer from the served generation or, where that is damaged, from the one before it.
    func answer<Value>(_ ask: (ServedMart) throws -> Value) throws -> Value {
        try folder.answer(fellBack: fallback.record, ask)
    }

    /// The ways out of the damage that an answer went around.
    ///
    /// - Returns: The ways; nil where the served generation answered.
    /// - Throws: `MartError` of the mart's folders.
    public func waysOut() throws -> WaysOut? {
        guard fallback.note != nil, let served = try folder.servedNumber() else { return nil }
        return try folder.waysOut(of: served)
    }

    /// A generation with its trips.
    ///
    /// - Parameters:
    ///   - generation: Its number.
    ///   - remedy: What to do where its trips are no longer kept.
    /// - Returns: The generation.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where there is no such
    ///   generation, or its trips are no longer kept.
    func kept(_ generation: Int, remedy: String) throws -> ServedMart {
        try requireKnown(generation)
        guard try folder.generationNumbers().contains(generation) else {
            throw try RunError.tripsNotKept(generation, folder, remedy: remedy)
        }
        return try ServedMart.open(folder, generation: generation)
    }

    /// `trips`: the newest trips of the served generation.
    ///
    /// - Parameters:
    ///   - filter: Which trips.
    ///   - limit: The maximum number of trips.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published or the key is missing.
    public func trips(_ filter: TripFilter, limit: Int) throws -> PublishedTrips {
        try answer { try trips(filter, limit: limit, in: $0) }
    }

    private func trips(
        _ filter: TripFilter,
        limit: Int,
        in served: ServedMart
    ) throws -> PublishedTrips {
        var filter = filter
        (filter.regions, filter.tripTypes) = try dimensions(
            filter.regions,
            filter.tripTypes,
            [served]
        )
        let page = try served.trips(filter, limit: limit)
        let counted = try served.kpi(
            KPIQuery(
                months: filter.months,
                tripTypes: filter.tripTypes,
                regions: filter.regions,
                classes: filter.tripClass.map { [$0] } ?? []
            )
        )
        let keys = try keys()
        return PublishedTrips(
            header: served.header,
            page: page,
            total: counted.total.sums.trips,
            askedMonths: filter.months,
            months: try served.months().map(\.month),
            refs: page.trips.map { keys.ref(ofTrip: $0.tripID).text },
            labels: try ValueLabels([.tripType, .region], in: served),
            hasCosts: try served.kpi(KPIQuery()).total.sums.costs.costedTrips > 0,
            martFlags: martFlags
        )
    }

    /// Checks the values that a query names; `all` stands for all values.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - sources: Its sources; a value that one of them has is known.
    /// - Returns: The query, without `all`.
    /// - Throws: ``RunError`` where a filter names a value that none of them has; `MartError` of
    ///   the files.
    func known(_ query: KPIQuery, in sources: [any SummaryReading]) throws -> KPIQuery {
        var query = query
        (query.regions, query.tripTypes) = try dimensions(query.regions, query.tripTypes, sources)
        try requireDeclared(query.declared, in: sources)
        let bases = try sources.flatMap { try $0.rules().map(\.basis) }
        try checkWords(query.bases, "basis", Set(bases).sorted(), of: Self.missing(sources))
        return query
    }

    /// The regions and trip types of a query; an empty list stands for all, and so does `all`.
    private func dimensions(
        _ regions: [String],
        _ tripTypes: [String],
        _ sources: [any SummaryReading]
    ) throws -> (regions: [String], tripTypes: [String]) {
        func named(_ words: [String], _ what: String, _ known: [String]) throws -> [String] {
            try checkWords(words, what, known + [KPICell.all], of: Self.missing(sources))
            return words.contains(KPICell.all) ? [] : words
        }
        return (
            try named(regions, "region", try sources.flatMap { try $0.regions().map(\.value) }),
            try named(
                tripTypes,
                "trip type",
                try sources.flatMap { try $0.tripTypes().map(\.value) }
            )
        )
    }

    /// Refuses a number that was never used, which is a typing error; the message lists the known
    /// ones.
    private func requireKnown(_ generation: Int) throws {
        let known = try Set(folder.historyNumbers() + folder.generationNumbers()).sorted()
        // Where nothing is published, opening fails with that message.
        guard !known.isEmpty, !known.contains(generation) else { return }
        throw RunError(
            .notFound,
            summary: "no such generation",
            what:
                "\(folder.path) has no generation \(generation). "
                + "Its numbers: \(Counted.ranges(known)).",
            remedies: ["Leave out --as-published to query the served generation."]
        )
    }

    /// The keys of the mart, which has generations.
    func keys() throws -> MartKeys {
        guard let keys = try MartKeys.open(keyFile: keyPath, for: folder) else {
            throw RunError(
                .notFound,
                summary: "nothing is published yet",
                what: "\(folder.path) has no generation.",
                remedies: [
                    "Run a pipeline first: triptych run PIPELINE\(martFlags) --input DIR"
                ]
            )
        }
        return keys
    }

    /// The pipeline a generation was made with.
    func pipeline(of source: any SummaryReading) throws -> PipelineDefinition {
        try PipelineReader.read(files: try source.inputs().pipelineFiles)
    }

    private static func missing(_ sources: [any SummaryReading]) -> String {
        sources.count > 1 ? "Neither generation has a" : "The generation has no"
    }

    /// Refuses a filter that names an unknown value: it is a typing error, not an empty answer.
    ///
    /// - Parameters:
    ///   - words: The values that the filter names.
    ///   - what: The noun for them.
    ///   - known: The known values.
    ///   - clause: The beginning of the message.
    /// - Throws: ``RunError`` at the first unknown value.
    func checkWords(
        _ words: [String],
        _ what: String,
        _ known: [String],
        of clause: String = "The generation has no"
    ) throws(RunError) {
        // Values are compared byte by byte, as the file does: texts that Unicode treats as equal
        // are two names.
        let names = known
        let known = known.map { ($0, Array($0.utf8)) }
        for word in words where !known.contains(where: { $0.1 == Array(word.utf8) }) {
            throw RunError(
                .usage,
                summary: "no such \(what)",
                what: "\(clause) \(what) '\(word)'.",
                remedies: [
                    NearestName.meant(by: word, among: names.sorted()).map {
                        "Did you mean `\($0)`?"
                    }
                        ?? Suggestion.text(for: word, among: names)
                ].filter { !$0.isEmpty }
            )
        }
    }
}
