import TripDomain

/// What a screen says where no trip matches: the reason as far as it is known, and what there is.
enum EmptyAnswer {
    /// A sentence in place of an empty table.
    ///
    /// - Parameters:
    ///   - header: The generation that was asked.
    ///   - asked: The months asked for; nil for all.
    ///   - months: The months that the generation has.
    /// - Returns: The sentence.
    static func text(
        _ header: GenerationHeader,
        asked: ClosedRange<Month>?,
        has months: [Month]
    ) -> String {
        text("Generation \(header.number) has", asked: asked, months)
    }

    /// The same for two generations, of which neither has such a trip.
    ///
    /// - Parameters:
    ///   - first: The earlier generation.
    ///   - second: The later one.
    ///   - asked: The months asked for; nil for all.
    ///   - months: The months that either has.
    /// - Returns: The sentence.
    static func text(
        _ first: GenerationHeader,
        _ second: GenerationHeader,
        asked: ClosedRange<Month>?,
        has months: [Month]
    ) -> String {
        text("Generations \(first.number) and \(second.number) have", asked: asked, months)
    }

    private static func text(
        _ subject: String,
        asked: ClosedRange<Month>?,
        _ months: [Month]
    ) -> String {
        guard let first = months.first, let last = months.last else {
            return "\(subject) no counted trip."
        }
        let span = first == last ? first.text : "\(first.text) to \(last.text)"
        let has = "\(subject) trips of \(span)"
        guard let asked else { return "No trip matches these filters. \(has); leave a filter out." }
        if months.contains(where: asked.contains) {
            return "No trip matches all filters together. \(has); leave a filter out."
        }
        let text =
            asked.lowerBound == asked.upperBound
            ? asked.lowerBound.text : "\(asked.lowerBound.text) to \(asked.upperBound.text)"
        return "No trip of \(text). \(has)."
    }
}

extension GenerationHeader {
    /// Up to this age the last day of the data needs no remark: exports come monthly.
    private static let usualAgeDays: Int32 = 45

    /// What the first line of an answer begins with: `Generation 418`, `published …` and so on.
    ///
    /// - Parameters:
    ///   - today: The day on which the answer is read.
    ///   - regionsAsOf: The day whose map of regions the answer uses; nil for each trip's own.
    /// - Returns: The clauses.
    func clauses(on today: CivilDate, regionsAsOf: CivilDate?) -> [String] {
        let parts: [String?] = [
            "Generation \(number)", isSynthetic ? "SYNTHETIC DATA" : nil,
            "published \(publishedAt)", dataClause(on: today),
            regionsAsOf.map { "regions as of \($0.text)" },
        ]
        return parts.compactMap(\.self)
    }

    /// `data through 2026-10-31`, with its age where it is old; nil without trips.
    func dataClause(on today: CivilDate) -> String? {
        guard let dataThrough else { return nil }
        let days = today.dayNumber - dataThrough.dayNumber
        return "data through \(dataThrough.text)"
            + (days > Self.usualAgeDays ? ", \(NumberFormat.count(Int64(days))) days ago" : "")
    }
}
