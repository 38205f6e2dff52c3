import ArgumentParser
import TripDomain
import TripMart
import TripReports
import TripRuns
import TripText

/// Months, types and regions: filter flags of every query.
struct FilterOptions: ParsableArguments {
    @Option(
        help: """
            A month, 2026-10, or a range: 2026-01..2026-10; 2026-10.. is that month and all after \
            it, ..2026-10 that month and all before it.
            """
    )
    var month: String?

    @Option(help: "A trip type such as ALS1; may be given several times.")
    var tripType: [String] = []

    @Option(help: "A region such as 08; may be given several times.")
    var region: [String] = []

    /// The months asked for; nil for all.
    var months: ClosedRange<Month>? {
        // A text that names no months was refused before any work.
        month.flatMap { try? MonthFilter(text: $0).months }
    }

    func validate() throws {
        do throws(MonthFilter.Fault) {
            if let month { _ = try MonthFilter(text: month) }
        } catch {
            throw ValidationError("--month: \(error.message)")
        }
    }
}

/// The flags of a query to the cube: filters and grouping.
struct QueryOptions: ParsableArguments {
    @OptionGroup var filter: FilterOptions

    @Option(name: .customLong("class"), help: "in_house, contracted or undetermined.")
    var tripClass: String?

    @Option(help: "A basis such as va_fleet.")
    var basis: String?

    @Option(
        help: """
            Columns to group by: month,trip_type,region,class,basis,fiscal_year,year; and one \
            dimension that the pipeline declares, which comes last.
            """
    )
    var by: String?

    func validate() throws { _ = try query() }

    /// The query asked for.
    func query() throws -> KPIQuery {
        var query = KPIQuery(
            months: filter.months,
            tripTypes: filter.tripType,
            regions: filter.region,
            classes: try classes(),
            bases: basis.map { [$0] } ?? []
        )
        (query.by, query.declared) = try dimensions()
        return query
    }

    /// The dimensions of every pipeline, and one that may be declared: the mart knows.
    private func dimensions() throws -> ([KPIDimension], declared: String?) {
        var dimensions: [KPIDimension] = []
        var declared: String?
        for word in (by ?? "").split(separator: ",") {
            // Words of flags are written with a hyphen, those of columns with an underscore.
            let name = String(word.map { $0 == "-" ? "_" : $0 })
            guard let dimension = KPIDimension(rawValue: name) else {
                if let declared {
                    let known = KPIDimension.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError(
                        declared == name
                            ? "--by names '\(word)' twice."
                            : "--by takes one declared dimension at a time; '\(declared)' and "
                                + "'\(word)' are two. Every pipeline has: \(known)."
                    )
                }
                declared = name
                continue
            }
            guard !dimensions.contains(dimension) else {
                throw ValidationError("--by names '\(word)' twice.")
            }
            dimensions.append(dimension)
        }
        return (dimensions, declared)
    }

    private func classes() throws -> [TripClass] {
        try tripClass.map { [try KnownWords.tripClass($0)] } ?? []
    }
}

