import TripDomain
import TripMart
import TripText

extension WhyAnswer {
    /// What its rows may be; the first where the client does not say.
    static let rows: [KPIDimension] = [.region, .tripType]

    /// The parts by one dimension as CSV: a row for each group and kind, with its part of either
    /// change.
    ///
    /// - Parameter rows: The dimension.
    /// - Returns: The text. A column sums exactly to its change, and is empty where the change is
    ///   hidden; a part of 0 beside one that is not stands there.
    func csv(by rows: KPIDimension) -> [UInt8] {
        let points = change(of: .inHousePercent, by: rows)
        let cents = change(of: .vendorCost, by: rows)
        var keys: [PartKey] = []
        for part in (points?.parts ?? []) + (cents?.parts ?? []) where !keys.contains(PartKey(part))
        {
            keys.append(PartKey(part))
        }
        let labels = rows == .region ? cube.regions : cube.tripTypes
        let origin = OriginColumns.values(generation)
        return CSVText.text(
            ["from", "to", rows.rawValue, "label", "kind", "hundredths", "cents", "suppressed"]
                + OriginColumns.names,
            keys.map { key in
                let isNamed = key.group != Array(KPICell.all.utf8)
                let label = isNamed ? labels.first { Array($0.value.utf8) == key.group } : nil
                return [
                    .text(from.text), .text(to.text), .text(label?.value), .text(label?.label),
                    .text(key.kind.rawValue), .number(.integer(key.amount(in: points))),
                    .number(.integer(key.amount(in: cents))),
                    .truth(!isNamed || points == nil || cents == nil),
                ] + origin
            }
        )
    }
}

/// What a part is called: its group, by bytes since texts that are equal in Unicode are two groups,
/// and its kind.
private struct PartKey: Equatable {
    let group: [UInt8]
    let kind: ChangeDecomposition.Kind

    init(_ part: ChangeDecomposition.Part) {
        (group, kind) = (Array(part.value.utf8), part.kind)
    }

    /// Its part of a change; nil where that is not known.
    func amount(in change: ChangeDecomposition?) -> Int64? {
        guard let change, change.change != nil else { return nil }
        return change.parts.first { PartKey($0) == self }?.amount ?? 0
    }
}
