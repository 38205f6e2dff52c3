import TripDomain
public import TripMart

/// The labels that people read beside the values of dimensions, as `VISN 1` beside `01`.
public struct ValueLabels: Sendable {
    private var labels: [KPIDimension: [String: String]] = [:]

    /// Collects the labels of a generation.
    ///
    /// - Parameters:
    ///   - dimensions: The dimensions whose values are shown.
    ///   - source: The generation.
    /// - Throws: `MartError` of the file.
    init(_ dimensions: [KPIDimension], in source: any SummaryReading) throws(MartError) {
        for dimension in dimensions {
            let values =
                switch dimension {
                case .tripType: try source.tripTypes()
                case .region: try source.regions()
                default: [DimensionLabel]()
                }
            // A value without a label of its own is its own label.
            for value in values where value.label != value.value {
                labels[dimension, default: [:]][value.value] = value.label
            }
        }
    }

    /// Whether any value of a dimension has a label.
    ///
    /// - Parameter dimension: The dimension.
    /// - Returns: False also where the dimension is not shown.
    public func has(_ dimension: KPIDimension) -> Bool { labels[dimension] != nil }

    /// The label of a value; empty where it has none.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - dimension: Its dimension.
    /// - Returns: The label.
    public func text(_ value: String, of dimension: KPIDimension) -> String {
        labels[dimension]?[value] ?? ""
    }
}
