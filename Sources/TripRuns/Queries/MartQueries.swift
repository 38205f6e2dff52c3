import TripDomain
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
    ///   - format: How to answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published or the generation is unknown;
    ///   ``RunError`` where a filter names what the generation does not have.
    public func kpi(
        _ query: KPIQuery,
        asPublished generation: Int?,
        format: OutputFormat
    ) throws -> String {
        let source: any SummaryReading
        let header: GenerationHeader
        if let generation {
            let cube = try PublishedCube.open(folder, generation: generation)
            (source, header) = (cube, cube.header)
        } else {
            let served = try ServedMart.open(folder)
            (source, header) = (served, served.header)
        }
        try checkDimensions(query.regions, query.tripTypes, in: source)
        try checkWords(query.bases, "basis", Set(try source.rules().map(\.basis)).sorted())
        var byMonth = query
        byMonth.by = [.month]
        let open = try source.kpi(byMonth).rows.filter(\.isOpen)
        return KPIScreen(
            header: header,
            query: query,
            table: try source.kpi(query),
            openMonths: open.compactMap { Month(text: $0.keys[0]) }
        ).text(format)
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
        try checkWords(filter.regions, "region", try served.regions())
        try checkWords(filter.tripTypes, "trip type", try served.tripTypes())
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

    /// `rejects list`: what was set aside, by reason; with a filter, one by one.
    ///
    /// - Parameters:
    ///   - filter: Which rejects; nil groups all of them.
    ///   - limit: How many at most.
    ///   - format: How to answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where nothing is published.
    public func rejects(
        _ filter: RejectFilter?,
        limit: Int,
        format: OutputFormat
    ) throws -> String {
        let served = try ServedMart.open(folder)
        guard let filter else {
            return RejectsScreen(header: served.header, groups: try served.rejectGroups())
                .text(format)
        }
        let rows = try served.rejects(filter, limit: limit)
        return RejectListScreen(header: served.header, rows: rows).text(format)
    }

    /// `rejects show`: one reject; its raw record only where it is asked for by name.
    ///
    /// - Parameters:
    ///   - number: The reject's number in the served generation.
    ///   - reveals: Whether to open the sealed record.
    /// - Returns: The answer.
    /// - Throws: `MartError` where there is no such reject or the key does not open it.
    public func reject(_ number: Int, reveals: Bool) throws -> String {
        let served = try ServedMart.open(folder)
        guard let row = try served.reject(number: number) else {
            throw RunError(
                .notFound,
                summary: "no such reject",
                what: "Generation \(served.header.number) has no reject \(number).",
                remedies: ["See the numbers: triptych rejects list"]
            )
        }
        var lines = [
            "Reject \(row.number) · generation \(served.header.number)",
            "Where   \(row.place.text), byte \(row.place.byteOffset), \(row.byteSize) bytes",
            "Why     \(row.reason.rawValue)" + (row.field.map { " in `\($0)`" } ?? "")
                + ": " + RejectExplanation.text(row.reason),
            row.isCorrection
                ? "Trip    a correction of a trip the mart knows, which stays as it was" : "",
            "Counts  \(row.itemCount) item\(row.itemCount == 1 ? "" : "s") of the ledger",
        ].filter { !$0.isEmpty }
        guard reveals else {
            lines.append("Text    ••••••••   it may name a patient; --reveal opens it")
            return lines.joined(separator: "\n")
        }
        let text = try served.openRejectText(number: number, keys: try keys())
        lines.append("Text    " + Self.printable(text))
        return lines.joined(separator: "\n")
    }

    /// `runs list`.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - format: How to answer.
    /// - Returns: The answer.
    /// - Throws: `MartError` where the list cannot be read.
    public func runs(limit: Int, format: OutputFormat) throws -> String {
        RunsScreen(runs: try RunLog.openIfPresent(folder)?.list(limit: limit) ?? []).text(format)
    }

    /// `runs show`: everything a run printed.
    ///
    /// - Parameter number: The run.
    /// - Returns: The answer.
    /// - Throws: `MartError` where there is no such run.
    public func run(_ number: Int) throws -> String {
        guard let run = try RunLog.openIfPresent(folder)?.run(number) else {
            throw RunError(
                .notFound,
                summary: "no such run",
                what: "\(folder.path) has no list of runs.",
                remedies: ["See the runs: triptych runs list"]
            )
        }
        return [
            "Run \(run.number) · \(run.outcome)" + (run.exitCode.map { " · exit \($0)" } ?? ""),
            "Started \(run.startedAt)" + (run.endedAt.map { " · ended \($0)" } ?? ""),
            "Command \(run.command)", "", run.summary, run.details,
        ].joined(separator: "\n")
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

    /// A filter that names nothing is a typing error, not an empty answer.
    private func checkWords(
        _ words: [String],
        _ what: String,
        _ known: [DimensionLabel]
    ) throws(RunError) {
        let values = known.map(\.value) + [KPICell.all]
        for word in words where !values.contains(word) {
            throw RunError(
                .usage,
                summary: "no such \(what)",
                what: "The generation has no \(what) '\(word)'.",
                remedies: [Suggestion.text(for: word, among: values)]
            )
        }
    }

    /// The raw record with control characters made visible.
    ///
    /// The one place that reveals one.
    private static func printable(_ text: Masked<[UInt8]>) -> String {
        var shown = ""
        for scalar in String(decoding: text.revealed(), as: UTF8.self).unicodeScalars {
            if scalar.value < 0x20 || scalar.value == 0x7F {
                shown += scalar.escaped(asASCII: true)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}

/// What a reject reason means, in a sentence; `docs/REJECTS.md` has the paragraphs.
enum RejectExplanation {
    static func text(_ reason: RejectReason) -> String {
        switch reason {
        case .tooManyFields: "the record has more fields than the header"
        case .tooFewFields: "the record has fewer fields than the header"
        case .strayQuote: "a quote stands where none may stand"
        case .unclosedQuote: "a quote is never closed within the limits"
        case .recordTooLong: "the record is longer than the limit"
        case .invalidEncoding: "bytes are not text in the declared encoding"
        case .nulByte: "the line has a NUL byte"
        case .repeatedHeader: "the line repeats the header"
        case .missingValue: "a required field is blank"
        case .wrongType: "the text does not read as the declared type"
        case .wrongPattern: "the text does not have the declared pattern"
        case .outOfRange:
            "the value lies outside its range, or the time outside the years 1900 to 2199"
        case .unknownValue: "the declared values do not list the text"
        case .orphanLine: "a mileage line has no base line in its claim"
        case .reservedWord: "the word `all` is reserved in every dimension"
        }
    }
}
