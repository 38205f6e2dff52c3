public import TripDomain

/// What a run prints, and what the list of runs keeps of it.
public struct RunText: Sendable {
    /// The one line with the result, for stdout.
    public let summary: String
    /// The lines for stderr.
    public let details: [String]
    /// The effect of the edits, where stored trips were classified again; in the list of runs it
    /// comes before the details.
    public let plan: [String]

    /// Gathers the lines of a run.
    ///
    /// - Parameters:
    ///   - summary: The one line with the result.
    ///   - details: All other lines.
    ///   - plan: The effect of the edits, where stored trips were classified again.
    public init(summary: String, details: [String], plan: [String] = []) {
        self.summary = summary
        self.details = details
        self.plan = plan
    }
}

/// The generation that readers see after a run that published nothing.
public struct ServedState: Sendable {
    /// Its number; nil where nothing is published yet.
    public let generation: Int?
    /// The last day of its data; nil where its file cannot be read.
    public let dataThrough: CivilDate?
    /// When readers see it as stale, as local text with offset; nil where no export is expected.
    public let staleAfter: String?
    /// Whether even its number cannot be read, as by an account that may not enter the mart.
    public var isUnknown = false
    /// Whether readers see it as stale already.
    public var isStale = false
    /// The flags that name the mart in a command, after a blank each.
    public var martFlags = ""

    /// Describes what is served.
    ///
    /// - Parameters:
    ///   - generation: Its number; nil where nothing is published yet.
    ///   - dataThrough: The last day of its data.
    ///   - staleAfter: When readers see it as stale, as local text with offset.
    public init(generation: Int?, dataThrough: CivilDate?, staleAfter: String?) {
        self.generation = generation
        self.dataThrough = dataThrough
        self.staleAfter = staleAfter
    }
}

/// Puts the results of runs into words: a run computes values and knows no layout.
public protocol RunOutput: Sendable {
    /// The lines of a run that did what it was asked to.
    ///
    /// - Parameter report: Its result.
    /// - Returns: The lines.
    func text(of report: RunReport) -> RunText

    /// The lines of a run that published nothing.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - served: What readers see meanwhile.
    ///   - runNumber: Its number in the list of runs; nil where it is not listed.
    /// - Returns: The lines.
    func text(of failure: Failure, served: ServedState, runNumber: Int?) -> RunText
}
