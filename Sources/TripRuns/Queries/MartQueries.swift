public import TripDomain
public import TripMart

/// The questions commands ask of a mart, each answered in the format it was asked in.
public struct MartQueries {
    let folder: MartFolder
    private let keyPath: String

    /// Asks a mart.
    ///
    /// - Parameters:
    ///   - martPath: The mart's folder.
    ///   - keyPath: Its key file; nil stands for the mart's path with `.key` after it.
    public init(martPath: String, keyPath: String?) {
        folder = MartFolder(path: martPath)
        self.keyPath = keyPath ?? RunOptions.defaultKeyPath(martPath: martPath)
    }

    /// `kpi`: the KPIs of the served generation, or of one as it was published.
    ///
    /// - Parameters:
    ///   - query: What is asked.
    ///   - generation: A generation as published; nil is the served one.
    ///   - day: The day on whose map of regions all months are shown; nil shows each trip where it belonged.
    ///   - threadCount: Threads to use where trips are read; the answer does not depend on it.
    ///   - format: How to answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published or the generation is unknown;
    ///   ``RunError`` where a filter names what the generation does not have, or a map is asked of trips that
    ///   are no longer kept.
    public func kpi(
        _ query: KPIQuery,
        asPublished generation: Int?,
        regionsAsOf day: CivilDate? = nil,
        threadCount: Int = 2,
        format: OutputFormat
    ) throws -> String {
        let source = try source(generation, regionsAsOf: day, threadCount: threadCount)
        let query = try known(query, in: [source])
        var byMonth = query
        byMonth.by = [.month]
        let open = try source.kpi(byMonth).rows.filter(\.isOpen)
        return KPIScreen(
            header: source.header,
            query: query,
            table: try source.kpi(query),
            openMonths: open.compactMap { Month(text: $0.keys[0]) },
            regionsAsOf: day
        ).text(format)
    }

    /// The numbers that are asked.
    private func source(
        _ generation: Int?,
        regionsAsOf day: CivilDate?,
        threadCount: Int
    ) throws -> any SummaryReading {
        if let generation { try requireKnown(generation) }
        guard let day else {
            guard let generation else { return try ServedMart.open(folder) }
            return try PublishedCube.open(folder, generation: generation)
        }
        let served = try kept(
            generation,
            remedy: "Ask one of these, or leave --regions-as-of out."
        )
        return try RegionMap(served, asOf: day).cube(threadCount: threadCount)
    }

    /// A generation with its trips.
    ///
    /// - Parameters:
    ///   - generation: Its number; nil is the served one.
    ///   - remedy: What to do where its trips are no longer kept.
    /// - Returns: The generation.
    /// - Throws: `MartError` where nothing is published; ``RunError`` where there is no such generation, or its trips
    ///   are no longer kept.
    func kept(_ generation: Int?, remedy: String) throws -> ServedMart {
        guard let generation else { return try ServedMart.open(folder) }
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
    ///   - limit: How many at most.
    ///   - format: How to answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published or the key is missing.
    public func trips(_ filter: TripFilter, limit: Int, format: OutputFormat) throws -> String {
        let served = try ServedMart.open(folder)
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
        return TripsScreen(
            header: served.header,
            page: page,
            total: counted.total.sums.trips,
            keys: try keys()
        ).text(format)
    }

    /// A question whose words are known; `all` stands for all.
    ///
    /// - Parameters:
    ///   - query: The question.
    ///   - sources: What it is asked of; a word that one of them has is known.
    /// - Returns: The question.
    /// - Throws: ``RunError`` where a filter names what none of them has; `MartError` of the files.
    func known(_ query: KPIQuery, in sources: [any SummaryReading]) throws -> KPIQuery {
        var query = query
        (query.regions, query.tripTypes) = try dimensions(query.regions, query.tripTypes, sources)
        let bases = try sources.flatMap { try $0.rules().map(\.basis) }
        try checkWords(query.bases, "basis", Set(bases).sorted(), of: Self.whose(sources))
        return query
    }

    /// The regions and trip types a question is about; none stands for all, and so does `all`.
    private func dimensions(
        _ regions: [String],
        _ tripTypes: [String],
        _ sources: [any SummaryReading]
    ) throws -> (regions: [String], tripTypes: [String]) {
        func named(_ words: [String], _ what: String, _ known: [String]) throws -> [String] {
            try checkWords(words, what, known + [KPICell.all], of: Self.whose(sources))
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

    /// A number that was never given out is a typing error; which ones there are is the answer to it.
    private func requireKnown(_ generation: Int) throws {
        let known = try folder.historyNumbers()
        // Where nothing is published, that is what there is to say.
        guard !known.isEmpty, !known.contains(generation) else { return }
        throw RunError(
            .notFound,
            summary: "no such generation",
            what:
                "\(folder.path) has no generation \(generation). Its numbers: \(Shown.ranges(known)).",
            remedies: ["Leave --as-published out to ask the generation that is served."]
        )
    }

    /// The keys of the mart, which has generations.
    func keys() throws -> MartKeys {
        guard let keys = try MartKeys.open(keyFile: keyPath, for: folder) else {
            throw RunError(
                .notFound,
                summary: "nothing is published yet",
                what: "\(folder.path) has no generation.",
                remedies: ["Run a pipeline first: triptych run pipelines/ambulance"]
            )
        }
        return keys
    }

    /// The pipeline a generation was made with.
    func pipeline(of source: any SummaryReading) throws -> PipelineDefinition {
        try PipelineReader.read(files: try source.inputs().pipelineFiles)
    }

    private static func whose(_ sources: [any SummaryReading]) -> String {
        sources.count > 1 ? "Neither generation has a" : "The generation has no"
    }

    /// A filter that names nothing is a typing error, not an empty answer.
    ///
    /// - Parameters:
    ///   - words: What the filter names.
    ///   - what: What that is.
    ///   - known: What there is.
    ///   - whose: What was asked, and has none.
    /// - Throws: ``RunError`` at the first that is not known.
    func checkWords(
        _ words: [String],
        _ what: String,
        _ known: [String],
        of whose: String = "The generation has no"
    ) throws(RunError) {
        // Byte for byte, as the file compares: texts that Unicode calls equal are two names.
        let known = known.map { ($0, Array($0.utf8)) }
        for word in words where !known.contains(where: { $0.1 == Array(word.utf8) }) {
            throw RunError(
                .usage,
                summary: "no such \(what)",
                what: "\(whose) \(what) '\(word)'.",
                remedies: [Suggestion.text(for: word, among: known.map(\.0))].filter { !$0.isEmpty }
            )
        }
    }
}
