public import TripDomain

/// The columns of a batch that KPIs need, taken out once: taking one out of its enumeration for
/// every trip costs more than reading it.
public struct KPIView: Sendable {
    /// The batch's file.
    public let fileIndex: Int
    /// Codes of the trip type's pool.
    public let tripTypeCodes: PackedIntegers.Reader
    /// Codes of the region's pool.
    public let regionCodes: PackedIntegers.Reader
    /// Local pick-up times, in seconds.
    public let pickups: PackedIntegers.Reader
    /// Costs in cents; nil where the pipeline has none.
    public let cost: PackedIntegers.Reader?
    /// Loaded miles in hundredths; nil where the pipeline has none.
    public let miles: PackedIntegers.Reader?
    private let ruleNumbers: PackedIntegers.Reader
    private let counted: PackedIntegers.Reader
    /// Keeps the columns alive.
    private let batch: PackedBatch

    /// Takes the columns out of a batch.
    public init(_ batch: PackedBatch, shape: TripShape) {
        self.batch = batch
        fileIndex = batch.fileIndex
        tripTypeCodes = batch.columns[shape.tripTypeIndex].texts.codes.reader
        regionCodes = batch.columns[shape.regionIndex].texts.codes.reader
        pickups = batch.columns[shape.pickupIndex].integers.reader
        cost = shape.costIndex.map { batch.columns[$0].integers.reader }
        miles = shape.milesIndex.map { batch.columns[$0].integers.reader }
        ruleNumbers = batch.ruleNumbers.reader
        counted = batch.counted.reader
    }

    /// Whether a trip counts.
    public func isCounted(_ row: Int) -> Bool { counted[row] != 0 }

    /// The number of a trip's deciding rule; 0 where none held.
    public func ruleNumber(_ row: Int) -> Int { Int(truncatingIfNeeded: ruleNumbers[row]) }
}
