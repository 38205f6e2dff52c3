public import TripDomain

/// The values of trips that KPIs read, row by row, for packed and unpacked batches.
protocol KPIRows {
    /// A code of the trip type's pool.
    func tripTypeCode(_ row: Int) -> Int
    /// A code of the region's pool.
    func regionCode(_ row: Int) -> Int
    /// The local pick-up time, in seconds.
    func pickup(_ row: Int) -> Int64
    /// The cost in cents; nil where not known.
    func cost(_ row: Int) -> Int64?
    /// The loaded miles in hundredths; nil where not known.
    func miles(_ row: Int) -> Int64?
    /// Whether the trip counts.
    func isCounted(_ row: Int) -> Bool
    /// The number of the deciding rule; 0 where none held.
    func ruleNumber(_ row: Int) -> Int
}

/// The columns of a packed batch that KPIs need.
///
/// They are extracted once, because extracting a column from its enumeration for every trip costs
/// more than reading the value.
public struct KPIView: Sendable, KPIRows {
    /// The batch's file.
    public let fileIndex: Int
    private let tripTypeCodes: PackedIntegers.Reader
    private let regionCodes: PackedIntegers.Reader
    private let pickups: PackedIntegers.Reader
    private let costs: PackedIntegers.Reader?
    private let allMiles: PackedIntegers.Reader?
    private let ruleNumbers: PackedIntegers.Reader
    private let counted: PackedIntegers.Reader
    /// Keeps the columns alive.
    private let batch: PackedBatch

    /// Extracts the columns of a batch.
    public init(_ batch: PackedBatch, shape: TripShape) {
        self.batch = batch
        fileIndex = batch.fileIndex
        tripTypeCodes = batch.columns[shape.tripTypeIndex].texts.codes.reader
        regionCodes = batch.columns[shape.regionIndex].texts.codes.reader
        pickups = batch.columns[shape.pickupIndex].integers.reader
        costs = shape.costIndex.map { batch.columns[$0].integers.reader }
        allMiles = shape.milesIndex.map { batch.columns[$0].integers.reader }
        ruleNumbers = batch.ruleNumbers.reader
        counted = batch.counted.reader
    }

    func tripTypeCode(_ row: Int) -> Int { Int(truncatingIfNeeded: tripTypeCodes[row]) }
    func regionCode(_ row: Int) -> Int { Int(truncatingIfNeeded: regionCodes[row]) }
    func pickup(_ row: Int) -> Int64 { pickups.value(row) ?? 0 }

    /// A trip's cost in cents; nil where it is not known, or where the pipeline has none.
    public func cost(_ row: Int) -> Int64? { costs?.value(row) }

    /// A trip's loaded miles in hundredths; nil where they are not known, or where the pipeline has
    /// none.
    public func miles(_ row: Int) -> Int64? { allMiles?.value(row) }

    /// Whether a trip counts.
    public func isCounted(_ row: Int) -> Bool { counted[row] != 0 }

    /// The number of a trip's deciding rule; 0 where none held.
    public func ruleNumber(_ row: Int) -> Int { Int(truncatingIfNeeded: ruleNumbers[row]) }
}

/// The same columns of a batch that is not packed, for trips that are added up without being kept.
struct UnpackedKPIView: KPIRows {
    private let tripTypeCodes: [UInt32]
    private let regionCodes: [UInt32]
    private let pickups: IntegerColumn
    private let costs: IntegerColumn?
    private let allMiles: IntegerColumn?
    private let ruleNumbers: [UInt16]
    private let counted: [Bool]

    init(_ batch: TripBatch, shape: TripShape) {
        tripTypeCodes = batch.columns[shape.tripTypeIndex].texts.codes
        regionCodes = batch.columns[shape.regionIndex].texts.codes
        pickups = batch.columns[shape.pickupIndex].integers
        costs = shape.costIndex.map { batch.columns[$0].integers }
        allMiles = shape.milesIndex.map { batch.columns[$0].integers }
        ruleNumbers = batch.ruleNumbers
        counted = batch.counted
    }

    func tripTypeCode(_ row: Int) -> Int { Int(tripTypeCodes[row]) }
    func regionCode(_ row: Int) -> Int { Int(regionCodes[row]) }
    func pickup(_ row: Int) -> Int64 { pickups.value(row) ?? 0 }
    func cost(_ row: Int) -> Int64? { costs?.value(row) }
    func miles(_ row: Int) -> Int64? { allMiles?.value(row) }
    func isCounted(_ row: Int) -> Bool { counted[row] }
    func ruleNumber(_ row: Int) -> Int { Int(ruleNumbers[row]) }
}