/// `triptych kpi`.
struct KPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kpi",
        abstract: "Trips, in-house % and cost of the served generation.",
        discussion: """
            A trip keeps the region it belonged to on its day, though regions are redrawn. \
            --regions-as-of DAY assigns all trips to regions as of that one day, by the dated \
            look-ups behind the region, so that months can be compared across a redrawing. The \
            class of a trip stays as published. This reads the stored trips.

            The table and JSON end with the row `all`, the total of the same filters. CSV holds the \
            groups alone, so that a column can be summed; without --by it is the total.

            --worklist reads the stored trips as well: it lists the undetermined trips by the \
            fields that are blank in the export or missing in a reference file, the most frequent \
            first, each with the conditions that would classify them.

            --why takes the change between two months apart: in-house % and vendor cost, by \
            region and by trip type, into what each did at its own rate and what comes of more or \
            fewer of its trips. The parts sum exactly to the change. --by names one of the two \
            and shows all of its parts; --region and --trip-type look into a group.

            Examples:
              triptych kpi --month 2026-10 --by region
              triptych kpi --by month
              triptych kpi --by class,basis --region 08
              triptych kpi --worklist --month 2026-10
              triptych kpi --why 2026-09..2026-10
              triptych kpi --why 2025-10..2026-10 --by region
              triptych kpi --by month,region --format csv >kpi.csv
            """
    )

    @OptionGroup var question: QueryOptions

    @Option(help: "A generation as it was published, even after its file was removed.")
    var asPublished: Int?

    @Option(help: "A day: assign all months to the regions in force on that day.")
    var regionsAsOf: String?

    @Flag(help: "The undetermined trips by missing value, with what would classify them.")
    var worklist = false

    @Option(
        help: ArgumentHelp(
            "Two months: why the numbers of the second differ from those of the first.",
            valueName: "from..to"
        )
    )
    var why: String?

    @OptionGroup var mart: MartOptions
    @OptionGroup var work: WorkOptions
    @OptionGroup var format: FormatOptions

    func validate() throws {
        _ = try day()
        try checkWhy()
        let isSplit = question.by != nil || question.tripClass != nil || question.basis != nil
        guard !worklist || !isSplit && regionsAsOf == nil else {
            throw ValidationError(
                "--worklist groups by what is missing: "
                    + "give no --by, --class, --basis and --regions-as-of."
            )
        }
    }

    func run() throws {
        let query = try question.query()
        try CommandEnding.answering(mart) { queries in
            try queries.requireKnownDimensions(query)
            if worklist {
                let trips = try queries.worklist(
                    query,
                    of: asPublished,
                    work.runOptions(mart),
                    progress: LogOptions.terminalProgress
                )
                return format.show(WorklistScreen(trips).text)
            }
            if let months = try comparedMonths() {
                let change = try queries.why(
                    from: months.lowerBound,
                    to: months.upperBound,
                    query,
                    asPublished: asPublished,
                    regionsAsOf: day(),
                    threadCount: work.threading.count
                )
                return format.show(ChangeScreen(change, now: work.nowSeconds).text)
            }
            let kpis = try queries.kpi(
                query,
                asPublished: asPublished,
                regionsAsOf: day(),
                threadCount: work.threading.count
            )
            format.show(KPIScreen(kpis, now: work.nowSeconds).text)
        }
    }

    private func checkWhy() throws {
        guard try comparedMonths() != nil else { return }
        let isElsewhere =
            worklist || question.filter.month != nil || question.tripClass != nil
            || question.basis != nil
        guard !isElsewhere else {
            throw ValidationError(
                "--why compares two months of all classes: "
                    + "give no --month, --class, --basis and --worklist."
            )
        }
        let (by, declared) = try (question.query().by, question.query().declared)
        guard declared == nil, by.isEmpty || by == [.region] || by == [.tripType] else {
            throw ValidationError("--why goes --by region or --by trip_type; without --by, both.")
        }
    }

    /// The two months to compare; nil where none are.
    private func comparedMonths() throws -> ClosedRange<Month>? {
        guard let why else { return nil }
        let months: ClosedRange<Month>
        do throws(MonthFilter.Fault) {
            months = try MonthFilter(text: why).months
        } catch {
            throw ValidationError("--why: \(error.message)")
        }
        let isOpen = why.hasPrefix("..") || why.hasSuffix("..")
        guard !isOpen, months.lowerBound < months.upperBound else {
            throw ValidationError("--why compares two different months: 2026-09..2026-10.")
        }
        return months
    }

    private func day() throws -> CivilDate? {
        guard let regionsAsOf else { return nil }
        guard let day = CivilDate(text: regionsAsOf) else {
            throw ValidationError("--regions-as-of must be a day: YYYY-MM-DD.")
        }
        return day
    }
}
