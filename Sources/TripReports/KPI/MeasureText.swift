import TripDomain

/// How declared measures are printed and named.
extension DeclaredMeasure {
    /// Its column in the text of `kpi`: after what every pipeline has, and left out before
    /// it, the last one first.
    func textColumn(_ index: Int) -> TextTable.Column {
        TextTable.Column(title: title, alignment: .right, rank: 5 + index)
    }

    /// `Transport minutes (min)`.
    var title: String {
        unit.isEmpty || unit == Self.centsUnit ? label : "\(label) (\(unit))"
    }

    /// `41.5`, `4,638` or `$13,402.20`; a dash where it is known of no trip.
    func text(_ value: MeasureValue) -> String {
        guard let number = value.value else { return "–" }
        switch amount {
        case .cents where kind != .count: return NumberFormat.dollars(number)
        case .hundredthsOfMile where kind != .count: return Counted.hundredths(number)
        default: return isInHundredths ? Self.decimal(number) : NumberFormat.count(number)
        }
    }

    /// `Transport minutes: known for 97 % of trips`; nil where it is known of all, and of counts.
    func note(_ value: MeasureValue, of trips: Int64) -> String? {
        guard kind != .count, value.knownTrips < trips else { return nil }
        return "\(label): known for \(NumberFormat.wholePercent(value.knownTrips, of: trips)) "
            + "of trips (\(NumberFormat.count(value.knownTrips)))"
    }

    /// The names of its columns in JSON and CSV.
    var rowNames: [String] { [columnName] + [knownName].compactMap(\.self) }

    /// The values of these columns.
    func rowValues(_ value: MeasureValue) -> [JSONValue] {
        [json(value.value)] + (knownName == nil ? [] : [.integer(value.knownTrips)])
    }

    /// A value, or a difference of two, in JSON and CSV.
    func json(_ value: Int64?) -> JSONValue {
        isInHundredths ? .hundredths(value) : .integer(value)
    }

    /// One decimal, half up, also below zero.
    private static func decimal(_ hundredths: Int64) -> String {
        let tenths = CivilTime.floorDivide(hundredths + 5, 10)
        let text = "\(NumberFormat.count(Int64(tenths.magnitude / 10))).\(tenths.magnitude % 10)"
        return tenths < 0 ? "-" + text : text
    }
}
