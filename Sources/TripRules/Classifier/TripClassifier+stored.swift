public import TripDomain

extension TripClassifier {
    /// The fields that a classification depends on, by their index in the shape.
    ///
    /// These are the fields that look-ups, derived fields, rules, counting and sums read. Where
    /// overrides are in force, the trip id is one of them.
    public var fieldsRead: Set<Int> {
        var names: Set<String> = []
        for program in derived.map(\.program) + ruleSet.rules.map(\.program) + [countWhen] {
            names.formUnion(program?.namesUsed ?? [])
        }
        var columns = names.compactMap { scope.columnIndex($0) }
        columns += validOnColumns.compactMap(\.self) + keyColumns.flatMap(\.self)
        columns += [ruleSet.pickupIndex, shape.pickupIndex, shape.regionIndex, shape.tripTypeIndex]
        columns += [shape.costIndex, shape.milesIndex, namedRegionIndex].compactMap(\.self)
        if areInForce.contains(true) { columns.append(shape.tripIDIndex) }
        return Set(
            columns.compactMap { column in
                if column < fieldCount { return column }
                // The fields come first, then the dates of time stamps, then the derived columns.
                let date = column - fieldCount
                return dateSources.indices.contains(date) ? dateSources[date] : nil
            }
        )
    }

    /// Whether trips stored with some columns can be classified again: they have exactly these
    /// fields.
    ///
    /// Derived columns may differ, since they are computed again.
    ///
    /// - Parameter stored: The columns of the stored trips.
    /// - Returns: Whether their fields are this pipeline's.
    public func readsFields(of stored: TripShape) -> Bool {
        stored.columns.filter { !$0.isDerived } == Array(shape.columns[..<fieldCount])
    }

    /// Classifies stored trips again.
    ///
    /// - Parameter batch: The trips as stored; of the fields, ``fieldsRead`` have rows.
    /// - Returns: The batch with its derived columns, rules and marks computed again.
    /// - Complexity: O(*n*) in the trips.
    public func reclassify(_ batch: TripBatch) -> Outcome {
        var batch = batch
        batch.columns.removeSubrange(fieldCount...)
        return classify(batch)
    }
}
