public import TripDomain

/// Searches many trips for a few trip ids.
///
/// Ids are compared as bytes: Swift treats texts as equal that write an accented letter in two
/// ways, but such ids belong to two trips.
public struct TripIDSearch: Sendable {
    /// The last record of a trip in order of exports.
    public struct LastRecord: Sendable, Hashable {
        /// The index of the file, in order of exports.
        public let fileIndex: Int
        /// The record, from 1.
        public let recordNumber: Int
    }

    private let idsByHash: [UInt64: [[UInt8]]]

    /// Prepares a search for some ids, each as UTF-8.
    public init(_ ids: Set<[UInt8]>) {
        idsByHash = Dictionary(grouping: ids) { id in
            id.withUnsafeBufferPointer { textHash($0) }
        }
    }

    /// Finds the last record of each id.
    ///
    /// - Parameters:
    ///   - batches: The trips to search, in order of exports.
    ///   - column: The column of the trip id.
    /// - Returns: The last record of each id that a trip has.
    /// - Complexity: O(*n*) in the trips; ids are compared only where hashes are equal.
    public func lastRecords(in batches: [PackedBatch], column: Int) -> [[UInt8]: LastRecord] {
        var found: [[UInt8]: LastRecord] = [:]
        for batch in batches {
            let texts = batch.columns[column].texts
            withExtendedLifetime(texts) {
                for row in 0..<batch.count {
                    let id = texts.reader[row].assumingMemoryBound(to: UInt8.self)
                    guard let candidates = idsByHash[textHash(id)] else { continue }
                    for candidate in candidates where candidate.elementsEqual(id) {
                        found[candidate] = LastRecord(
                            fileIndex: batch.fileIndex,
                            recordNumber: Int(batch.recordNumbers[row])
                        )
                    }
                }
            }
        }
        return found
    }
}
