public import TripDomain

/// Looks for a few trip ids among many trips.
///
/// Ids are bytes here: Swift calls texts equal that write an accented letter in two ways, and such ids are
/// those of two trips.
public struct TripIDSearch: Sendable {
    private let idsByHash: [UInt64: [[UInt8]]]

    /// Prepares a search for some ids, each as UTF-8.
    public init(_ ids: Set<[UInt8]>) {
        idsByHash = Dictionary(grouping: ids) { id in
            id.withUnsafeBufferPointer { textHash($0) }
        }
    }

    /// The ids that occur.
    ///
    /// - Parameters:
    ///   - batches: The trips to look through.
    ///   - column: The column of the trip id.
    /// - Returns: Those of the ids that some trip has.
    /// - Complexity: O(*n*) in the trips; ids are compared only where hashes are equal.
    public func found(in batches: [PackedBatch], column: Int) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        for batch in batches {
            let texts = batch.columns[column].texts
            withExtendedLifetime(texts) {
                for row in 0..<batch.count {
                    let id = texts.reader[row].assumingMemoryBound(to: UInt8.self)
                    guard let candidates = idsByHash[textHash(id)] else { continue }
                    found.formUnion(candidates.filter { $0.elementsEqual(id) })
                }
            }
        }
        return found
    }
}
