public import TripDomain

/// The lines of one source in force, and how they are joined.
public struct DeliveredLines: Sendable {
    /// How they are joined.
    public let definition: ClaimLineDefinition
    /// The lines by column, in order of exports.
    public let batches: [PackedBatch]
    /// The delivery that each file belongs to, from 0 in order of exports: the lines of a claim
    /// that come with one delivery are one version of it.
    public let deliveryOfFile: [Int: Int]
    /// The text column that orders versions; nil where the order of files does.
    public let orderColumn: Int?

    /// Describes the lines of one source.
    ///
    /// - Parameters:
    ///   - definition: How they are joined.
    ///   - batches: The lines by column, in order of exports.
    ///   - deliveryOfFile: The delivery that each file belongs to.
    ///   - orderColumn: The text column that orders versions.
    public init(
        definition: ClaimLineDefinition,
        batches: [PackedBatch],
        deliveryOfFile: [Int: Int],
        orderColumn: Int?
    ) {
        self.definition = definition
        self.batches = batches
        self.deliveryOfFile = deliveryOfFile
        self.orderColumn = orderColumn
    }
}
