import TripDomain
import TripEngine
import TripRules

extension TripClassifier {
    /// What derives the costs of the records of an export; nil where the cost is one of its fields.
    ///
    /// - Parameter zones: The clocks of time stamps, by which rows of look-ups may be chosen.
    /// - Returns: What derives the costs of a batch.
    func derivedCost(_ zones: ZoneResolver) -> DerivedCost? {
        guard hasDerivedCost else { return nil }
        var columns = fieldsOfCost
        // A place that cannot be read leaves open what day it is there.
        if columns.contains(where: { shape.columns[$0].kind == .timestamp }) {
            columns.formUnion(zones.columnsRead)
        }
        return DerivedCost(columns: columns) { batch in derivedCosts(of: zones.resolve(batch)) }
    }
}
