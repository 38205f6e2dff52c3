public import TripDomain

/// Goals are rows of `meta`, so that a pipeline without one has the tables of before.
extension Goal {
    private static let keyPrefix = "goal_from_"

    /// Its row of `meta`: `goal_from_2025-10` and hundredths of a percent.
    var stored: (key: String, value: String) {
        (Self.keyPrefix + from.text, String(inHousePercentHundredths))
    }

    /// Reads a row of `meta`; nil where it is no goal.
    ///
    /// - Throws: ``MartError`` that `damaged` makes, where the row is one and cannot be read.
    fileprivate init?(
        _ key: String,
        _ value: String,
        damaged: () -> MartError
    ) throws(MartError) {
        guard key.hasPrefix(Self.keyPrefix) else { return nil }
        guard let from = Month(text: String(key.dropFirst(Self.keyPrefix.count))),
            let hundredths = Int64(value), Self.possible.contains(hundredths)
        else { throw damaged() }
        self.init(from: from, inHousePercentHundredths: hundredths)
    }
}

extension SummaryReading {
    /// The goals that the pipeline declares, in order of their months; none in a generation that is
    /// older than goals.
    ///
    /// - Throws: ``MartError`` of the file.
    public func goals() throws(MartError) -> [Goal] {
        let rows = try file.rows("SELECT key, value FROM meta ORDER BY key") {
            (key: try $0[0] as String, value: try $0[1] as String)
        }
        var goals: [Goal] = []
        for row in rows {
            if let goal = try Goal(row.key, row.value, damaged: file.damaged) { goals.append(goal) }
        }
        return goals
    }
}
