public import TripDomain

/// The columns of a batch that KPIs need, taken out once: taking one out of its enumeration for
/// every trip costs more than reading it.
public struct KPIView: Sendable {
    /// The batch's file.
    public let fileIndex: Int
    /// Codes of the trip type's pool.
    public let tripTypeCodes: [UInt32]
    /// Codes of the region's pool.
    public let regionCodes: [UInt32]
    /// Local pick-up times, in seconds.
    public let pickups: [Int64]
    /// Costs in cents; nil where the pipeline has none.
    public let cost: IntegerColumn?
    /// Loaded miles in hundredths; nil where the pipeline has none.
    public let miles: IntegerColumn?
    /// The deciding rules.
    public let ruleNumbers: [UInt16]
    /// Whether trips count.
    public let counted: [Bool]

    /// Takes the columns out of a batch.
    public init(_ batch: TripBatch, shape: TripShape) {
        fileIndex = batch.fileIndex
        tripTypeCodes = batch.columns[shape.tripTypeIndex].texts.codes
        regionCodes = batch.columns[shape.regionIndex].texts.codes
        pickups = batch.columns[shape.pickupIndex].integers.values
        cost = shape.costIndex.map { batch.columns[$0].integers }
        miles = shape.milesIndex.map { batch.columns[$0].integers }
        ruleNumbers = batch.ruleNumbers
        counted = batch.counted
    }
}
