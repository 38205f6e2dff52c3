public import TripDomain

extension TripClassifier {
    /// The fields that joining, deriving, deciding, counting and adding up read, by their place in the
    /// shape.
    ///
    /// All others have no part in a decision. Where overrides are in force, the trip id has.
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
                // Behind the fields come the dates of time stamps, and behind those what is derived.
                let date = column - fieldCount
                return dateSources.indices.contains(date) ? dateSources[date] : nil
            }
        )
    }

    /// Whether trips stored with some columns can be decided anew: they have the very fields.
    ///
    /// What is derived may differ: it is computed again.
    ///
    /// - Parameter stored: The columns of the stored trips.
    /// - Returns: Whether their fields are this pipeline's.
    public func readsFields(of stored: TripShape) -> Bool {
        stored.columns.filter { !$0.isDerived } == Array(shape.columns[..<fieldCount])
    }

    /// Decides stored trips anew.
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
