/// The raw records of the rejects of a generation, by the index of the reject.
///
/// They may be larger than the memory that a run should take, so that they need not lie in it.
public protocol RejectTexts: Sendable {
    /// The number of records.
    var count: Int { get }

    /// One record, as delivered.
    ///
    /// Called on several threads at once.
    ///
    /// - Parameter index: The index of its reject.
    /// - Returns: Its bytes.
    /// - Throws: Where it can no longer be read.
    func text(_ index: Int) throws -> [UInt8]
}

/// Records in memory.
extension [[UInt8]]: RejectTexts {
    /// The record of a reject.
    public func text(_ index: Int) -> [UInt8] { self[index] }
}
